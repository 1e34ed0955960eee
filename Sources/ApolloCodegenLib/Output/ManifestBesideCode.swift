import GraphQLSyntax

extension ApolloCodegenConfiguration {
  /// The manifest that is written each time code is generated; nil if there is none, or if this run does not have all
  /// operations.
  var manifestBesideCode: OperationManifest.Configuration? {
    hasAllOperations && asksForManifest ? operationManifest : nil
  }

  /// Says why this run does not write the manifest that the configuration asks for. The configuration may be right for
  /// other runs, so it is a note.
  var notesOnManifest: [Diagnostic] {
    guard asksForManifest, !hasAllOperations else { return [] }
    return [
      ineffective(
        "operationManifest.generateManifestOnCodeGeneration", severity: .note,
        because: "A manifest lists all operations, and this run is for a part of the code.",
        help: "\"apollo-codegen generate-operation-manifest\" writes it.")
    ]
  }

  private var asksForManifest: Bool { operationManifest?.generateManifestOnCodeGeneration == true }

  private var hasAllOperations: Bool {
    if input.hasOwnManifest { return output.part == .all || output.part == .operations }
    return output.part == .all && !input.hasOtherSearchPaths
  }
}
