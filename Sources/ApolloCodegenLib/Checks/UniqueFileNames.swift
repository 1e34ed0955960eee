import GraphQLSyntax

extension ClientRule {
  /// Each document becomes a Swift file of its name, and files of one module need different names.
  static let uniqueFileNames = ClientRule { context in
    var first: [String: Source] = [:]
    var diagnostics: [Diagnostic] = []
    for source in context.sources {
      let name = source.name.lastPathComponent.swiftFileName
      if name.lowercased() == "schema.graphql.swift" {
        diagnostics.append(
          Diagnostic(
            .duplicateFileName, "\"\(source.name)\" would become \"\(name)\", which is the file of the schema's types.",
            at: SourceSpan(source: source.id, start: 0, end: 0), help: "Rename it."))
        continue
      }
      guard let other = first[name.lowercased()] else {
        first[name.lowercased()] = source
        continue
      }
      diagnostics.append(
        Diagnostic(
          .duplicateFileName,
          "\"\(source.name)\" and \"\(other.name)\" would both become \"\(name)\", and a module cannot have two files "
            + "of one name.",
          at: SourceSpan(source: source.id, start: 0, end: 0),
          labels: [.init("the other file", at: SourceSpan(source: other.id, start: 0, end: 0))],
          help: "Rename one of them."))
    }
    return diagnostics
  }
}
