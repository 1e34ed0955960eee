import Foundation
import PackagePlugin

/// The files that the code of one target is generated from.
struct CodegenInputs {
  let targetName: String
  let operations: [URL]
  let schemas: [URL]
  let configuration: URL?
  let packageFolder: URL
  /// The module of the schema's types, where all targets share one.
  private let schemaModule: String?

  /// - Parameter dependencyFolders: Those of the targets that this one depends on. Their schema is this target's, unless
  ///   it has one itself, or its configuration names one.
  init(targetName: String, files: [URL], targetFolder: URL, packageFolder: URL, dependencyFolders: [URL] = []) {
    self.targetName = targetName
    self.packageFolder = packageFolder
    operations = files.filter { $0.pathExtension == "graphql" }.sorted { $0.path < $1.path }
    configuration = [targetFolder, packageFolder].map { $0.appendingPathComponent("apollo-codegen-config.json") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    schemaModule = configuration.flatMap(Self.schemaModule)
    let own = files.filter(Self.isSchema).sorted { $0.path < $1.path }
    let isConfigured = configuration.map { Self.schemaSearchPaths(of: $0) != nil } ?? false
    schemas = own.isEmpty && !isConfigured ? dependencyFolders.flatMap(Self.schemaFiles(below:)) : own
  }

  private static func isSchema(_ file: URL) -> Bool {
    file.pathExtension == "graphqls" || file.lastPathComponent == "schema.json"
  }

  /// One command for the whole target: a fragment of one file may be used in another. It leaves files alone that do
  /// not change, so the compiler sees only those that do.
  func commands(tool: URL, output: URL) throws -> [Command] {
    let hasSchemaTypesOnly = schemaModule == targetName
    guard !operations.isEmpty || hasSchemaTypesOnly else {
      Diagnostics.warning("\"\(targetName)\" has no .graphql files to generate code for.")
      return []
    }
    guard !schemas.isEmpty || configuration != nil else {
      Diagnostics.error(
        "There is no schema for \"\(targetName)\". Add a .graphqls file or the schema.json of an introspection query to "
          + "the target or to one that it depends on, or an apollo-codegen-config.json that says where it is.")
      return []
    }
    var arguments = ["generate", "--diagnostics", "xcode", "--quiet", "--output", output.path]
    if let configuration { arguments += ["--path", configuration.path] }
    if !schemas.isEmpty { arguments += ["--schema"] + schemas.map(\.path) }
    // Two files of one name are one output here, and an error of the tool.
    var names = Set(operations.map { $0.lastPathComponent + ".swift" })
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
    if hasSchemaTypesOnly || schemaModule == nil { names.insert("Schema.graphql.swift") }
    return [
      .buildCommand(
        displayName: "Generating GraphQL code for \(targetName)", executable: tool, arguments: arguments,
        inputFiles: operations + (schemas.isEmpty ? configuredSchemas : schemas) + (configuration.map { [$0] } ?? []),
        outputFiles: names.sorted().map { output.appendingPathComponent($0) })
    ]
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
    return data.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] } ?? [:]
  }

  private static func schemaFiles(below folder: URL) -> [URL] {
    guard
      let entries = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    else { return [] }
    return entries.compactMap { $0 as? URL }.filter(isSchema).sorted { $0.path < $1.path }
  }
}
