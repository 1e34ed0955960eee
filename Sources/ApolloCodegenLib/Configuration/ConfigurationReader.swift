import ApolloSwiftRenderer
import GraphQLJSON
public import GraphQLSyntax

extension ApolloCodegenConfiguration {
  /// Reads a configuration file.
  ///
  /// A key of Apollo iOS that has no effect here is a warning; an unknown key is an error.
  public static func read(_ source: Source) -> Parsed<ApolloCodegenConfiguration?> {
    do throws(DiagnosticsError) {
      let parsed = try JSONFile.readWithTrailingCommas(source), root = parsed.value
      var checker = ConfigurationKeyChecker(diagnostics: parsed.diagnostics)
      checker.check(ConfigurationNode(path: "", node: root, source: source.id), against: .root)
      guard !checker.diagnostics.hasErrors else { return Parsed(nil, diagnostics: checker.diagnostics) }
      var reader = ConfigurationReader(root: ConfigurationNode(path: "", node: root, source: source.id))
      var configuration = try reader.read()
      configuration.file = ConfigurationFile(source: source, places: checker.places)
      return Parsed(configuration, diagnostics: checker.diagnostics + reader.warnings)
    } catch {
      return Parsed(nil, diagnostics: error.diagnostics)
    }
  }
}

struct ConfigurationReader {
  let root: ConfigurationNode
  var warnings: [Diagnostic] = []

  init(root: ConfigurationNode) { self.root = root }

  mutating func read() throws(DiagnosticsError) -> ApolloCodegenConfiguration {
    var configuration = ApolloCodegenConfiguration()
    var name = current("schemaNamespace", older: "schemaName")
    if name == nil { name = try root.required("schemaNamespace") }
    if let name { configuration.schemaNamespace = try schemaNamespace(name) }
    if let input = root["input"] { try read(input, into: &configuration.input) }
    configuration.output = try output(root.required("output"))
    if let options = root["options"] { try read(options, into: &configuration) }
    if let node = root["experimentalFeatures"]?["legacySafelistingCompatibleOperations"] {
      configuration.isCompatibleWithLegacySafelists = try node.boolean()
    }
    if let node = root["experimentalFeatures"]?["fieldMerging"] {
      configuration.rendering.mergesNamedFragments = try mergesNamedFragments(node)
    }
    if let node = current("schemaDownload", older: "schemaDownloadConfiguration") {
      configuration.schemaDownload = try schemaDownload(node)
    }
    let identifiers = root["output"]?["operationIdentifiersPath"]
    if let node = root["operationManifest"] {
      configuration.operationManifest = try operationManifest(node)
      if let identifiers { warn(identifiers, "\"operationManifest\" says what counts.") }
    } else if let identifiers {
      configuration.operationManifest = .init(path: try manifestPath(identifiers), version: .legacy)
    }
    return configuration
  }

  /// The value of a key that also has an older name.
  private mutating func current(_ key: String, older: String) -> ConfigurationNode? {
    guard let value = root[key] else { return root[older] }
    if let older = root[older] { warn(older, "\"\(key)\" says what counts.") }
    return value
  }

  /// Reports that a value has no effect.
  mutating func warn(_ node: ConfigurationNode, _ reason: String) {
    warnings.append(Diagnostic(ineffective: node.path, because: reason, at: node.span))
  }

  /// What inline fragments share is a part of how they are read, so only the fields of named fragments can be left out.
  private mutating func mergesNamedFragments(_ node: ConfigurationNode) throws(DiagnosticsError) -> Bool {
    var merged: Set<String> = []
    for element in try node.list() {
      merged.insert(try element.choice(["all", "ancestors", "siblings", "namedFragments"].map { ($0, $0) }))
    }
    guard !merged.contains("all") else { return true }
    for name in ["ancestors", "siblings"] where !merged.contains(name) {
      let what = name == "ancestors" ? "the selection around it" : "inline fragments beside it that apply as well"
      warnings.append(
        Diagnostic(
          .ignoredConfigurationKey, severity: .warning,
          "\"\(node.path)\" cannot leave out \"\(name)\": an inline fragment always has the fields of \(what).",
          at: node.span))
    }
    return merged.contains("namedFragments")
  }

