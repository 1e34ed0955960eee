public import Foundation
public import GraphQLSyntax

/// The options that Swift scripts for Apollo iOS 0.x pass to the generator.
///
///     let options = ApolloCodegenOptions(
///       operationIDsURL: root.appendingPathComponent("operations.json"),
///       outputFormat: .multipleFiles(inFolderAtURL: root.appendingPathComponent("API")),
///       customScalarFormat: .passthrough,
///       urlToSchemaFile: root.appendingPathComponent("schema.json"))
///     try ApolloCodegen.run(from: root, with: cliFolder, options: options)
public struct ApolloCodegenOptions: Sendable {
  /// The engine of the generator in Apollo iOS 0.x. It has no effect, because this package has one engine.
  public enum CodeGenerationEngine: Sendable {
    case typescript, swiftExperimental
    /// The engine that was the default.
    public static let `default` = CodeGenerationEngine.typescript
  }

  /// How many files are written.
  public enum OutputFormat: Sendable {
    /// All code is written to one file.
    case singleFile(atFileURL: URL)
    /// One file for each document is written to a folder.
    case multipleFiles(inFolderAtURL: URL)
  }

  /// The Swift types of custom scalars.
  public enum CustomScalarFormat: Sendable {
    /// All custom scalars are `String`.
    case none
    /// The app declares a type with the name of the scalar.
    case passthrough
    /// The app declares a type with the name of the scalar after this prefix.
    case passthroughWithPrefix(String)
  }

  /// The access level of generated types.
  public enum AccessModifier: Sendable {
    case `public`, `internal`, none
  }

  /// A pattern for the files with operations.
  public var includes: String
  /// A pattern for files that are left out; nil for none.
  public var excludes: String?
  /// The access level of generated types.
  public var modifier: AccessModifier
  /// The name of an enum around all generated types; nil for none.
  public var namespace: String?
  /// Whether deprecated cases of enums are left out.
  public var omitDeprecatedEnumCases: Bool
  /// The only file with operations whose code is written; nil for all. All that match ``includes`` are read, and no
  /// files of earlier runs are removed if there is one. It may not match ``excludes``.
  public var only: URL?
  /// The JSON file with all operations by identifier that is written; nil for none. If it is written, the identifiers
  /// are generated as well.
  public var operationIDsURL: URL?
  /// How many files are written.
  public var outputFormat: OutputFormat
  /// The Swift types of custom scalars.
  public var customScalarFormat: CustomScalarFormat
  /// The file with the schema.
  public var urlToSchemaFile: URL
  /// Whether the fields of fragments can be read from the object that has the fragment.
  public var mergeInFieldsFromFragmentSpreads: Bool
  /// Whether the texts of documents are written on one line each.
  public var suppressSwiftMultilineStringLiterals: Bool
  /// The names of parameters that have no effect here, and that were given.
  private var ineffective: [String]

