import ApolloIR
import Testing

@Suite("Conditions") struct ConditionTests {
  static func shown(_ condition: Condition) -> String {
    condition.terms.map { term in
      term.map { ($0.isNegated ? "!" : "") + $0.variable }.joined(separator: "&")
    }.joined(separator: "|")
  }

  static let a = Condition(.init(variable: "a", isNegated: false))
  static let notA = Condition(.init(variable: "a", isNegated: true))
  static let b = Condition(.init(variable: "b", isNegated: false))
  static let c = Condition(.init(variable: "c", isNegated: false))

  @Test("Conditions are kept as sums of products, as short as they can be")
  func simplification() {
    #expect(Self.shown(Self.a && Self.b) == "a&b")
    #expect(Self.shown(Self.b || Self.a) == "b|a")
    #expect((Self.a && Self.notA).isNever)
    #expect((Self.a || Self.notA).isAlways)
    #expect(Self.shown(Self.a || (Self.a && Self.b)) == "a")
    #expect(Self.shown((Self.a && Self.b) || (Self.notA && Self.b)) == "b")
    #expect(Self.shown((Self.a || Self.b) && Self.c) == "a&c|b&c")
    #expect((Self.a || .always).isAlways && (Self.a && .never).isNever)
  }

  @Test("A simplified condition holds whenever the original does, for all values of the variables")
  func equivalence() {
    func value(_ condition: Condition, _ values: [String: Bool]) -> Bool {
      condition.terms.contains { $0.allSatisfy { values[$0.variable] != $0.isNegated } }
    }
    let leaves = [Self.a, Self.notA, Self.b, Self.c, .always, .never]
    for bits in 0..<8 {
      let values = ["a": bits & 1 != 0, "b": bits & 2 != 0, "c": bits & 4 != 0]
      for x in leaves {
        for y in leaves {
          for z in leaves {
            let (p, q, r) = (value(x, values), value(y, values), value(z, values))
            #expect(value((x && y) || z, values) == ((p && q) || r))
            #expect(value((x || y) && z, values) == ((p || q) && r))
          }
        }
      }
    }
  }

  @Test("Of the same field selected several times, one selection is enough")
  func mergedFields() throws {
    let program = try lower(
      schema: "type Query { hero: Hero } type Hero { name: String!, id: ID! }",
      """
      query Q($a: Boolean!, $b: Boolean!) {
        hero @include(if: $a) { name }
        hero @skip(if: $b) { name @include(if: $b) id }
      }
      """)
    guard case .field(let hero)? = program.operations[0].shape.members.first else {
      Issue.record("no field")
      return
    }
    #expect(Self.shown(hero.condition) == "a|!b")
    let members = try #require(hero.shape).members
    #expect(members.map { Self.shown($0.condition) } == ["a", "!b"])
  }
}
