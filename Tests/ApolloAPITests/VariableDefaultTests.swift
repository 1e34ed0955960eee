@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Defaults of variables that are JSON", .everyStyle)
struct VariableDefaultTests {
  private static let date: StaticString = #""2026-01-01""#

  /// The variables of `query Recent($since: DateTime = "2026-01-01", $last: Int)`, or with another default.
  private static func variables(
    _ since: GraphQLNullable<String>, default defaultJSON: StaticString = date, last: Int = 3
  ) -> Variables {
    Variables { writer in
      writer.write("since", since, defaultJSON: defaultJSON)
      writer.write("last", last)
    }
  }

  /// The key of `events(since: $since)`.
  private static func key(_ variables: Variables) -> String {
    CanonicalArguments.fieldKey(
      name: "events", arguments: Array("since:$since".utf8), policy: nil, variables: variables)
  }

  @Test("An absent variable has its default in the key, and is sent with it")
  func absent() {
    let variables = Self.variables(.none)
    #expect(String(decoding: variables.json, as: UTF8.self) == #"{"since":"2026-01-01","last":3}"#)
    #expect(variables["last"].map { String(decoding: $0, as: UTF8.self) } == "3")
    #expect(Self.key(variables) == #"events(since:"2026-01-01")"#)
    #expect(Self.key(variables) == Self.key(Self.variables("2026-01-01")))
  }

  @Test("Null and a value take the place of the default")
  func given() {
    #expect(Self.key(Self.variables(.null)) == "events(since:null)")
    #expect(Self.key(Self.variables("2027-01-01")) == #"events(since:"2027-01-01")"#)
  }

  @Test("A default that is an object is in the key as any object is")
  func object() {
    let variables = Self.variables(.none, default: #"{"b":1.0,"a":["x",null]}"#)
    #expect(Self.key(variables) == #"events(since:{"a":["x",null],"b":1})"#)
  }

  @Test("A default decides conditions", arguments: [false, true])
  func conditions(isTrue: Bool) {
    let variables = Variables { writer in
      let absent = GraphQLNullable<Bool>.none
      if isTrue {
        writer.write("x", absent, defaultJSON: "true")
      } else {
        writer.write("x", absent, defaultJSON: "false")
      }
    }
    #expect(Condition(terms: [[.init(variable: "x", test: .isTrue)]]).holds(variables) == isTrue)
  }
}
