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
  /// Whether files are replaced that no generator wrote. The default is false: such a file in the place of a generated
  /// one is an error, and nothing is written.
  public var replacesForeignFiles = false
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

    fileprivate init(_ inputs: InputFiles, _ configuration: ApolloCodegenConfiguration) {
      diagnostics = inputs.diagnostics
      sources = SourceMap(inputs.schema + inputs.operations + (configuration.file.map { [$0.source] } ?? []))
      schemaSources = Set(inputs.schema.map(\.id))
    }
  }

  /// Reads schema and operations, and writes Swift. If there is an error, nothing is written.
  public func generate() -> Report {
    run { clock, inputs, report in
      guard let output = output(of: inputs, clock, &report) else { return }
      clock.measure("write") {
        do throws(DiagnosticsError) {
          (report.changedFiles, report.removedFiles) = try output.write()
        } catch {
          report.diagnostics += error.diagnostics
        }
      }
    }
  }

  /// Finds the files that ``generate()`` would change. It writes nothing.
  public func findStaleFiles() -> Report {
    run { clock, inputs, report in
      guard let output = output(of: inputs, clock, &report) else { return }
      clock.measure("compare") {
        do throws(DiagnosticsError) {
          report.staleFiles = try output.stale()
        } catch {
          report.diagnostics += error.diagnostics
        }
      }
    }
  }

  /// Checks the schema and the operations. It writes nothing.
  public func validate() -> Report {
    run { clock, inputs, report in
      let result = Pipeline.check(
        schema: inputs.schema, operations: inputs.operations, configuration: configuration(with: inputs), clock: clock)
      report.diagnostics += result.diagnostics
      guard let document = result.value?.document.value else { return }
      report.operationCount = document.operations.reduce(0) { count, _ in count + 1 }
      report.fragmentCount = document.fragments.reduce(0) { count, _ in count + 1 }
    }
  }

  /// Reads schema and operations, and writes only the manifest of all operations.
  public func generateOperationManifest() -> Report {
    run { clock, inputs, report in
      guard let file = configuration.operationManifest else {
        report.diagnostics.append(
          Diagnostic(
            .invalidConfiguration, "The configuration does not say where the manifest goes.", at: .none,
            help: "Add the key \"operationManifest\", or give --output."))
        return
      }
      guard let code = code(of: inputs, clock, &report) else { return }
      report.operationCount = code.manifest.count
      clock.measure("write") {
        do throws(DiagnosticsError) {
          let output = try OutputFiles(
            manifest: code.manifest, as: file, configuration, with: writer, in: allowedFolder)
          report.files = output.files.map(\.path)
          (report.changedFiles, report.removedFiles) = try output.write()
        } catch {
          report.diagnostics += error.diagnostics
        }
      }
    }
  }

  // MARK: - Stages

  /// Reads the files, and does what a run is for if that went well.
  private func run(_ body: (StageClock, InputFiles, inout Report) -> Void) -> Report {
    let clock = StageClock(onStage: onStage)
    let inputs = clock.measure("read") {
      InputFiles(
        configuration, base: root.path, namesAbsolutePaths: namesAbsolutePaths, writingIn: allowedFolder,
        isFileForPeople: OutputLayout(configuration, base: root.path).isFileForPeople)
    }
    var report = Report(inputs, configuration)
    if !report.hasErrors { body(clock, inputs, &report) }
    report.stages = clock.durations
    return report
  }

  /// The generated code; nil if there are errors.
  private func code(of inputs: InputFiles, _ clock: StageClock, _ report: inout Report) -> GeneratedCode? {
    let result = Pipeline.generate(
      schema: inputs.schema, operations: inputs.operations, paths: inputs.paths,
      configuration: configuration(with: inputs), clock: clock)
    report.diagnostics += result.diagnostics
    guard let code = result.value, !report.hasErrors else { return nil }
    report.operationCount = code.operationCount
    report.fragmentCount = code.fragmentCount
    return code
  }

  /// The configuration, and what the app's own files say.
  private func configuration(with inputs: InputFiles) -> ApolloCodegenConfiguration {
    var configuration = configuration
    configuration.output.providedFiles = inputs.providedFiles
    if inputs.makesKeysByCode { configuration.notesMissingKeyFields = false }
    return configuration
  }

  /// The files to write; nil if there are errors.
  private func output(of inputs: InputFiles, _ clock: StageClock, _ report: inout Report) -> OutputFiles? {
    guard var code = code(of: inputs, clock, &report) else { return nil }
    report.diagnostics += configuration.notesOnManifest
    if let only = configuration.output.onlyDocument.map({ FileSet([Glob.normalized($0, base: root.path)]) }) {
      code.removeDocuments { !(inputs.paths[$0].map(only.contains) ?? false) }
    }
    return clock.measure("lay out") {
      do throws(DiagnosticsError) {
        let output = try OutputFiles(code, of: inputs, configuration, with: writer, in: allowedFolder)
        report.files = output.files.map(\.path)
        report.diagnostics += output.diagnostics
        return output
      } catch {
        report.diagnostics += error.diagnostics
        return nil
      }
    }
  }

  private var writer: FileWriter { FileWriter(root: root.path, replacesForeignFiles: replacesForeignFiles) }

  // MARK: - Files

  /// The paths of the files that match patterns, sorted. See ``ApolloCodegenConfiguration/Input`` for the patterns.
  public static func files(matching patterns: [String], in folder: URL) -> [String] {
    var finder = FileSearch(base: folder.path)
    return finder.files(matching: patterns)
  }

  /// The schema and operation files that a run would read, with their state. If two calls give different states, a run
  /// is due.
  public func inputState() -> [String: InputState] {
    var finder = FileSearch(base: root.path)
    let paths =
      finder.files(matching: configuration.input.schemaSearchPaths)
      + finder.files(matching: configuration.input.schemaExtensions)
      + finder.files(matching: configuration.input.operationSearchPaths)
    return Dictionary(paths.map { ($0, InputState(path: $0)) }) { first, _ in first }
  }

  /// The state of a file: it changes when the file is edited.
  public struct InputState: Equatable, Sendable {
    private var modified: Date?
    private var size: Int?

    fileprivate init(path: String) {
      // (The attributes of a symbolic link are its own, and not those of the file.)
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      modified = attributes?[.modificationDate] as? Date
      size = (attributes?[.size] as? NSNumber)?.intValue
    }
  }
}
