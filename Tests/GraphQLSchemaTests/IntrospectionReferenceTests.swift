import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Introspection of input objects that cannot be used")
struct IntrospectionReferenceTests {
  /// An answer with a chain of input objects, each of which must be given the next. The last needs a type that is not
  /// there, or one that is.
  private func introspection(links: Int, isBroken: Bool) throws -> JSONNode {
    func type(_ kind: String, _ name: String) -> String { #"{"kind": "\#(kind)", "name": "\#(name)"}"# }
    func value(_ name: String, _ type: String) -> String { #"{"name": "\#(name)", "type": \#(type)}"# }
    func input(_ name: String, _ fields: [String]) -> String {
      #"{"kind": "INPUT_OBJECT", "name": "\#(name)", "inputFields": [\#(fields.joined(separator: ", "))]}"#
    }
    let inputs = (0..<links).map { index -> String in
      let next = index + 1 < links ? "I\(index + 1)" : isBroken ? "Gone" : "Free"
      return input(
        "I\(index)", [value("x", #"{"kind": "NON_NULL", "ofType": \#(type("INPUT_OBJECT", next))}"#)])
    }
    let first = type("INPUT_OBJECT", "I0")
    let int = type("SCALAR", "Int")
    let free = input("Free", [value("y", int), value("z", first)])
    let field = #"{"name": "a", "args": [\#(value("i", first))], "type": \#(int)}"#
    let types =
      [#"{"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [\#(field)]}"#, int, free] + inputs
    let text = #"""
      {"__schema": {"queryType": {"name": "Query"}, "types": [\#(types.joined(separator: ", "))], "directives": []}}
      """#
    return try JSONNode(parsing: Array(text.utf8))
  }

  private func read(links: Int, isBroken: Bool) throws -> (Schema, [Diagnostic]) {
    let result = Schema.build(fromIntrospection: try introspection(links: links, isBroken: isBroken), isLenient: true)
    return (try #require(result.value), result.diagnostics.filter { $0.message.contains("unknown type") })
  }

  @Test("Each of a chain is left out with a warning, and so is what names them and can do without")
  func chain() throws {
    let (schema, warnings) = try read(links: 3, isBroken: true)
    #expect(schema.definedTypes.map(\.name) == ["Query", "Free"])
    #expect(schema.queryType?.fields["a"]?.arguments.isEmpty == true)
    guard case .inputObject(let free)? = schema.type(named: "Free") else { throw Missing() }
    #expect(free.fields.map(\.name.value) == ["y"])
    let places = ["I2.x", "I1.x", "I0.x", "Query.a(i:)", "Free.z"]
    #expect(warnings.count == places.count)
    for place in places { #expect(warnings.contains { $0.message.hasSuffix("\"\(place)\".") }, "\(place)") }
    #expect(warnings.allSatisfy { $0.severity == .warning })
  }

  private struct Missing: Error {}

  @Test("A chain in which nothing is missing is kept")
  func whole() throws {
    let (schema, warnings) = try read(links: 3, isBroken: false)
    #expect(schema.definedTypes.map(\.name) == ["Query", "Free", "I0", "I1", "I2"])
    #expect(warnings.isEmpty)
  }

  @Test("Thousands of links are looked at once, not once for each of them")
  func longChain() throws {
    let (schema, warnings) = try read(links: 5_000, isBroken: true)
    #expect(schema.definedTypes.map(\.name) == ["Query", "Free"])
    #expect(warnings.count == 5_002)
  }
}
