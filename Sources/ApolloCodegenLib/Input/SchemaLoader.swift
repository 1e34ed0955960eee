import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Makes one schema of all schema files.
enum SchemaLoader {
  static func load(_ sources: [Source]) -> Parsed<Validated<Schema>?> {
    guard !sources.isEmpty else {
      return Parsed(nil, diagnostics: [Diagnostic(.missingSchema, "There is no schema file.", at: .none)])
    }
    let documents = sources.map { $0.name.hasSuffix(".json") ? introspection($0) : Parser.parse($0) }
    let diagnostics = documents.flatMap(\.diagnostics)
    if diagnostics.hasErrors { return Parsed(nil, diagnostics: diagnostics) }
    var options = SchemaValidator.Options()
    options.isLenient = true
    let checked = SchemaValidator.validate(
      documents.map(\.value) + [ClientDefinitions.undeclared(in: documents.map(\.value))], options: options)
    // Servers work with many defects in their schemas, but not with an undefined type: then a file is missing, or a
    // name is wrong.
    let findings =
      diagnostics
      + checked.diagnostics.map { finding in
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
      let document = Document.read(fromIntrospection: try JSONFile.read(source), in: source.id)
      return Parsed(document.value ?? Document(definitions: []), diagnostics: document.diagnostics)
    } catch {
      return Parsed(Document(definitions: []), diagnostics: error.diagnostics)
    }
  }
}
