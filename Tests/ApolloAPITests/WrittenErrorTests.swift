@testable import ApolloAPI
import Testing

/// Models whose fragments select what they select themselves.
@Suite("Errors of models that are written as a response") struct WrittenErrorTests {
  /// `{ name @catch friend { id name @catch } ...Part }`
  private struct Human: SelectionSet {
    var name: FieldResult<String>
    var friend: Named?
    var part: Part

    static let __fields = __FieldTable(version: 1, "__typename name friend ...")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      name = try object.read(1)
      friend = try object.read(2)
      part = try object.fragment()
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Human")
      writer.write(1, name)
      writer.write(2, friend)
      writer.write(fragment: part)
    }
  }

  /// `{ name @catch friend { nick @catch name @catch } last @catch }`
  private struct Part: SelectionSet {
    var name: FieldResult<String>
    var friend: Nicknamed?
    var last: FieldResult<String>

    static let __fields = __FieldTable(version: 1, "name friend last")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      name = try object.read(0)
      friend = try object.read(1)
      last = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, name)
      writer.write(1, friend)
      writer.write(2, last)
    }
  }

  private struct Named: SelectionSet {
    var id: String
    var name: FieldResult<String>

    static let __fields = __FieldTable(version: 1, "id name")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(0)
      name = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, id)
      writer.write(1, name)
    }
  }

  private struct Nicknamed: SelectionSet {
    var nick: FieldResult<String>
    var name: FieldResult<String>

    static let __fields = __FieldTable(version: 1, "nick name")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      nick = try object.read(0)
      name = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, nick)
      writer.write(1, name)
    }
  }

  private static func human(_ data: String, errors: String) throws -> Human {
    let text = #"{"data":\#(data),"errors":[\#(errors)]}"#
    return try #require(try ResponseReader.read(Human.self, from: ResponseBytes(text.utf8)).data)
  }

  private static func errors(of human: Human) throws -> [GraphQLError] {
    try ResponseReader.read(Human.self, from: human.response()).errors ?? []
  }

  private static let data =
    #"{"__typename":"Human","name":null,"friend":{"id":"2","name":null,"nick":null},"last":null}"#
  private static let places: [[PathComponent]] = [["name"], ["friend", "name"], ["friend", "nick"], ["last"]]

  @Test("Each is there once, however often its field was selected")
  func once() throws {
    let errors = Self.places.map { path in
      let names = path.map { "\"\($0.jsonValue)\"" }.joined(separator: ",")
      return #"{"message":"no","path":[\#(names)]}"#
    }
    let human = try Self.human(Self.data, errors: errors.joined(separator: ","))
    let written = try Self.errors(of: human)
    #expect(written.count == 4)
    #expect(Set(written.compactMap(\.path)) == Set(Self.places))
  }

  @Test("One without a path gets that of its place, also where objects were merged in front of it")
  func places() throws {
    var human = try Self.human(
      #"{"__typename":"Human","name":"n","friend":{"id":"2","name":"n","nick":"n"},"last":"l"}"#, errors: "")
    human.name = .failure(GraphQLError("name"))
    human.part.name = human.name
    human.friend?.name = .failure(GraphQLError("friend.name"))
    human.part.friend?.name = .failure(GraphQLError("friend.name"))
    human.part.friend?.nick = .failure(GraphQLError("friend.nick"))
    human.part.last = .failure(GraphQLError("last"))
    let written = try Self.errors(of: human)
    #expect(written.map(\.message) == ["name", "friend.name", "friend.nick", "last"])
    for error in written {
      #expect(error.path?.map { "\($0.jsonValue)" }.joined(separator: ".") == error.message)
    }
  }
}
