import Foundation

/// The files that the code of one target is generated from, and what the tool is told of them.
///
/// The tests have a link to this file, because they cannot import a plugin.
struct CodegenInputs {
  let targetName: String
  /// The documents, each once, as the tool reads them. A file of the configured schema is not a document.
  private(set) var operations: [URL]
  private var schemas: [URL]
  /// Whether the schema is the one that the configuration names or finds, to which the files of ``schemas`` add.
  private let addsToConfiguredSchema: Bool
  /// The files of the schema that the configuration names or finds, where ``schemas`` add to it.
  private let configuredSchemas: [URL]
  /// Files in which people say what the schema's types are: `SchemaConfiguration.swift`, and those of custom scalars.
  private(set) var provided: [URL]
  let configuration: URL?
  /// Where a schema would be found that there is not yet.
  private let expectedSchema: URL
  /// The module of the schema's types, where all targets share one.
  let schemaModule: String?
  /// Swift files in the target that an earlier run of the tool has generated.
  let generatedFiles: [URL]

  /// - Parameters:
  ///   - targetName: The target.
  ///   - files: Its files.
  ///   - targetFolder: Its folder.
  ///   - packageFolder: The folder of its package.
  ///   - dependencyFolders: Those of the targets that this one depends on. Their schema is this target's, unless it
  ///     has one itself, or its configuration names one. A target whose own files only add to a schema has none. What
  ///     they add to the schema of the configuration is this target's as well. The default is none.
  init(targetName: String, files: [URL], targetFolder: URL, packageFolder: URL, dependencyFolders: [URL] = []) {
    self.targetName = targetName
    expectedSchema = targetFolder.appendingPathComponent("schema.graphqls")
    let files = files.filter { !Self.isDocumentation($0) }
    generatedFiles = files.filter { $0.lastPathComponent.hasSuffix(".graphql.swift") }
    operations = Self.each(files.filter { $0.pathExtension == "graphql" }.sorted { $0.path < $1.path })
    configuration = Self.configuration(from: targetFolder, to: packageFolder)
    schemaModule = configuration.flatMap(Self.schemaModule)
    // Where the schema's types are in a target of their own, operations have to know of its files.
    provided =
      (files + (schemaModule.map { $0 != targetName } ?? false ? dependencyFolders.flatMap(Self.files(below:)) : []))
      .filter(Self.isProvided).sorted { $0.path < $1.path }
    let own = files.filter(Self.isSchema).sorted { $0.path < $1.path }
    let whole = own.filter(Self.hasQueryType)
    guard let configuration, let searchPaths = Self.schemaSearchPaths(of: configuration) else {
      let others = whole.isEmpty ? dependencyFolders.flatMap(Self.schemaFiles) : []
      schemas = others + own
      let file = whole.isEmpty && !others.contains(where: Self.hasQueryType) ? self.configuration : nil
      addsToConfiguredSchema = file != nil
      configuredSchemas = file.map { Self.files(matching: ["**/*.graphqls"], beside: $0) } ?? []
      return
    }
    let found = Self.files(matching: searchPaths, beside: configuration)
    addsToConfiguredSchema = whole.isEmpty || Self.isOnlySchema(whole, in: found)
    configuredSchemas = addsToConfiguredSchema ? found : []
    let schemaNames = Set(configuredSchemas.map(Self.name))
    operations = operations.filter { !schemaNames.contains(Self.name($0)) }
    // Another configuration means another schema, unless both share the types of one.
    let module = schemaModule
    let dependencies = dependencyFolders.filter { folder in
      let other = Self.configuration(from: folder, to: packageFolder)
      return other == configuration || module != nil && other.flatMap(Self.schemaModule) == module
    }
    schemas = (addsToConfiguredSchema ? dependencies.flatMap { Self.additions(in: $0, to: found) } : []) + own
  }

  /// The inputs of code for several targets that share the types of one schema: these, and beside them the operations of
  /// the others, and what the others add to the schema.
  func joined(with others: some Sequence<CodegenInputs>) -> CodegenInputs {
    var all = self
    for other in others {
      all.operations += other.operations
      all.schemas += other.schemas.filter { !Self.hasQueryType($0) }
      all.provided += other.provided
    }
    all.operations = Self.each(all.operations)
    all.schemas = Self.each(all.schemas)
    all.provided = Self.each(all.provided)
    return all
  }

  /// Files, each once.
  private static func each(_ files: [URL]) -> [URL] {
    var known: Set<String> = []
    return files.filter { known.insert(name($0)).inserted }
  }

  /// Whether a configuration finds the whole schema of a target, and no other one. Several would not go together.
  private static func isOnlySchema(_ whole: [URL], in found: [URL]) -> Bool {
    let names = Set(whole.map(name))
    return names.isSubset(of: found.map(name)) && !found.contains { !names.contains(name($0)) && hasQueryType($0) }
  }

  /// The files of a target that add to a configured schema. If the target has another whole schema, they add to that.
  private static func additions(in folder: URL, to found: [URL]) -> [URL] {
    let files = schemaFiles(below: folder), whole = Set(files.filter(hasQueryType))
    guard Set(whole.map(name)).isSubset(of: found.map(name)) else { return [] }
    return files.filter { !whole.contains($0) }
  }

  /// What tells files apart: a folder may be known by several paths.
  private static func name(_ file: URL) -> String { file.resolvingSymlinksInPath().path }

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
    guard file.pathExtension != "json" else { return true }
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

  /// What tells the tool where schema, configuration and provided files are.
  ///
  /// Without a schema the tool says so when the target is built. An error of the plugin would also stop the tool that
  /// fetches one.
  var inputArguments: [String] {
    var arguments: [String] = []
    if let configuration { arguments += ["--path", configuration.path] }
    let schemas = schemas.isEmpty && configuration == nil ? [expectedSchema] : schemas
    if !schemas.isEmpty {
      arguments += [addsToConfiguredSchema ? "--schema-extensions" : "--schema"] + schemas.map(\.path)
    }
    if !provided.isEmpty { arguments += ["--provided"] + provided.map(\.path) }
    return arguments
  }

  /// The files after whose changes the tool has to run, each once.
  var inputFiles: [URL] {
    Self.each(operations + schemas + configuredSchemas + (configuration.map { [$0] } ?? []))
  }

  /// The files that the tool finds by search paths of a configuration.
  private static func files(matching searchPaths: [String], beside configuration: URL) -> [URL] {
    var finder = FileSearch(base: configuration.deletingLastPathComponent().path)
    return finder.files(matching: searchPaths).map { URL(fileURLWithPath: $0) }
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
    // The tool reads the older key as well, and begins the name in upper case.
    let name = root["schemaNamespace"] as? String ?? root["schemaName"] as? String
    return name.map { $0.prefix(1).uppercased() + $0.dropFirst() }
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
