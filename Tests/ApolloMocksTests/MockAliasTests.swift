import Apollo
import ApolloMocks
import Testing

@Suite("Mocks of fields with aliases") struct MockAliasTests {
  enum Event: MockObject {
    static let typename = "Event"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let name = MockField<String>("name", default: "")
      var all: [AnyMockField] { [name.erased] }
    }
  }

  /// What is generated for `past: events(last: 9) { name } upcoming: events(first: 9) { name }`.
  enum Calendar: MockObject {
    static let typename = "Query"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let events = MockField<[Mock<Event>]>("events", responseKeys: ["past", "upcoming"], default: [])
      let past = MockField<[Mock<Event>]>("events", alias: "past")
      let upcoming = MockField<[Mock<Event>]>("events", alias: "upcoming")
      var all: [AnyMockField] { [events.erased] }
    }
  }

  struct Events: SelectionSet {
    var past: [Named]
    var upcoming: [Named]
    static let __fields = __FieldTable(version: 1, "past:events(last:9) upcoming:events(first:9)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      past = try object.read(0)
      upcoming = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, past)
      writer.write(1, upcoming)
    }

    struct Named: SelectionSet {
      var name: String
      static let __fields = __FieldTable(version: 1, "name")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
    }
  }

  func event(_ name: String) -> Mock<Event> {
    let event = Mock<Event>()
    event.name = name
    return event
  }

  @Test("Two aliases of a field have different values, and an alias without a value has that of the field")
  func values() throws {
    let mock = Mock<Calendar>()
    mock.past = [event("concert")]
    mock.upcoming = [event("play"), event("film")]
    var data = try Events.from(mock)
    #expect(data.past.map(\.name) == ["concert"] && data.upcoming.map(\.name) == ["play", "film"])
    mock.events = [event("game")]
    mock.past = nil
    data = try Events.from(mock)
    #expect(data.past.map(\.name) == ["game"] && data.upcoming.map(\.name) == ["play", "film"])
    #expect(mock.events?.first?.name == "game" && mock.past == nil && mock.upcoming?.count == 2)
  }

  @Test("Mocks are compared by what stands under each alias")
  func comparing() {
    let one = Mock<Calendar>(), other = Mock<Calendar>()
    one.events = [event("concert")]
    other.past = [event("concert")]
    #expect(one != other)
    other.events = [event("concert")]
    #expect(one == other && Set([one, other]).count == 1)
    other.upcoming = []
    #expect(one != other)
    one.upcoming = []
    #expect(one == other && Set([one, other]).count == 1)
  }

  @Test("A mock as data has the value of each alias")
  func data() {
    let mock = Mock<Calendar>()
    mock.events = [event("concert")]
    mock.upcoming = [event("play")]
    let object = mock._selectionSetMockData
    func names(_ key: String) -> [String?]? {
      (object[key] as? [JSONValue])?.map { ($0 as? JSONObject)?["name"] as? String }
    }
    #expect(names("past") == ["concert"])
    #expect(names("upcoming") == ["play"])
    #expect(object["events"] == nil)
    #expect(Set(mock._data.keys) == ["__typename", "events", "upcoming"])
    #expect((mock._data["upcoming"] as? [Mock<Event>])?.first?.name == "play")
  }

  @Test("An error in the place of one alias leaves the other as it is")
  func errors() throws {
    let mock = Mock<Calendar>()
    mock.events = [event("concert")]
    mock.setError(GraphQLError("broken"), for: \.past)
    #expect(throws: GraphQLError.self) { try Events.from(mock) }
    mock.past = []
    #expect(try Events.from(mock).upcoming.map(\.name) == ["concert"])
  }
}
