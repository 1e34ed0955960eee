import ApolloSwiftRenderer
public import GraphQLSyntax

extension ApolloCodegenConfiguration {
  /// Reads a configuration file.
  ///
  /// Keys that mean nothing here are noted; keys that mean nothing anywhere are errors.
  public static func read(_ source: Source) -> Parsed<ApolloCodegenConfiguration?> {
    do throws(DiagnosticsError) {
      let root = try JSONParser<JSONNode>.parse(source)
      var checker = ConfigurationKeyChecker()
      checker.check(root, against: .root, path: "")
      guard !checker.diagnostics.hasErrors else { return Parsed(nil, diagnostics: checker.diagnostics) }
      var reader = ConfigurationReader(root: ConfigurationNode(path: "", node: root))
      let configuration = try reader.read()
      return Parsed(configuration, diagnostics: checker.diagnostics + reader.notes)
    } catch {
      return Parsed(nil, diagnostics: error.diagnostics)
    }
  }
}

/// Compares the keys of a file with those there are.
private struct ConfigurationKeyChecker {
  var diagnostics: [Diagnostic] = []

  mutating func check(_ node: JSONNode, against keys: ConfigurationKeys, path: String) {
    guard case .object(let known) = keys, case .object(let members) = node.kind else { return }
    for member in members {
      let memberPath = path.isEmpty ? member.name : path + "." + member.name
      switch known[member.name] {
      case nil:
        diagnostics.append(
          Diagnostic(
            .unknownConfigurationKey, "There is no configuration key \"\(memberPath)\".", at: member.nameSpan,
            help: Suggestions.didYouMean(Suggestions.similar(to: member.name, among: known.keys))))
      case .ignored(let reason):
        diagnostics.append(
          Diagnostic(
            .ignoredConfigurationKey, severity: .note, "\"\(memberPath)\" has no effect. \(reason)",
            at: member.nameSpan))
      case .value: break
      case .object(let inner): check(member.value, against: .object(inner), path: memberPath)
      }
    }
  }
}

struct ConfigurationReader {
  let root: ConfigurationNode
  var notes: [Diagnostic] = []

  init(root: ConfigurationNode) { self.root = root }

  mutating func read() throws(DiagnosticsError) -> ApolloCodegenConfiguration {
    _ = try root.members()
    var configuration = ApolloCodegenConfiguration()
    if let older = root["schemaName"], root["schemaNamespace"] == nil {
      configuration.schemaNamespace = try schemaNamespace(older)
    } else {
      configuration.schemaNamespace = try schemaNamespace(root.required("schemaNamespace"))
    }
    if let paths = try root["input"]?["schemaSearchPaths"]?.strings() { configuration.input.schemaSearchPaths = paths }
    if let paths = try root["input"]?["operationSearchPaths"]?.strings() {
      configuration.input.operationSearchPaths = paths
    }
    configuration.output = try output(root.required("output"))
    if let options = root["options"] { try read(options, into: &configuration) }
    if let node = root["experimentalFeatures"]?["legacySafelistingCompatibleOperations"] {
      configuration.isCompatibleWithLegacySafelists = try node.boolean()
    }
    if let node = root["schemaDownload"] ?? root["schemaDownloadConfiguration"] {
      configuration.schemaDownload = try schemaDownload(node)
    }
    if let node = root["operationManifest"] { configuration.operationManifest = try operationManifest(node) }
    return configuration
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

  // MARK: - Output

  private func output(_ node: ConfigurationNode) throws(DiagnosticsError) -> ApolloCodegenConfiguration.Output {
    var output = ApolloCodegenConfiguration.Output()
    let schemaTypes = try node.required("schemaTypes")
    output.path = try schemaTypes.required("path").string()
    output.moduleType = try moduleType(schemaTypes.required("moduleType"))
    if let operations = node["operations"] { output.operations = try self.operations(operations) }
    if let mocks = node["testMocks"] { output.testMocks = try testMocks(mocks, moduleType: output.moduleType) }
    return output
  }

  private func moduleType(_ node: ConfigurationNode) throws(DiagnosticsError) -> ApolloCodegenConfiguration.ModuleType {
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
    if node["swiftPackageManager"] != nil { return .swiftPackage(nil) }
    if node["other"] != nil { return .other }
    throw node.error(
      "\"\(node.path)\" should have the key \"embeddedInTarget\", \"sameModule\", \"swiftPackage\", or \"other\".")
  }

  private func dependency(
    _ node: ConfigurationNode?
  ) throws(DiagnosticsError) -> ApolloCodegenConfiguration.PackageDependency? {
    guard let node else { return nil }
    let version = node["sdkVersion"]
    if let local = version?["local"] { return .local(path: try local.required("path").string()) }
    guard let url = try node["url"]?.string() else { return nil }
    for (key, inner, keyword) in [
      ("branch", "name", "branch"), ("commit", "hash", "revision"), ("exact", "version", "exact"),
      ("from", "version", "from"),
    ] {
      if let value = try version?[key]?.required(inner).string() {
        return .remote(url: url, requirement: "\(keyword): \"\(value)\"")
      }
    }
    return .remote(url: url, requirement: "from: \"1.0.0\"")
  }

  private func operations(
    _ node: ConfigurationNode
  ) throws(DiagnosticsError) -> ApolloCodegenConfiguration.OperationsOutput {
    if let relative = node["relative"] {
      return .relative(
        subpath: try relative["subpath"]?.string(), accessLevel: try accessLevel(relative, default: .public))
    }
    if let absolute = node["absolute"] {
      return .absolute(
        path: try absolute.required("path").string(), accessLevel: try accessLevel(absolute, default: .public))
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