  private func schemaNamespace(_ node: ConfigurationNode) throws(DiagnosticsError) -> String {
    let name = try node.string()
    guard let first = name.first, first.isLetter || first == "_",
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    else { throw node.error("\"\(name)\" cannot be the name of a module or a type.") }
    if ["schema", "apolloapi", "apollo"].contains(name.lowercased()) {
      throw node.error("The schema cannot be named \"\(name)\".", help: "The name is in use by the client itself.")
    }
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  private func read(
    _ node: ConfigurationNode, into input: inout ApolloCodegenConfiguration.Input
  ) throws(DiagnosticsError) {
    if let paths = try node["schemaSearchPaths"]?.strings() { input.schemaSearchPaths = paths }
    if let paths = try node["operationSearchPaths"]?.strings() { input.operationSearchPaths = paths }
    if let size = try node["maximumSchemaSize"]?.limit() { input.maximumSchemaSize = size }
    if let depth = try node["maximumDepth"]?.limit() { input.maximumDepth = depth }
  }

  // MARK: - Output

  private mutating func output(_ node: ConfigurationNode) throws(DiagnosticsError) -> ApolloCodegenConfiguration.Output
  {
    var output = ApolloCodegenConfiguration.Output()
    let schemaTypes = try node.required("schemaTypes")
    output.path = try schemaTypes.required("path").string()
    output.moduleType = try moduleType(schemaTypes.required("moduleType"))
    if let operations = node["operations"] {
      output.operations = try self.operations(operations, moduleType: output.moduleType)
    }
    if let mocks = node["testMocks"] {
      output.testMocks = try testMocks(mocks, moduleType: output.moduleType)
      output.mocksFollowSchema = mocks["absolute"].map { $0["accessModifier"] == nil } ?? false
    }
    return output
  }

  private mutating func moduleType(_ node: ConfigurationNode) throws(DiagnosticsError)
    -> ApolloCodegenConfiguration.ModuleType
  {
    if let target = node["embeddedInTarget"] {
      let name = try target.required("name")
      let text = try name.string()
      if ["apollo", "apolloapi"].contains(text.lowercased()) {
        throw name.error("The target cannot be named \"\(text)\".", help: "The name is in use by the client itself.")
      }
      return .embeddedInTarget(name: text, accessLevel: try accessLevel(target, default: .internal))
    }
    if let module = node["sameModule"] {
      return .sameModule(accessLevel: try accessLevel(module, default: .internal))
    }
    if let package = node["swiftPackage"] { return .swiftPackage(try dependency(package["apolloSDKDependency"])) }
    if node["swiftPackageManager"] != nil { return .swiftPackage(.standard) }
    if node["other"] != nil { return .other }
    throw node.error(
      "\"\(node.path)\" should have the key \"embeddedInTarget\", \"sameModule\", \"swiftPackage\", or \"other\".")
  }

  private func operations(
    _ node: ConfigurationNode, moduleType: ApolloCodegenConfiguration.ModuleType
  ) throws(DiagnosticsError) -> ApolloCodegenConfiguration.OperationsOutput {
    // Public code cannot mention internal types.
    let level = moduleType.accessLevel
    if let relative = node["relative"] {
      return .relative(
        subpath: try relative["subpath"]?.string(), accessLevel: try accessLevel(relative, default: level))
    }
    if let absolute = node["absolute"] {
      return .absolute(
        path: try absolute.required("path").string(), accessLevel: try accessLevel(absolute, default: level))
    }
    if node["inSchemaModule"] != nil { return .inSchemaModule }
    throw node.error("\"\(node.path)\" should have the key \"inSchemaModule\", \"relative\", or \"absolute\".")
  }

  private func testMocks(
    _ node: ConfigurationNode, moduleType: ApolloCodegenConfiguration.ModuleType
  ) throws(DiagnosticsError) -> ApolloCodegenConfiguration.TestMocks {
    if let absolute = node["absolute"] {
      return .absolute(
        path: try absolute.required("path").string(), accessLevel: try accessLevel(absolute, default: .public))
    }
    if let package = node["swiftPackage"] {
      guard case .swiftPackage = moduleType else {
        throw node.error(
          "Mocks can be a target of a package only where \"output.schemaTypes.moduleType\" is \"swiftPackage\".",
          help: "Use \"absolute\", and add the files to a target yourself.")
      }
      return .swiftPackage(targetName: try package["targetName"]?.string())
    }
    return .none
  }

  private func accessLevel(
    _ node: ConfigurationNode, default level: RenderingOptions.AccessLevel
  ) throws(DiagnosticsError) -> RenderingOptions.AccessLevel {
    guard let node = node["accessModifier"] else { return level }
    return try node.choice([("internal", .internal), ("public", .public)])
  }
}
