import ApolloCodegenLib
import Foundation
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import Testing

/// Answers to introspection as servers of several makes write them. What operations do not need may be wrong.
@Suite("Inexact introspection") struct InexactIntrospectionTests {
  struct Variant: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// A part of the exact answer, and what a server writes in its place.
    var change: (String, String)
    /// What the warning names; nil if there is none.
    var named: String?
    /// Whether a parser of GraphQL, and so the strict reader, accepts it.
    var isExact = false
  }

  static let exact = """
    {"data": {"__schema": {
      "description": null, "queryType": {"name": "Query"}, "mutationType": null, "subscriptionType": null,
      "types": [
        {"kind": "OBJECT", "name": "Query", "description": null, "interfaces": [], "fields": [
          {"name": "hero", "args": [
            {"name": "episode", "type": {"kind": "ENUM", "name": "Episode", "ofType": null}, "defaultValue": "JEDI"},
            {"name": "since", "type": {"kind": "SCALAR", "name": "Date", "ofType": null}, "defaultValue": null}],
            "type": {"kind": "OBJECT", "name": "Hero", "ofType": null}, "isDeprecated": false, "deprecationReason": null},
          {"name": "other", "args": [
            {"name": "text", "type": {"kind": "SCALAR", "name": "String"}, "defaultValue": "\\"a\\""},
            {"name": "in", "type": {"kind": "INPUT_OBJECT", "name": "In", "ofType": null}, "defaultValue": null}],
            "type": {"kind": "INTERFACE", "name": "Node", "ofType": null}}]},
        {"kind": "OBJECT", "name": "Hero", "interfaces": [{"kind": "INTERFACE", "name": "Node"}], "fields": [
          {"name": "id", "args": [], "type": {"kind": "NON_NULL", "name": null, "ofType": {"kind": "SCALAR", "name": "ID"}}}]},
        {"kind": "OBJECT", "name": "Unused", "interfaces": [], "fields": [
          {"name": "one", "args": [], "type": {"kind": "OBJECT", "name": "Hero"}},
          {"name": "two", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]},
        {"kind": "INTERFACE", "name": "Node", "interfaces": [], "possibleTypes": [{"name": "Hero"}], "fields": [
          {"name": "id", "args": [], "type": {"kind": "NON_NULL", "name": null, "ofType": {"kind": "SCALAR", "name": "ID"}}}]},
        {"kind": "UNION", "name": "Both", "possibleTypes": [{"kind": "OBJECT", "name": "Hero"}, {"name": "Unused"}]},
        {"kind": "ENUM", "name": "Episode", "enumValues": [{"name": "JEDI"}, {"name": "EMPIRE"}]},
        {"kind": "ENUM", "name": "Kind", "enumValues": [{"name": "A"}, {"name": "B"}]},
        {"kind": "INPUT_OBJECT", "name": "In", "inputFields": [
          {"name": "n", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}}, "defaultValue": "1"},
          {"name": "d", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Date"}}, "defaultValue": "\\"x\\""},
          {"name": "tags", "type": {"kind": "LIST", "ofType": {"kind": "SCALAR", "name": "String"}}, "defaultValue": null}]},
        {"kind": "SCALAR", "name": "Date", "specifiedByURL": null}, {"kind": "SCALAR", "name": "String"},
        {"kind": "SCALAR", "name": "ID"}, {"kind": "SCALAR", "name": "Int"}],
      "directives": [
        {"name": "own", "locations": ["FIELD"], "isRepeatable": false, "args": [
          {"name": "a", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": "2"}]}]}}}
    """

  private static func variant(
    _ description: String, _ old: String, _ new: String, named: String?, isExact: Bool = false
  )
    -> Variant
  {
    Variant(testDescription: description, change: (old, new), named: named, isExact: isExact)
  }

  /// A default value of an argument or a field, as it stands in JSON.
  private static func defaultValue(_ description: String, _ old: String, _ new: String, _ place: String) -> Variant {
    variant("Default value: " + description, "\"defaultValue\": \(old)", "\"defaultValue\": \(new)", named: place)
  }

  static let variants: [Variant] = [
    variant("the exact one", "JEDI", "JEDI", named: nil, isExact: true),
    // Values written by a host language, or not at all.
    defaultValue("empty, of an enum (Ballerina)", "\"JEDI\"", "\"\"", "Query.hero(episode:)"),
    defaultValue("empty, of a string (Ballerina)", "\"\\\"a\\\"\"", "\"\"", "Query.other(text:)"),
    defaultValue("a text without quotation marks", "\"\\\"a\\\"\"", "\"yyyy-MM-dd HH:mm:ss\"", "Query.other(text:)"),
    defaultValue("a date without quotation marks", "\"\\\"x\\\"\"", "\"2020-01-01T00:00:00Z\"", "In.d"),
    defaultValue("an instance of a class", "\"\\\"x\\\"\"", "\"System.DateTime[]\"", "In.d"),
    defaultValue("a number that is not one", "\"1\"", "\"1.0.0\"", "In.n"),
    defaultValue("empty, of a number", "\"1\"", "\"\"", "In.n"),
    defaultValue("of an argument of a directive", "\"2\"", "\"\"", "@own(a:)"),
    defaultValue("a number in JSON", "\"1\"", "1", "In.n"),
    defaultValue("a Boolean in JSON", "\"JEDI\"", "true", "Query.hero(episode:)"),
    variant(
      "An object in JSON", "\"name\": \"In\", \"ofType\": null}, \"defaultValue\": null",
      "\"name\": \"In\", \"ofType\": null}, \"defaultValue\": {\"n\": 1}", named: "Query.other(in:)"),
    variant(
      "An object written as JSON (GitHub)", "\"name\": \"In\", \"ofType\": null}, \"defaultValue\": null",
      "\"name\": \"In\", \"ofType\": null}, \"defaultValue\": \"{\\\"n\\\": 1}\"", named: "Query.other(in:)"),
    variant(
      "A list written as JSON in text",
      "\"kind\": \"LIST\", \"ofType\": {\"kind\": \"SCALAR\", \"name\": \"String\"}}, \"defaultValue\": null",
      "\"kind\": \"LIST\", \"ofType\": {\"kind\": \"SCALAR\", \"name\": \"String\"}}, \"defaultValue\": \"System.String[]\"",
      named: "In.tags"),
    // Lists that are null or absent.
    variant(
      "interfaces null (Lacinia)", "\"interfaces\": [], \"fields\": [\n      {\"name\": \"one\"",
      "\"interfaces\": null, \"fields\": [\n      {\"name\": \"one\"", named: "Unused"),
    variant("interfaces absent", "\"name\": \"Unused\", \"interfaces\": []", "\"name\": \"Unused\"", named: "Unused"),
    variant(
      "interfaces of an interface absent (specification of 2018)", "\"name\": \"Node\", \"interfaces\": []",
      "\"name\": \"Node\"", named: nil, isExact: true),
    variant("args null", "{\"name\": \"two\", \"args\": []", "{\"name\": \"two\", \"args\": null", named: "Unused.two"),
    variant("args absent", "{\"name\": \"two\", \"args\": [], ", "{\"name\": \"two\", ", named: "Unused.two"),
    variant(
      "args of a directive null",
      "\"isRepeatable\": false, \"args\": [\n          {\"name\": \"a\", \"type\": {\"kind\": \"SCALAR\", \"name\": \"Int\"}, \"defaultValue\": \"2\"}]",
      "\"args\": null", named: "@own"),
    variant(
      "possibleTypes null",
      "\"name\": \"Both\", \"possibleTypes\": [{\"kind\": \"OBJECT\", \"name\": \"Hero\"}, {\"name\": \"Unused\"}]",
      "\"name\": \"Both\", \"possibleTypes\": null", named: "Both"),
    variant(
      "enumValues null", "\"name\": \"Kind\", \"enumValues\": [{\"name\": \"A\"}, {\"name\": \"B\"}]",
      "\"name\": \"Kind\", \"enumValues\": null", named: "Kind"),
    variant("locations absent", "\"locations\": [\"FIELD\"], ", "", named: "@own"),
    variant(
      "locations of 2015", "\"locations\": [\"FIELD\"], ", "\"onField\": true, \"onOperation\": false, ", named: nil),
    // Members without a name or a type.
    variant("A field without a name", "{\"name\": \"two\", \"args\"", "{\"args\"", named: "Unused"),
    variant(
      "A field without a type", "\"args\": [], \"type\": {\"kind\": \"SCALAR\", \"name\": \"Int\"}}]}",
      "\"args\": []}]}", named: "Unused.two"),
    variant(
      "A type that is nested too deeply", "\"type\": {\"kind\": \"SCALAR\", \"name\": \"Int\"}}]}",
      "\"type\": {\"kind\": \"LIST\", \"ofType\": {\"kind\": \"NON_NULL\", \"ofType\": null}}}]}", named: "Unused.two"),
    variant("A value of an enum without a name", "{\"name\": \"B\"}", "{}", named: "Kind"),
    variant(
      "A type of which nothing is known (a router)",
      "{\"kind\": \"SCALAR\", \"name\": \"Date\", \"specifiedByURL\": null}",
      "{\"kind\": null, \"name\": null}, {\"kind\": \"SCALAR\", \"name\": \"Date\"}", named: "a type"),
    variant(
      "A kind that is not known", "{\"kind\": \"SCALAR\", \"name\": \"Date\", \"specifiedByURL\": null}",
      "{\"kind\": \"TUPLE\", \"name\": \"Odd\"}, {\"kind\": \"SCALAR\", \"name\": \"Date\"}", named: "Odd"),
    // Types that are not there, or of the wrong kind.
    variant(
      "A field of a type that is not there", "\"type\": {\"kind\": \"SCALAR\", \"name\": \"Int\"}}]}",
      "\"type\": {\"kind\": \"SCALAR\", \"name\": \"Money\"}}]}", named: "Unused.two"),
    variant(
      "A field of an input object", "\"type\": {\"kind\": \"SCALAR\", \"name\": \"Int\"}}]}",
      "\"type\": {\"kind\": \"INPUT_OBJECT\", \"name\": \"In\"}}]}", named: "Unused.two"),
    variant(
      "An interface that is not there", "\"name\": \"Unused\", \"interfaces\": []",
      "\"name\": \"Unused\", \"interfaces\": [{\"name\": \"Gone\"}]", named: "Unused"),
    variant(
      "A member of a union that is not there", "{\"name\": \"Unused\"}]}", "{\"name\": \"Gone\"}]}", named: "Both"),
    variant(
      "A mutation type that is not there", "\"mutationType\": null", "\"mutationType\": {\"name\": \"Gone\"}",
      named: "mutationType"),
    variant(
      "Scalars of the specification that are not listed",
      "{\"kind\": \"SCALAR\", \"name\": \"String\"},\n    {\"kind\": \"SCALAR\", \"name\": \"ID\"}, {\"kind\": \"SCALAR\", \"name\": \"Int\"}",
      "{\"kind\": \"SCALAR\", \"name\": \"Other\"}", named: nil),
    variant(
      "An argument of a type that is not there",
      "{\"name\": \"in\", \"type\": {\"kind\": \"INPUT_OBJECT\", \"name\": \"In\"",
      "{\"name\": \"in\", \"type\": {\"kind\": \"INPUT_OBJECT\", \"name\": \"Gone\"", named: "Query.other(in:)"),
    variant(
      "An input field of a type that is not there",
      "{\"kind\": \"LIST\", \"ofType\": {\"kind\": \"SCALAR\", \"name\": \"String\"}}",
      "{\"kind\": \"SCALAR\", \"name\": \"Gone\"}", named: "In.tags"),
    variant(
      "An input field that must be given, of a type that is not there",
      "{\"kind\": \"LIST\", \"ofType\": {\"kind\": \"SCALAR\", \"name\": \"String\"}}",
      "{\"kind\": \"NON_NULL\", \"ofType\": {\"kind\": \"SCALAR\", \"name\": \"Gone\"}}", named: "In.tags"),
    // What older versions of introspection leave out, or call otherwise.
    variant(
      "isDeprecated absent", ", \"isDeprecated\": false, \"deprecationReason\": null", "", named: nil, isExact: true),
    variant(
      "specifiedByUrl", "\"specifiedByURL\": null", "\"specifiedByUrl\": \"https://a\"", named: nil, isExact: true),
    variant("isRepeatable absent", "\"isRepeatable\": false, ", "", named: nil, isExact: true),
    variant("directives absent", "\"directives\"", "\"other\"", named: nil, isExact: true),
  ]

  private static func text(_ variant: Variant) throws -> String {
    // (Spaces are of no meaning in JSON, and the lines here are indented.)
    let squeeze = { (text: String) in
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
    let exact = squeeze(exact), old = squeeze(variant.change.0)
    try #require(exact.contains(old), "\(variant.testDescription)")
    return exact.replacingOccurrences(of: old, with: squeeze(variant.change.1))
  }

  @Test(
    "Where nothing that operations need is wrong, it is read with a warning that names the member", arguments: variants)
  func isRead(variant: Variant) throws {
    let text = try Self.text(variant)
    let folder = try TemporaryFolder(["schema.json": text, "A.graphql": "query A { hero(since: null) { id } }"])
    let report = folder.generate { $0.input.schemaSearchPaths = ["schema.json"] }
    #expect(report.diagnostics.filter { $0.severity == .error } == [], "\(text)")
    #expect(!report.changedFiles.isEmpty)
    let warnings = report.diagnostics.filter { $0.code == .invalidIntrospection }
    if let named = variant.named {
      #expect(warnings.contains { $0.message.contains(named) && $0.span.end > 0 }, "\(warnings.map(\.message))")
    } else {
      #expect(warnings == [])
    }
    // The reference implementation refuses what is not exact, and so does the reader by itself.
    let strict = Schema.build(fromIntrospection: try JSONNode(parsing: Array(text.utf8)))
    #expect((strict.value != nil) == variant.isExact, "\(strict.diagnostics.map(\.message))")
  }

  @Test("What an operation needs and the answer lacks is an error of the operation, beside the warning")
  func needed() throws {
    let variant = try #require(Self.variants.first { $0.testDescription == "A field of a type that is not there" })
    let text = try Self.text(variant).replacingOccurrences(of: "\"name\": \"hero\"", with: "\"name\": \"hero_\"")
      .replacingOccurrences(of: "\"name\": \"Hero\", \"ofType\": null", with: "\"name\": \"Unused\", \"ofType\": null")
    let folder = try TemporaryFolder(["schema.json": text, "A.graphql": "query A { hero_ { two } }"])
    let report = folder.generate { $0.input.schemaSearchPaths = ["schema.json"] }
    #expect(report.errors(in: folder) == "A.graphql:1:19: error: Cannot query field \"two\" on type \"Unused\".\n")
    #expect(report.diagnostics.contains { $0.code == .invalidIntrospection && $0.message.contains("Unused.two") })
  }

  @Test(
    "Default values mean what their servers mean",
    arguments: [
      ("\"yyyy-MM-dd HH:mm\"", "String", "\"yyyy-MM-dd HH:mm\""), ("\"\"", "String", "\"\""), ("\"\"", "Date", nil),
      ("\"2020-01-01\"", "Date", "\"2020-01-01\""),
      ("\"{\\\"a\\\": [1.5, null, {\\\"b\\\": \\\"c\\\"}]}\"", "In", "{ a: [1.5, null, { b: \"c\" }] }"),
      ("\"{\\\"a b\\\": 1}\"", "Date", "\"{\\\"a b\\\": 1}\""), ("[1, 2]", "Int", "[1, 2]"), ("\"1,0,00\"", "Int", nil),
      ("\"JEDI\"", "String", "JEDI"), ("\"None of these\"", "Boolean", nil),
    ])
  func defaults(written: String, type: String, expected: String?) throws {
    let text = """
      {"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "interfaces": [],
        "fields": [{"name": "a", "args": [{"name": "b", "type": {"kind": "SCALAR", "name": "\(type)"},
        "defaultValue": \(written)}], "type": {"kind": "SCALAR", "name": "\(type)"}}]},
        {"kind": "SCALAR", "name": "\(type)"}]}}
      """
    let schema = Schema.build(fromIntrospection: try JSONNode(parsing: Array(text.utf8)), isLenient: true).value ?? nil
    let value = schema?.queryType?.fields["a"]?.arguments.first?.defaultValue
    #expect(value.map { Printer.print($0) } == expected)
  }
}
