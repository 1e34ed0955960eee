import Foundation
import PackagePlugin

/// The files that the code of one target is generated from.
struct CodegenInputs {
  let targetName: String
  let operations: [URL]
  let schemas: [URL]
  /// Files in which people say what the schema's types are: `SchemaConfiguration.swift`, and those of custom scalars.
  let provided: [URL]
  let configuration: URL?
  let packageFolder: URL
  /// Where a schema would be found that there is not yet.
  private let expectedSchema: URL
  /// The module of the schema's types, where all targets share one.
  let schemaModule: String?
  /// Swift files in the target that an earlier run of the tool has generated.
  private let generatedFiles: [URL]

  /// - Parameter dependencyFolders: Those of the targets that this one depends on. Their schema is this target's, unless
  ///   it has one itself, or its configuration names one. A target whose own files only add to a schema has none.
  init(targetName: String, files: [URL], targetFolder: URL, packageFolder: URL, dependencyFolders: [URL] = []) {
    self.targetName = targetName
    self.packageFolder = packageFolder
    expectedSchema = targetFolder.appendingPathComponent("schema.graphqls")
    let files = files.filter { !Self.isDocumentation($0) }
    generatedFiles = files.filter { $0.lastPathComponent.hasSuffix(".graphql.swift") }
    operations = files.filter { $0.pathExtension == "graphql" }.sorted { $0.path < $1.path }
    configuration = Self.configuration(from: targetFolder, to: packageFolder)
    schemaModule = configuration.flatMap(Self.schemaModule)
    // Where the schema's types are in a target of their own, operations have to know of its files.
    provided =
      (files + (schemaModule.map { $0 != targetName } ?? false ? dependencyFolders.flatMap(Self.files) : []))
      .filter(Self.isProvided).sorted { $0.path < $1.path }
    let own = files.filter(Self.isSchema).sorted { $0.path < $1.path }
    let isConfigured = configuration.map { Self.schemaSearchPaths(of: $0) != nil } ?? false
    let isComplete = own.contains(where: Self.hasQueryType)
    schemas = (isComplete || isConfigured ? [] : dependencyFolders.flatMap(Self.schemaFiles)) + own
  }

  /// The configuration in the target's folder, or in the nearest folder above it within the package.
  private static func configuration(from targetFolder: URL, to packageFolder: URL) -> URL? {
    var folders = [targetFolder.standardizedFileURL]
    while folders[folders.count - 1].path.hasPrefix(packageFolder.standardizedFileURL.path + "/") {
      folders.append(folders[folders.count - 1].deletingLastPathComponent())
    }
    return folders.map { $0.appendingPathComponent("apollo-codegen-config.json") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Whether a file says which type queries start at: only a whole schema does.
  private static func hasQueryType(_ file: URL) -> Bool {
    guard file.pathExtension == "graphqls" else { return true }
    return SchemaText.hasQueryType((try? String(contentsOf: file, encoding: .utf8)) ?? "")
  }

  private static func isSchema(_ file: URL) -> Bool {
    file.pathExtension == "graphqls" || file.lastPathComponent == "schema.json"
  }

  /// Whether a file belongs to a documentation catalog, which may have code that is shown and not built.
  private static func isDocumentation(_ file: URL) -> Bool {
    file.pathComponents.contains { $0.hasSuffix(".docc") }
  }

  private static func isProvided(_ file: URL) -> Bool {
    file.lastPathComponent == "SchemaConfiguration.swift"
      || file.pathExtension == "swift" && file.deletingLastPathComponent().lastPathComponent == "CustomScalars"
  }

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

  /// What tells the tool where schema, configuration and provided files are.
  ///
  /// Without a schema the tool says so when the target is built. An error of the plugin would also stop the tool that
  /// fetches one.
  var inputArguments: [String] {
    var arguments: [String] = []
    if let configuration { arguments += ["--path", configuration.path] }
    let schemas = schemas.isEmpty && configuration == nil ? [expectedSchema] : schemas
    if !schemas.isEmpty { arguments += ["--schema"] + schemas.map(\.path) }
    if !provided.isEmpty { arguments += ["--provided"] + provided.map(\.path) }
    return arguments
  }

  /// The files after whose changes the tool has to run.
  var inputFiles: [URL] {
    operations + (schemas.isEmpty ? configuredSchemas : schemas) + (configuration.map { [$0] } ?? [])
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

  /// The schema files that the configuration may mean. Those it does not mean do no harm: the command only runs more
  /// often than it has to.
  private var configuredSchemas: [URL] {
    guard let configuration else { return [] }
    let paths = Self.schemaSearchPaths(of: configuration) ?? ["**/*.graphqls"]
    let folder = configuration.deletingLastPathComponent()
    let named = paths.filter { !$0.contains("*") && !$0.contains("?") && !$0.hasPrefix("!") }
      .map { URL(fileURLWithPath: $0, relativeTo: folder).standardizedFileURL }
    return named.count == paths.count ? named : named + Self.schemaFiles(below: packageFolder)
  }

  /// nil if the configuration does not say.
  private static func schemaSearchPaths(of configuration: URL) -> [String]? {
    (content(of: configuration)["input"] as? [String: Any])?["schemaSearchPaths"] as? [String]
  }

  /// The module that the schema's types are in, if the configuration puts operations elsewhere: the module type `other`
  /// with operations that are `relative` or `absolute`.
  private static func schemaModule(of configuration: URL) -> String? {
    let root = content(of: configuration)
    let output = root["output"] as? [String: Any]
    let moduleType = (output?["schemaTypes"] as? [String: Any])?["moduleType"] as? [String: Any]
    let operations = output?["operations"] as? [String: Any]
    guard moduleType?["other"] != nil, let operations, operations["inSchemaModule"] == nil else { return nil }
    return root["schemaNamespace"] as? String
  }

  private static func content(of configuration: URL) -> [String: Any] {
    let data = try? Data(contentsOf: configuration)
    // The generator warns of a comma too many. Elsewhere Foundation reads it without being asked.
    #if canImport(Darwin)
      let options = JSONSerialization.ReadingOptions.json5Allowed
    #else
      let options: JSONSerialization.ReadingOptions = []
    #endif
    return data.flatMap { try? JSONSerialization.jsonObject(with: $0, options: options) as? [String: Any] } ?? [:]
  }

  private static func schemaFiles(below folder: URL) -> [URL] {
    files(below: folder).filter(isSchema).sorted { $0.path < $1.path }
  }

  private static func files(below folder: URL) -> [URL] {
    let entries = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return entries?.compactMap { $0 as? URL }.filter { !isDocumentation($0) } ?? []
  }
}
