import Foundation
import PackagePlugin

/// The files that the mocks of a test target are generated from: those of a target that it depends on.
struct MockInputs {
  private let targetName: String
  /// Swift files of mocks in the test target that an earlier run of the tool has generated.
  private let generatedFiles: [URL]
  private let mocked: [CodegenInputs]

  /// - Parameters:
  ///   - targetName: The test target.
  ///   - files: Its files.
  ///   - dependencies: The targets of the package that it depends on.
  init(targetName: String, files: [URL], mocked dependencies: [CodegenInputs]) {
    self.targetName = targetName
    generatedFiles = files.filter { $0.lastPathComponent.hasSuffix("Mock.graphql.swift") }
    mocked = dependencies.filter { !$0.operations.isEmpty }
  }

  /// One command, which writes one file: which mocks there are is known only when it runs.
  func commands(tool: URL, output: URL) -> [Command] {
    guard let first = mocked.first else {
      Diagnostics.warning(
        "\"\(targetName)\" has no .graphql files to generate code for, and depends on no target of this package that has "
          + "some to generate mocks for.")
      return []
    }
    // Operations of targets that share the types of one schema have one set of mocks.
    let shared = first.schemaModule.map { module in mocked.filter { $0.schemaModule == module } } ?? [first]
    if shared.count < mocked.count {
      let others = mocked.filter { target in !shared.contains { $0.targetName == target.targetName } }
      Diagnostics.warning(
        "\"\(targetName)\" depends on several targets with .graphql files. There are mocks for \"\(first.targetName)\", "
          + "and none for \(others.map { "\"\($0.targetName)\"" }.joined(separator: ", ")). Divide the tests into "
          + "several targets.")
    }
    guard !hasMocksAlready else { return [] }
    let inputs = first.joined(with: shared.dropFirst())
    let file = output.appendingPathComponent(DocumentFileNames.mocks)
    return [
      .buildCommand(
        displayName: "Generating mocks for \(targetName)", executable: tool,
        arguments: [
          "generate", "--only", "mocks", "--module", first.targetName, "--diagnostics", "xcode", "--quiet", "--output",
          output.path,
        ] + inputs.inputArguments + ["--operations"] + inputs.operations.map(\.path),
        inputFiles: inputs.inputFiles, outputFiles: [file])
    ]
  }

  private var hasMocksAlready: Bool {
    for file in generatedFiles {
      Diagnostics.error(
        "\(file.path) is a mock that was generated into \"\(targetName)\", for which the plugin ApolloCodegenPlugin "
          + "generates mocks as well. Remove the file, or remove the plugin from the target.")
    }
    return !generatedFiles.isEmpty
  }
}
