public import Foundation
public import GraphQLSyntax
import GraphQLValidation

/// Runs the generator on files: it reads a schema and operations, and writes Swift.
public struct ApolloCodegen {
  /// What to generate, and where.
  public let configuration: ApolloCodegenConfiguration
  /// The folder that relative paths in the configuration start from.
  public let root: URL
  /// The only folder that may be written to; nil, the default, for no limit.
  public var allowedFolder: URL?
  /// Called when a stage of a run begins, with the stage's name as in ``Report/stages``. nil, the default: nothing is
  /// called.
  public var onStage: ((String) -> Void)?
  private let namesAbsolutePaths: Bool

  /// Makes a generator.
  ///
  /// - Parameters:
  ///   - configuration: What to generate, and where.
  ///   - root: The folder that relative paths in the configuration start from.
  ///   - namesAbsolutePaths: Whether diagnostics name files by absolute paths, as Xcode needs it. The default is false:
  ///     the paths are relative to the current folder.
  public init(_ configuration: ApolloCodegenConfiguration, root: URL, namesAbsolutePaths: Bool = false) {
    self.configuration = configuration
    self.root = root.standardizedFileURL.absoluteURL
    self.namesAbsolutePaths = namesAbsolutePaths
  }

  /// The result of a run: what was found, and what was written.
  public struct Report: Sendable {
    /// What is wrong with the configuration, the schema or the operations.
    public var diagnostics: [Diagnostic]
    /// The texts that the diagnostics are about.
    public var sources: SourceMap
    /// Which of the sources the schema consists of. Authors of operations usually cannot change the schema, so its
    /// warnings can be summarized.
    public var schemaSources: Set<Source.ID> = []
    /// The number of operations.
    public var operationCount = 0
    /// The number of fragments.
    public var fragmentCount = 0
    /// The paths of all files that belong to the configuration.
    public var files: [String] = []
    /// The paths of the files that were written, because they were missing or different.
    public var changedFiles: [String] = []
    /// The paths of files of earlier runs that were removed, because this run no longer generates them.
    public var removedFiles: [String] = []
    /// The files that ``ApolloCodegen/findStaleFiles()`` found; empty after other runs.
    public var staleFiles: [StaleFile] = []
    /// The names of the stages in order, with the time that each took.
    public var stages: [(stage: String, duration: Duration)] = []

    /// Whether one of the diagnostics is an error.
    public var hasErrors: Bool { diagnostics.hasErrors }

    fileprivate init(_ inputs: Inputs, _ configuration: ApolloCodegenConfiguration) {
      diagnostics = inputs.diagnostics
      sources = SourceMap(inputs.schema + inputs.operations + (configuration.file.map { [$0.source] } ?? []))
      schemaSources = Set(inputs.schema.map(\.id))
    }
  }

  /// Reads schema and operations, and writes Swift. If there is an error, nothing is written.
  public func generate() -> Report {
    var clock = StageClock(onStage: onStage)
    var (report, output) = prepare(&clock)
    if let output {
      clock.measure("write") {
        do throws(DiagnosticsError) {
          report.changedFiles = try FileWriter().write(output.files.map { ($0.path, Data($0.text.utf8)) })
          report.removedFiles = FileWriter().remove(output.obsolete)
        } catch {
          report.diagnostics += error.diagnostics
        }
      }
    }
    report.stages = clock.durations
    return report
  }

  /// Finds the files that ``generate()`` would change. It writes nothing.
  public func findStaleFiles() -> Report {
    var clock = StageClock(onStage: onStage)
    var (report, output) = prepare(&clock)
    if let output {
      report.staleFiles = clock.measure("compare") {
        output.files.compactMap { StaleFile($0) } + output.obsolete.map { StaleFile(obsolete: $0) }
      }
    }
    report.stages = clock.durations
    return report
  }

  /// Checks the schema and the operations. It writes nothing.
  public func validate() -> Report {
    var clock = StageClock(onStage: onStage)
    let inputs = clock.measure("read") { readInputs() }
    var report = Report(inputs, configuration)
    guard !report.hasErrors else { return report }
    let result = Pipeline.check(inputs.schema, inputs.operations, configuration, &clock)
    report.diagnostics += result.diagnostics
    report.stages = clock.durations
    if let document = result.value?.document.value {
      report.operationCount = document.operations.reduce(0) { count, _ in count + 1 }
      report.fragmentCount = document.fragments.reduce(0) { count, _ in count + 1 }
    }
    return report
  }

  /// Reads schema and operations, and writes only the manifest of all operations.
  public func generateOperationManifest() -> Report {
    var clock = StageClock(onStage: onStage)
    let inputs = clock.measure("read") { readInputs() }
    var report = Report(inputs, configuration)
    guard !report.hasErrors else { return report }
    guard let file = configuration.operationManifest else {
      report.diagnostics.append(
        Diagnostic(
          .invalidConfiguration, "The configuration does not say where the manifest goes.", at: .none,
          help: "Add the key \"operationManifest\", or give --output."))
      return report
    }
    let result = Pipeline.generate(inputs.schema, inputs.operations, paths: inputs.paths, configuration, &clock)
    report.diagnostics += result.diagnostics
    guard let code = result.value, !report.hasErrors else { return report }
    report.operationCount = code.manifest.count
    let layout = OutputLayout(configuration, base: root.path)
    let manifest = OutputFile(path: layout.absolute(file.path), text: code.manifest.text(file.version))
    report.files = [manifest.path]
    do throws(DiagnosticsError) {
      try checkAllowed([manifest])
      report.changedFiles = try FileWriter().write([(manifest.path, Data(manifest.text.utf8))])
    } catch {
      report.diagnostics += error.diagnostics
    }
    report.stages = clock.durations
    return report
  }

