public import Foundation
public import GraphQLSyntax

/// What Swift scripts of releases 0.x pass to the generator.
///
///     let options = ApolloCodegenOptions(
///       operationIDsURL: root.appendingPathComponent("operations.json"),
///       outputFormat: .multipleFiles(inFolderAtURL: root.appendingPathComponent("API")),
///       customScalarFormat: .passthrough,
///       urlToSchemaFile: root.appendingPathComponent("schema.json"))
///     try ApolloCodegen.run(from: root, with: cliFolder, options: options)
public struct ApolloCodegenOptions: Sendable {
  /// There is one engine, and it needs no other program.
  public enum CodeGenerationEngine: Sendable {
    case typescript, swiftExperimental
    public static let `default` = CodeGenerationEngine.typescript
  }

  public enum OutputFormat: Sendable {
    case singleFile(atFileURL: URL)
    case multipleFiles(inFolderAtURL: URL)
  }

  public enum CustomScalarFormat: Sendable {
    /// All custom scalars are `String`.
    case none
    /// The app declares a type of the scalar's name.
    case passthrough
    /// The app declares a type of the scalar's name with this before.
    case passthroughWithPrefix(String)
  }

  public enum AccessModifier: Sendable {
    case `public`, `internal`, none
  }

  public var includes: String
  public var excludes: String?
  public var modifier: AccessModifier
  public var namespace: String?
  public var omitDeprecatedEnumCases: Bool
  public var only: URL?
  /// Where to write a JSON file of all operations by identifier; the identifiers are generated as well.
  public var operationIDsURL: URL?
  public var outputFormat: OutputFormat
  public var customScalarFormat: CustomScalarFormat
  public var urlToSchemaFile: URL

  /// - Parameters:
  ///   - codegenEngine: Has no effect.
  ///   - mergeInFieldsFromFragmentSpreads: Has no effect: what a fragment selects can always be read from the object.
  ///   - suppressSwiftMultilineStringLiterals: Has no effect: there are none.
  ///   - downloadTimeout: Has no effect: nothing is downloaded.
  public init(
    codegenEngine: CodeGenerationEngine = .default, includes: String = "./**/*.graphql", excludes: String? = nil,
    mergeInFieldsFromFragmentSpreads: Bool = true, modifier: AccessModifier = .public, namespace: String? = nil,
    omitDeprecatedEnumCases: Bool = false, only: URL? = nil, operationIDsURL: URL? = nil, outputFormat: OutputFormat,
    customScalarFormat: CustomScalarFormat = .none, suppressSwiftMultilineStringLiterals: Bool = false,
    urlToSchemaFile: URL, downloadTimeout: Double = 30
  ) {
    self.includes = includes
    self.excludes = excludes
    self.modifier = modifier
    self.namespace = namespace
    self.omitDeprecatedEnumCases = omitDeprecatedEnumCases
    self.only = only
    self.operationIDsURL = operationIDsURL
    self.outputFormat = outputFormat
    self.customScalarFormat = customScalarFormat
    self.urlToSchemaFile = urlToSchemaFile
  }

  /// `schema.json` and `API.swift` in a folder.
  public init(
    targetRootURL folder: URL, codegenEngine: CodeGenerationEngine = .default, downloadTimeout: Double = 30
  ) {
    self.init(
      outputFormat: .singleFile(atFileURL: folder.appendingPathComponent("API.swift")),
      urlToSchemaFile: folder.appendingPathComponent("schema.json"))
  }

  /// The same in the words of today.
  public var configuration: ApolloCodegenConfiguration {
    var configuration = ApolloCodegenConfiguration()
    configuration.input.schemaSearchPaths = [urlToSchemaFile.path]
    configuration.input.operationSearchPaths = [only?.path ?? includes] + (excludes.map { ["!" + $0] } ?? [])
    let accessLevel: RenderingOptions.AccessLevel = if case .public = modifier { .public } else { .internal }
    if let namespace {
      configuration.schemaNamespace = namespace
      configuration.output.moduleType = .embeddedInTarget(name: "", accessLevel: accessLevel)
    } else {
      configuration.output.moduleType = .sameModule(accessLevel: accessLevel)
    }
    switch outputFormat {
    case .singleFile(let file):
      configuration.output.redirect(to: file.deletingLastPathComponent().path)
      configuration.output.singleFile = file.path
    case .multipleFiles(let folder): configuration.output.redirect(to: folder.path)
    }
    switch customScalarFormat {
    case .none: break
    case .passthrough: configuration.rendering.passthroughScalarPrefix = ""
    case .passthroughWithPrefix(let prefix): configuration.rendering.passthroughScalarPrefix = prefix
    }
    // What was generated then: an app that keeps its script keeps its names.
    configuration.rendering.naming = .legacy
    configuration.rendering.excludesDeprecatedEnumCases = omitDeprecatedEnumCases
    if let operationIDsURL {
      configuration.rendering.operationDocumentFormat = .definitionAndOperationId
      configuration.operationManifest = OperationManifest.Configuration(
        path: operationIDsURL.path, version: .legacy, generateManifestOnCodeGeneration: true)
    }
    return configuration
  }
}

extension ApolloCodegen {
  /// Generates code as scripts of releases 0.x ask for it.
  ///
  /// - Parameters:
  ///   - folder: What relative paths start from.
  ///   - cliFolderURL: Has no effect: no other program is downloaded.
  /// - Returns: What was found and done, in one line.
  /// - Throws: ``DiagnosticsError`` with what is wrong; then no file was changed.
  @discardableResult
  public static func run(
    from folder: URL, with cliFolderURL: URL? = nil, options: ApolloCodegenOptions
  ) throws(DiagnosticsError) -> String {
    let report = try build(with: options.configuration, withRootURL: folder)
    return
      "\(report.operationCount) operations, \(report.fragmentCount) fragments, \(report.changedFiles.count) files changed"
  }

  /// Generates code as scripts of releases 1.x ask for it.
  ///
  /// - Parameter rootURL: What relative paths start from; the current folder if it is nil.
  /// - Throws: ``DiagnosticsError`` with what is wrong; then no file was changed.
  @discardableResult
  public static func build(
    with configuration: ApolloCodegenConfiguration, withRootURL rootURL: URL? = nil
  ) throws(DiagnosticsError) -> Report {
    let root = rootURL ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let report = ApolloCodegen(configuration, root: root).generate()
    if report.hasErrors { throw DiagnosticsError(report.diagnostics) }
    return report
  }
}

/// Fetches schemas as scripts of releases 1.x ask for it.
public enum ApolloSchemaDownloader {
  /// - Throws: ``DiagnosticsError`` with what is wrong; then no file was changed.
  public static func fetch(
    configuration: SchemaDownloadConfiguration, withRootURL rootURL: URL? = nil
  ) throws(DiagnosticsError) {
    let root = rootURL ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let report = SchemaDownloader(configuration, root: root).download()
    if report.hasErrors { throw DiagnosticsError(report.diagnostics) }
  }
}

public typealias ApolloSchemaDownloadConfiguration = SchemaDownloadConfiguration
