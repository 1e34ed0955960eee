import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Makes one schema of all schema files.
enum SchemaLoader {
  static func load(_ sources: [Source]) -> Parsed<Validated<Schema>?> {
    guard !sources.isEmpty else {
      return Parsed(nil, diagnostics: [Diagnostic(.missingSchema, "There is no schema file.", at: .none)])
    }
    let blank = BlankSources(sources.filter { !$0.name.hasSuffix(".json") })
    let json = sources.filter { $0.name.hasSuffix(".json") }
    guard !blank.others.isEmpty || !json.isEmpty else {
      let names = Suggestions.list(sources.map { "\"\($0.name)\"" }, "and")
      return Parsed(
        nil,
        diagnostics: blank.notes + [
          Diagnostic(
            .missingSchema, "There is no type in \(names).", at: .none,
            help: "Write the schema there, or download it with \"apollo-codegen fetch-schema\".")
        ])
    }
    let documents = sources.filter { !blank.contains($0) }
      .map { $0.name.hasSuffix(".json") ? introspection($0) : Parser.parse($0) }
    let diagnostics = blank.notes + documents.flatMap(\.diagnostics)
    if diagnostics.hasErrors { return Parsed(nil, diagnostics: diagnostics) }
    var options = SchemaValidator.Options()
    options.isLenient = true
    let checked = SchemaValidator.validate(
      documents.map(\.value) + [ClientDefinitions.undeclared(in: documents.map(\.value))], options: options)
    // Servers work with many defects in their schemas, but not with an undefined type: then a file is missing, or a
    // name is wrong. (ClientRule.usableTypes asks for more where operations need it.) And no server has two files that
    // contradict each other: one of them is forgotten in the app.
    let refused = checked.value.map {
      DifferentDefinitions.refuse(checked.diagnostics, of: $0.value, in: documents.map(\.value), from: sources)
    }
    let findings =
      diagnostics
      + (refused ?? checked.diagnostics).map { finding in
        guard finding.code == .unknownType else { return finding }
        var finding = finding
        finding.severity = .error
        return finding
      }
    return Parsed(findings.hasErrors ? nil : checked.value, diagnostics: findings)
  }

  /// The schema that a server described, as definitions.
  private static func introspection(_ source: Source) -> Parsed<Document> {
    do throws(DiagnosticsError) {
      let document = Document.read(
        fromIntrospection: try JSONFile.read(source), in: source.id, isLenient: true)
      return Parsed(document.value ?? Document(definitions: []), diagnostics: document.diagnostics)
    } catch {
      return Parsed(Document(definitions: []), diagnostics: error.diagnostics)
    }
  }
}
