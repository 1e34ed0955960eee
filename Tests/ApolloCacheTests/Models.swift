@testable import ApolloAPI
import ApolloCache
import StyledTests

// Selection sets as the generator writes them.

/// `query Hero($episode: String) { hero(episode: $episode) { id name friends { id name } size { meters } } }`
struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { __typename } }")

  var episode: GraphQLNullable<String> = .none

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("episode", episode) }

  struct Data: SelectionSet, Hashable {
    var hero: Character?

    static let __fields = __FieldTable(version: 1, "hero(episode:$episode)")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }
}

struct Character: SelectionSet, Hashable {
  var __typename: String
  var id: String
  var name: String
  var friends: [Friend?]?
  var size: Size?

  static let __fields = __FieldTable(version: 1, "__typename id!# name friends size")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    __typename = try object.typename()
    id = try object.read(1)
    name = try object.read(2)
    friends = try object.read(3)
    size = try object.read(4)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, __typename)
    writer.write(1, id)
    writer.write(2, name)
    writer.write(3, friends)
    writer.write(4, size)
  }

  struct Friend: SelectionSet, Hashable {
    var __typename: String
    var id: String
    var name: String

    static let __fields = __FieldTable(version: 1, "__typename id!# name")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
      name = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
      writer.write(2, name)
    }
  }

  struct Size: SelectionSet, Hashable {
    var meters: Double

    static let __fields = __FieldTable(version: 1, "__typename meters")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { meters = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Size")
      writer.write(1, meters)
    }
  }
}

/// `query Sizes { hero { id size { feet } } best: hero(episode: "EMPIRE") { id } }`
struct SizesQuery: GraphQLQuery {
  static let operationName = "Sizes"
  static let operationDocument = OperationDocument("query Sizes { hero { __typename } }")

  struct Data: SelectionSet, Hashable {
    var hero: Sized?

    static let __fields = __FieldTable(version: 1, "hero")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Sized: SelectionSet, Hashable {
    var id: String
    var size: Size?

    static let __fields = __FieldTable(version: 1, "__typename id!# size")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(1)
      size = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Droid")
      writer.write(1, id)
      writer.write(2, size)
    }
  }

  struct Size: SelectionSet, Hashable {
    var feet: Double

    static let __fields = __FieldTable(version: 1, "__typename feet")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { feet = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Size")
      writer.write(1, feet)
    }
  }
}

func bytes(_ data: String) -> ResponseBytes { ResponseBytes(Array(#"{"data":\#(data)}"#.restyled.utf8)) }

let r2d2 = """
  {"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","friends":[{"__typename":"Human","id":"1000","name":"Luke"},\
  null,{"__typename":"Human","id":"1000","name":"Luke"}],"size":{"__typename":"Size","meters":0.96}}}
  """
