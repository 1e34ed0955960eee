import ApolloAPI
import Fixture0002
import Fixture0003
import Fixture0004
import Fixture0005
import Fixture0006
import Foundation
import StyledTests
import Testing

@Suite("Names", .everyStyle) struct NameTests {
  @Test("Words of Swift are names of fields, variables and cases")
  func words() throws {
    let query = NamesQuery(self: 1, default: .case(.`self`))
    #expect(
      variables(query)
        == #"{"self":1,"in":true,"object":{"self":1,"default":"none","snake_case":"a\nb","list":["self"]},"default":"self"}"#
    )
    var input = Strange(self: 2, writer: 3)
    input.`in` = [[1, nil], []]
    #expect(
      variables(NamesQuery(object: .some(input), default: .case(.`init`))).contains(#""in":[[1,null],[]],"writer":3"#))
    #expect(Fixture0002.Type_Enum(rawValue: "SNAKE_CASE") == .snakeCase)
    #expect(Fixture0002.Type_Enum(rawValue: "snakeCase") == .snakeCase_)
  }

  @Test("Lists are named in the singular unless that name is taken")
  func lists() {
    let value = NamesQuery.Data.Value(number: 1)
    #expect(value.number == 1)
    #expect(NamesQuery.Data.Person(name: "Ada").name == "Ada")
  }
}

