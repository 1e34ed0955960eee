import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Linked specifications")
struct LinkTests {
  private func schema(_ text: String) -> Schema { Schema.build(from: [Source(text)]).value }

  @Test("A link says where names come from, and what they are called here")
  func names() throws {
    let schema = schema(
      """
      extend schema
        @link(url: "https://specs.apollo.dev/link/v1.0")
        @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", { name: "@requires", as: "@needs" }])
        @link(url: "https://example.com/spec", as: "mine")
      type Query { a: Int }
      """)
    #expect(schema.links.map(\.url).count == 3)
    let federation = try #require(schema.links.first { $0.url.contains("federation") })
    #expect(federation.namespace == "federation")
    #expect(federation.localName(of: "@key") == "@key")
    #expect(federation.localName(of: "@requires") == "@needs")
    #expect(federation.localName(of: "@shareable") == "@federation__shareable")
    #expect(federation.localName(of: "FieldSet") == "federation__FieldSet")
    #expect(schema.links[2].namespace == "mine")
    #expect(schema.links[2].localName(of: "@mine") == "@mine")
    for name in ["key", "needs", "federation__shareable", "mine", "mine__other"] {
      #expect(schema.isLinked(directive: name), "\(name)")
    }
    for name in ["requires", "shareable", "other", "federationKey"] {
      #expect(!schema.isLinked(directive: name), "\(name)")
    }
  }

  @Test("@link is known where it is used, and is not part of the schema's own definitions")
  func bootstrap() {
    let linked = schema(#"extend schema @link(url: "https://specs.apollo.dev/link/v1.0") type Query { a: Int }"#)
    #expect(linked.directive(named: "link")?.isRepeatable == true)
    #expect(linked.definedDirectives.isEmpty)
    #expect(schema("type Query { a: Int }").directive(named: "link") == nil)
    let renamed = schema(
      #"schema @ln(url: "https://specs.apollo.dev/link/v1.0", as: "ln") { query: Query } type Query { a: Int }"#)
    #expect(renamed.directive(named: "ln") != nil)
    #expect(renamed.links.count == 1)
  }

  @Test("An imported type that is not defined here is a scalar")
  func types() {
    let schema = schema(
      """
      extend schema @link(url: "https://example.com/cost/v1.0", import: ["Weight"])
      directive @mine(fields: cost__Set, weight: Weight, other: Unknown) on OBJECT
      type Query { a: Int }
      """)
    for name in ["Weight", "cost__Set"] {
      guard case .scalar? = schema.type(named: name) else {
        Issue.record("\(name) is not a scalar")
        continue
      }
    }
    #expect(schema.type(named: "Unknown") == nil)
    #expect(schema.definedTypes.map(\.name) == ["Query"])
  }

  @Test(
    "A URL names its specification by its last part that is not a version",
    arguments: [
      ("https://specs.apollo.dev/federation/v2.3", "federation"), ("https://specs.apollo.dev/cache", "cache"),
      ("https://example.com/a/b/?x=/c", "b"), ("https://example.com/a-b/v1.0", nil), ("", nil), ("///", nil),
      ("https://example.com/v1.x", nil),
    ] as [(String, String?)])
  func url(_ url: String, namespace: String?) {
    let directive = Directive(
      name: "link", arguments: [Argument(name: "url", value: Value(.string(StringValue(url))))])
    #expect(SchemaLink(directive)?.namespace == namespace)
  }

  @Test("What introspection says of a schema with @link can be read again")
  func introspection() throws {
    let schema = schema(
      #"schema @link(url: "https://specs.apollo.dev/link/v1.0") { query: Query } type Query { a: Int }"#)
    let read = Schema.build(fromIntrospection: schema.introspection())
    #expect(read.diagnostics == [])
    #expect(read.value?.definedTypes.map(\.name) == ["Query"])
  }
}