  // MARK: - Output

  private struct Output {
    var files: [OutputFile]
    /// Files of earlier runs that this run no longer generates.
    var obsolete: [String]
  }

  /// The files to write; nil if there are errors.
  private func prepare(_ clock: inout StageClock) -> (Report, Output?) {
    let inputs = clock.measure("read") { readInputs() }
    var report = Report(inputs, configuration)
    guard !report.hasErrors else { return (report, nil) }
    var configuration = configuration
    configuration.output.providedFiles = inputs.providedFiles
    let result = Pipeline.generate(inputs.schema, inputs.operations, paths: inputs.paths, configuration, &clock)
    report.diagnostics += result.diagnostics
    guard let code = result.value, !report.hasErrors else { return (report, nil) }
    report.operationCount = code.operationCount
    report.fragmentCount = code.fragmentCount
    let output = clock.measure("lay out") { self.output(code, inputs) }
    report.files = output.files.map(\.path)
    do throws(DiagnosticsError) {
      try checkAllowed(output.files)
    } catch {
      report.diagnostics += error.diagnostics
      return (report, nil)
    }
    return (report, output)
  }

  private func output(_ code: GeneratedCode, _ inputs: Inputs) -> Output {
    let layout = OutputLayout(configuration, base: root.path)
    var files = layout.files(for: code, documentPaths: inputs.paths)
      .filter { !$0.isEditable || !FileManager.default.fileExists(atPath: $0.path) }
    if let manifest = configuration.operationManifest, manifest.generateManifestOnCodeGeneration {
      files.append(OutputFile(path: layout.absolute(manifest.path), text: code.manifest.text(manifest.version)))
    }
    guard configuration.output.prunesGeneratedFiles else { return Output(files: files, obsolete: []) }
    let obsolete = ObsoleteFiles(
      layout: layout, documents: Set(inputs.paths.values), written: files.map(\.path))
    var finder = FileFinder(base: root.path)
    return Output(files: files, obsolete: obsolete.find(beside: inputs.generatedFiles, with: &finder))
  }

  private func checkAllowed(_ files: [OutputFile]) throws(DiagnosticsError) {
    guard let allowed = allowedFolder?.standardizedFileURL.path else { return }
    let outside = files.map(\.path).filter { !$0.hasPrefix(allowed + "/") }
    guard let first = outside.first else { return }
    throw DiagnosticsError([
      Diagnostic(
        .outsideAllowedFolder,
        "\"\(first)\"\(outside.count > 1 ? " and \(outside.count - 1) more" : "") would be written outside of \"\(allowed)\".",
        at: .none,
        help:
          "Change the paths under \"output\" in the configuration, or run apollo-codegen itself: a plugin may write "
          + "to its package only.")
    ])
  }

  // MARK: - Reading

  fileprivate struct Inputs {
    var schema: [Source] = []
    var operations: [Source] = []
    var diagnostics: [Diagnostic] = []
    var paths: [Source.ID: String] = [:]
    /// Files beside the documents that an earlier run may have generated.
    var generatedFiles: [String] = []
    /// See ``ProvidedFiles``.
    var providedFiles: [String] = []
  }

  private func readInputs() -> Inputs {
    var finder = FileFinder(base: root.path)
    var inputs = Inputs()
    let schemaPaths = finder.files(matching: configuration.input.schemaSearchPaths)
    // A pattern such as `**/*.graphql` may match a schema as well.
    let needsOperations = configuration.output.part != .schemaTypes
    let operationPaths = finder.files(matching: needsOperations ? configuration.input.operationSearchPaths : [])
      .filter { !schemaPaths.contains($0) }
    if case .relative = configuration.output.operations, configuration.output.prunesGeneratedFiles {
      inputs.generatedFiles = finder.files(
        matching: configuration.input.operationSearchPaths.filter { !$0.hasPrefix("!") }.map {
          Glob($0, base: root.path).root + "/**/*.graphql.swift"
        })
    }
    if schemaPaths.isEmpty {
      inputs.diagnostics.append(missing(.missingSchema, "schema", configuration.input.schemaSearchPaths))
    }
    if operationPaths.isEmpty, needsOperations {
      inputs.diagnostics.append(missing(.missingOperations, "operation", configuration.input.operationSearchPaths))
    }
    var provided = ProvidedFiles(configuration.output.providedFiles)
    provided.search(for: configuration, base: root.path, with: &finder)
    inputs.providedFiles = provided.files
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

  /// The path relative to the current folder if the file is in there, as people and editors expect it.
  private func displayName(_ path: String) -> String {
    let current = FileManager.default.currentDirectoryPath + "/"
    return !namesAbsolutePaths && path.hasPrefix(current) ? String(path.dropFirst(current.count)) : path
  }

  /// The paths of the files that match patterns, sorted. See ``ApolloCodegenConfiguration/Input`` for the patterns.
  public static func files(matching patterns: [String], in folder: URL) -> [String] {
    var finder = FileFinder(base: folder.path)
    return finder.files(matching: patterns)
  }

  /// All files that a run would read, with their state. If two calls give different states, a run is due.
  public func inputState() -> [String: InputState] {
    var finder = FileFinder(base: root.path)
    let paths =
      finder.files(matching: configuration.input.schemaSearchPaths)
      + finder.files(matching: configuration.input.operationSearchPaths)
    return Dictionary(paths.map { ($0, InputState(path: $0)) }) { first, _ in first }
  }

  /// The state of a file: it changes when the file is edited.
  public struct InputState: Equatable, Sendable {
    private var modified: Date?
    private var size: Int?

    fileprivate init(path: String) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      modified = attributes?[.modificationDate] as? Date
      size = (attributes?[.size] as? NSNumber)?.intValue
    }
  }
}