  /// Makes options.
  ///
  /// - Parameters:
  ///   - codegenEngine: Has no effect, which is a warning unless it is the default: this package has one engine.
  ///   - includes: A pattern for the files with operations.
  ///   - excludes: A pattern for files that are left out. nil, the default: none.
  ///   - mergeInFieldsFromFragmentSpreads: Whether the fields of fragments can be read from the object that has the
  ///     fragment. The default is true.
  ///   - modifier: The access level of generated types. The default is `public`.
  ///   - namespace: The name of an enum around all generated types. nil, the default: none.
  ///   - omitDeprecatedEnumCases: Whether deprecated cases of enums are left out. The default is false.
  ///   - only: The only file with operations whose code is written; all that match `includes` are read. nil, the
  ///     default: the code of all is written.
  ///   - operationIDsURL: The JSON file with all operations by identifier to write. nil, the default: none.
  ///   - outputFormat: How many files are written.
  ///   - customScalarFormat: The Swift types of custom scalars. By default they are `String`.
  ///   - suppressSwiftMultilineStringLiterals: Whether the texts of documents are written on one line each. The default
  ///     is false.
  ///   - urlToSchemaFile: The file with the schema.
  ///   - downloadTimeout: Has no effect, which is a warning unless it is the default: nothing is downloaded.
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
    self.mergeInFieldsFromFragmentSpreads = mergeInFieldsFromFragmentSpreads
    self.suppressSwiftMultilineStringLiterals = suppressSwiftMultilineStringLiterals
    ineffective =
      (codegenEngine == .default ? [] : ["codegenEngine"]) + (downloadTimeout == 30 ? [] : ["downloadTimeout"])
  }

  /// Makes options for the files of a folder: `schema.graphqls`, or `schema.json` if only that is there; `API.swift`; and
  /// `operationIDs.json`.
  public init(
    targetRootURL folder: URL, codegenEngine: CodeGenerationEngine = .default, downloadTimeout: Double = 30
  ) {
    // Releases up to 0.49 have the first one, later ones the second.
    let schemas = ["schema.json", "schema.graphqls"].map { folder.appendingPathComponent($0) }
    let schema = schemas.last { FileManager.default.fileExists(atPath: $0.path) }
    self.init(
      codegenEngine: codegenEngine, operationIDsURL: folder.appendingPathComponent("operationIDs.json"),
      outputFormat: .singleFile(atFileURL: folder.appendingPathComponent("API.swift")),
      urlToSchemaFile: schema ?? schemas[1], downloadTimeout: downloadTimeout)
  }

  /// The configuration that these options stand for.
  public var configuration: ApolloCodegenConfiguration {
    var configuration = ApolloCodegenConfiguration()
    configuration.input.schemaSearchPaths = [urlToSchemaFile.path]
    configuration.input.operationSearchPaths = [includes] + (excludes.map { ["!" + $0] } ?? [])
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
    configuration.output.onlyDocument = only?.path
    configuration.output.prunesGeneratedFiles = only == nil
    switch customScalarFormat {
    case .none: break
    case .passthrough: configuration.rendering.passthroughScalarPrefix = ""
    case .passthroughWithPrefix(let prefix): configuration.rendering.passthroughScalarPrefix = prefix
    }
    // The names that this generator gave at that time, because an app that keeps its script keeps its names.
    configuration.rendering.naming = .legacy
    configuration.rendering.excludesDeprecatedEnumCases = omitDeprecatedEnumCases
    configuration.rendering.mergesNamedFragments = mergeInFieldsFromFragmentSpreads
    if suppressSwiftMultilineStringLiterals { configuration.rendering.documentLiteralFormat = .singleLine }
    configuration.ineffectiveOptions = ineffective.map { name in
      configuration.ineffective(
        name, because: name == "codegenEngine" ? "This package has one engine." : "Nothing is downloaded.")
    }
    if let operationIDsURL {
      configuration.rendering.operationDocumentFormat = .definitionAndOperationId
      configuration.operationManifest = OperationManifest.Configuration(
        path: operationIDsURL.path, version: .legacy, generateManifestOnCodeGeneration: true)
    }
    return configuration
  }
}

extension ApolloCodegen {
  /// Generates code, with the parameters of Apollo iOS 0.x.
  ///
  /// - Parameters:
  ///   - folder: The folder that relative paths start from.
  ///   - cliFolderURL: Has no effect: no other program is downloaded.
  ///   - options: What to generate.
  /// - Returns: What was generated, in one line of English, and a line for each option that has no effect.
  /// - Throws: `DiagnosticsError` with everything that is wrong. Then no file was changed.
  @discardableResult
  public static func run(
    from folder: URL, with cliFolderURL: URL? = nil, options: ApolloCodegenOptions
  ) throws(DiagnosticsError) -> String {
    let report = try build(with: options.configuration, withRootURL: folder)
    let counts =
      "\(report.operationCount) operations, \(report.fragmentCount) fragments, \(report.changedFiles.count) files changed"
    return ([counts] + options.configuration.ineffectiveOptions.map(\.message)).joined(separator: "\n")
  }

  /// Generates code, under the name that this has in Apollo iOS 1. The configuration is that of this package.
  ///
  /// - Parameters:
  ///   - configuration: What to generate, and where.
  ///   - rootURL: The folder that relative paths start from. nil, the default: the current folder.
  /// - Returns: What was found, and what was written.
  /// - Throws: `DiagnosticsError` with everything that is wrong. Then no file was changed.
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

/// Downloads schemas, under the name that this has in Apollo iOS 1. The configuration is that of this package.
public enum ApolloSchemaDownloader {
  /// Downloads a schema and writes it to a file.
  ///
  /// - Parameters:
  ///   - configuration: Where the schema comes from and goes to.
  ///   - rootURL: The folder that relative paths start from. nil, the default: the current folder.
  /// - Throws: `DiagnosticsError` with everything that is wrong. Then no file was changed.
  public static func fetch(
    configuration: SchemaDownloadConfiguration, withRootURL rootURL: URL? = nil
  ) throws(DiagnosticsError) {
    let root = rootURL ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let report = SchemaDownloader(configuration, root: root).download()
    if report.hasErrors { throw DiagnosticsError(report.diagnostics) }
  }
}

/// The name of ``SchemaDownloadConfiguration`` in Apollo iOS 1.
public typealias ApolloSchemaDownloadConfiguration = SchemaDownloadConfiguration
