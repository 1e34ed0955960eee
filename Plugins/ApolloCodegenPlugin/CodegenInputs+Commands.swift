import Foundation
import PackagePlugin

extension CodegenInputs {
  /// One command for the whole target: a fragment of one file may be used in another. It leaves files alone that do
  /// not change, so the compiler sees only those that do.
  func commands(tool: URL, output: URL) -> [Command] {
    let hasSchemaTypesOnly = schemaModule == targetName
    guard !operations.isEmpty || hasSchemaTypesOnly else {
      Diagnostics.warning("\"\(targetName)\" has no .graphql files to generate code for.")
      return []
    }
    var arguments = ["generate", "--diagnostics", "xcode", "--quiet", "--output", output.path] + inputArguments
    var names = Set(DocumentFileNames.names(of: operations.map(\.path)))
    if hasSchemaTypesOnly {
      if !operations.isEmpty {
        Diagnostics.warning(
          "\"\(targetName)\" has the schema's types only, as \(configuration?.lastPathComponent ?? "") says: no code is "
            + "generated for its operations. Move them to another target.")
      }
      names = []
      arguments += ["--only", "schema-types"]
    } else {
      arguments += ["--operations"] + operations.map(\.path)
      if schemaModule != nil { arguments += ["--only", "operations"] }
    }
    if hasSchemaTypesOnly || schemaModule == nil { names.insert(DocumentFileNames.schema) }
    guard !Self.clashes(generatedFiles, with: names, in: targetName) else { return [] }
    return [
      .buildCommand(
        displayName: "Generating GraphQL code for \(targetName)", executable: tool, arguments: arguments,
        inputFiles: inputFiles, outputFiles: names.sorted().map { output.appendingPathComponent($0) })
    ]
  }

  /// Whether files of the target have the names of files that the plugin generates: the package manager would complain
  /// of each of them, and not say why.
  static func clashes(_ files: [URL], with names: Set<String>, in target: String) -> Bool {
    let generated = Set(names.map { $0.lowercased() })
    let clashing = files.filter { generated.contains($0.lastPathComponent.lowercased()) }
    for file in clashing {
      Diagnostics.error(
        "\(file.path) stands in the way of what the plugin ApolloCodegenPlugin generates for \"\(target)\", which has a "
          + "file of this name. Remove the file, or remove the plugin from the target.")
    }
    return !clashing.isEmpty
  }
}
