public import Foundation
public import GraphQLSyntax
import GraphQLValidation

/// Runs the generator on files.
public struct ApolloCodegen {
  public let configuration: ApolloCodegenConfiguration
  /// The folder that relative paths start from.
  public let root: URL
  private let namesAbsolutePaths: Bool

  /// - Parameters:
  ///   - root: The folder that relative paths of the configuration start from.
  ///   - namesAbsolutePaths: Diagnostics name files by absolute paths, which is what Xcode needs. Otherwise by paths
  ///     relative to the current folder.
  public init(_ configuration: ApolloCodegenConfiguration, root: URL, namesAbsolutePaths: Bool = false) {
    self.configuration = configuration
    self.root = root.standardizedFileURL.absoluteURL
    self.namesAbsolutePaths = namesAbsolutePaths
  }

  /// What a run found and did.
  public struct Report: Sendable {
    public var diagnostics: [Diagnostic]
    /// The texts that the diagnostics are about.
    public var sources: SourceMap
    public var operationCount = 0
    public var fragmentCount = 0
    /// All files that belong to this configuration.
    public var files: [String] = []
    /// Those that were written, as they were not there or different.
    public var changedFiles: [String] = []
    /// Those that an earlier run wrote and nothing stands for any more.
    public var removedFiles: [String] = []

    public var hasErrors: Bool { diagnostics.hasErrors }
  }

  /// Reads schema and operations, and writes Swift. Nothing is written if there is an error.
  public func generate() -> Report {
    let inputs = readInputs()
    var report = Report(diagnostics: inputs.diagnostics, sources: inputs.sourceMap)
    guard !report.hasErrors else { return report }
    let result = Pipeline.generate(
      schema: inputs.schema, operations: inputs.operations, configuration: configuration)
    report.diagnostics += result.diagnostics
    guard let code = result.value, !report.hasErrors else { return report }
    report.operationCount = code.operationCount
    report.fragmentCount = code.fragmentCount

    let layout = OutputLayout(
      output: configuration.output, schemaNamespace: configuration.schemaNamespace, base: root.path)
    let files = layout.files(for: code, documentPaths: inputs.paths)
    report.files = files.map(\.path)
    do throws(DiagnosticsError) {
      report.changedFiles = try FileWriter().write(files)
    } catch {
      report.diagnostics += error.diagnostics
      return report
    }
    if configuration.output.prunesGeneratedFiles {
      let folders = layout.prunedFolders(documentPaths: inputs.operations.compactMap { inputs.paths[$0.id] })
      report.removedFiles = FileWriter().prune(folders, keeping: Set(report.files))
    }
    return report
  }

  /// Looks for mistakes, and writes nothing.
  public func validate() -> Report {
    let inputs = readInputs()
    var report = Report(diagnostics: inputs.diagnostics, sources: inputs.sourceMap)
    guard !report.hasErrors else { return report }
    let result = Pipeline.check(schema: inputs.schema, operations: inputs.operations, configuration: configuration)
    report.diagnostics += result.diagnostics
    if let document = result.value?.document.value {
      report.operationCount = document.operations.reduce(0) { count, _ in count + 1 }
      report.fragmentCount = document.fragments.reduce(0) { count, _ in count + 1 }
    }
    return report
  }

  // MARK: - Reading

  private struct Inputs {
    var schema: [Source] = []
    var operations: [Source] = []
    var diagnostics: [Diagnostic] = []
    var paths: [Source.ID: String] = [:]

    var sourceMap: SourceMap { SourceMap(schema + operations) }
  }

  private func readInputs() -> Inputs {
    let finder = FileFinder(base: root.path)
    var inputs = Inputs()
    let schemaPaths = finder.files(matching: configuration.input.schemaSearchPaths)
    // A pattern such as `**/*.graphql` may match a schema as well.
    let operationPaths = finder.files(matching: configuration.input.operationSearchPaths)
      .filter { !schemaPaths.contains($0) }
    if schemaPaths.isEmpty {
      inputs.diagnostics.append(missing(.missingSchema, "schema", configuration.input.schemaSearchPaths))
    }
    if operationPaths.isEmpty {
      inputs.diagnostics.append(missing(.missingOperations, "operation", configuration.input.operationSearchPaths))
    }
    for path in schemaPaths { read(path, &inputs).map { inputs.schema.append($0) } }
    for path in operationPaths { read(path, &inputs).map { inputs.operations.append($0) } }
    return inputs
  }

  private func missing(_ code: Diagnostic.Code, _ what: String, _ patterns: [String]) -> Diagnostic {
    let list = Suggestions.list(patterns.map { "\"\($0)\"" }, "or")
    return Diagnostic(code, "No \(what) file matches \(list) in \"\(root.path)\".", at: .none)
  }

  private func read(_ path: String, _ inputs: inout Inputs) -> Source? {
    do {
      let source = Source(utf8: try Data(contentsOf: URL(fileURLWithPath: path)), name: displayName(path))
      inputs.paths[source.id] = path
      return source
    } catch {
      inputs.diagnostics.append(
        Diagnostic(.unreadableFile, "\"\(path)\" cannot be read: \(error.localizedDescription)", at: .none))
      return nil
    }
  }

  /// Relative to the current folder where the file is below it, as people and editors expect it.
  private func displayName(_ path: String) -> String {
    let current = FileManager.default.currentDirectoryPath + "/"
    return !namesAbsolutePaths && path.hasPrefix(current) ? String(path.dropFirst(current.count)) : path
  }
}
