import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// The field tables of generated code, by the names of the types that they belong to.
func fieldTables(
  schema: String, _ operations: String, extensions: String? = nil,
  _ change: (inout ApolloCodegenConfiguration) -> Void = { _ in }
) throws -> [String: String] {
  var configuration = ApolloCodegenConfiguration()
  change(&configuration)
  let sources =
    [Source(schema, name: "schema.graphqls")] + (extensions.map { [Source($0, name: "extensions.graphqls")] } ?? [])
  let code = Pipeline.generate(
    schema: sources, operations: [Source(operations, name: "Test.graphql")], configuration: configuration)
  let messages = code.diagnostics.map(\.fullMessage)
  let text = try #require(code.value, "\(messages)").documents[0].file.text
  var tables: [String: String] = [:]
  var type = ""
  for line in text.split(separator: "\n") {
    if let name = line.firstMatch(of: #/extension ([A-Za-z0-9_.]+): /#) { type = String(name.1) }
    if let table = line.firstMatch(of: #/__FieldTable\(version: ([0-9]+), "(.*)"\)/#) {
      tables[type] = "\(table.1) " + table.2.replacing("\\\"", with: "\"")
    }
  }
  return tables
}