@Suite("Conditions of generated code", .everyStyle) struct GeneratedConditionTests {
  static func person(_ fields: String) -> String { #"{"me":{"__typename":"Person","id":"1","# + fields + "}}" }

  @Test("A field is read when one of its conditions holds")
  func anyCondition() throws {
    let both = #""name":"A","friend":{"__typename":"Person","id":"2","name":"B"},"both":null,"always":"A""#
    let skipped = try roundTrip(ConditionsQuery(a: false, b: false, c: false), Self.person(both))
    #expect(skipped.me?.name == "A" && skipped.me?.nickname == nil && skipped.me?.friend?.nickname == nil)
    let none = #""friend":null,"both":{"__typename":"Person","id":"2","nickname":"C"},"always":"A""#
    let neither = try roundTrip(ConditionsQuery(a: false, b: true, c: false), Self.person(none))
    #expect(neither.me?.name == nil && neither.me?.both?.nickname == "C" && neither.me?.both?.name == nil)
    #expect(neither.anyone == nil)
  }

  @Test("A variable that is left out has the default of its operation")
  func defaultOfVariable() throws {
    let full = #""nickname":"N","friend":null,"both":null,"always":"A","grouped":"A","friends":[]"#
    let data = try roundTrip(ConditionsQuery(a: false, b: true, c: .none), Self.person(full))
    #expect(data.me?.grouped == "A" && data.me?.friends == [] && data.me?.nicknamed?.nickname == "N")
    #expect(data.me?.nickname == "N", "the fragment selects it")
  }

  @Test("Inline fragments of one type are one member, whatever their conditions")
  func mergedInlineFragments() throws {
    let pets = Self.person(
      #""pets":[{"__typename":"Dog","name":"Rex","barks":true,"owner":{"__typename":"Person","id":"1","name":"A","nickname":null}}]"#
    )
    let pet = try #require(try roundTrip(PetConditionsQuery(dogs: true, cats: true), pets).me?.pets?.first ?? nil)
    #expect(pet.asDog?.barks == true && pet.asDog?.owner?.name == "A" && pet.asDog?.name == "Rex")
    #expect(pet.dogName?.name == "Rex" && pet.asCat == nil)
    let without = try #require(try read(PetConditionsQuery(dogs: false, cats: true), pets).me?.pets?.first ?? nil)
    #expect(without.asDog?.barks == nil && without.asDog?.owner?.name == nil)
    #expect(without.asDog?.owner?.id == "1" && without.dogName == nil)
  }
}

@Suite("Custom scalars", .everyStyle(changing: [.order, .repeats])) struct ScalarTests {
  @Test("Scalars are of the type that the configuration says, and of String otherwise")
  func mapped() throws {
    let data = """
      {"event":{"__typename":"Event","id":"1","at":5,"days":[["2020-01-01"],null],"extra":{"a":[1,null]},"extras":null,\
      "place":{"__typename":"Place","name":"P","geometry":"G"}}}
      """
    let query = Scalars.EventQuery(at: .some(EpochSeconds(seconds: 5)))
    let event = try #require(try roundTrip(query, data).event)
    #expect(event.at == EpochSeconds(seconds: 5))
    #expect(event.days == [["2020-01-01"], nil])
    #expect(event.place?.geometry.value as? String == "G")
    #expect(variables(query) == #"{"at":5,"id":"5"}"#)
    #expect(query == Scalars.EventQuery(at: .some(EpochSeconds(seconds: 5)), id: .none))
    #expect(Scalars.EventQuery.operationDocument.operationIdentifier?.count == 64)
  }

  @Test("Only types that hold a value that cannot be compared cannot be compared")
  func hashable() {
    func isHashable(_ type: Any.Type) -> Bool { type is any Hashable.Type }
    #expect(!isHashable(Scalars.EventQuery.Data.Event.self))
    #expect(isHashable(Scalars.EventsQuery.Data.self))
    #expect(isHashable(Scalars.EditEventLocalCacheMutation.Data.self))
    #expect(isHashable(Scalars.EventQuery.self))
  }

  @Test("An input object with @oneOf is an enum")
  func oneOf() {
    #expect(variables(Scalars.EventsQuery()) == #"{"by":{"id":"1"}}"#)
    let by = Scalars.EventBy.any([.day("2020-01-01"), .at(EpochSeconds(seconds: 1))])
    #expect(variables(Scalars.EventsQuery(by: by)) == #"{"by":{"any":[{"day":"2020-01-01"},{"at":1}]}}"#)
  }

  @Test("A scalar that is not of its type is reported with its path")
  func badScalar() {
    let error = #expect(throws: ResponseDecodingError.self) {
      try read(Scalars.EventQuery(), #"{"event":{"__typename":"Event","id":"1","at":"noon"}}"#)
    }
    #expect(error.map { "\($0)" }?.contains("event.at") == true)
  }
}

@Suite("Unions", .everyStyle) struct UnionTests {
  @Test("What is known of an object is known in the fragments that it satisfies")
  func nested() throws {
    let data = """
      {"search":[{"__typename":"Author","id":"1","name":"A","all":[{"__typename":"Book","isbn":"I","edition":1,\
      "name":"B"}],"books":[{"__typename":"Book","isbn":"I","edition":1}]},\
      {"__typename":"Book","id":"9","name":"B","isbn":"I","edition":1,"authors":[]},\
      {"__typename":"Shelf","label":"L"}]}
      """
    let results = try read(SearchQuery(), data).search
    #expect(results[0].asNode?.id == "1")
    #expect(results[0].asNode?.asNamed?.asAuthor?.all.first?.name == "B")
    #expect(results[0].authorCard?.books.first?.bookCard.isbn == "I")
    #expect(results[0].namedCard?.authorCard?.name == "A")
    #expect(results[1].asBook?.authors == [] && results[1].asBook?.id == "9")
    #expect(results[2].asShelf?.label == "L" && results[2].asNode == nil)
    #expect(try read(SearchQuery(), data) == read(SearchQuery(), data))
  }
}

@Suite("Scalars of Foundation", .everyStyle) struct FoundationScalarTests {
  @Test("Dates, URLs and identifiers are Foundation's")
  func types() throws {
    let data = """
      {"meeting":{"__typename":"Meeting","id":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f","at":"2026-11-21T08:46:00Z",\
      "link":"https://example.com/a","past":["2001-01-01T00:00:00Z"],"size":"9007199254740993"}}
      """
    let query = MeetingQuery(at: Date(timeIntervalSinceReferenceDate: 0))
    let meeting = try roundTrip(query, data).meeting
    #expect(meeting.past == [Date(timeIntervalSinceReferenceDate: 0)])
    #expect(meeting.link == URL(string: "https://example.com/a"))
    #expect(meeting.id == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    #expect(meeting.size == 9_007_199_254_740_993)
    #expect(variables(query) == #"{"at":"2001-01-01T00:00:00Z"}"#)
  }
}
