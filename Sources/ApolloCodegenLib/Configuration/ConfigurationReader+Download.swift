import GraphQLJSON
import GraphQLSyntax

extension ConfigurationReader {
  func operationManifest(_ node: ConfigurationNode) throws(DiagnosticsError) -> OperationManifest.Configuration {
    OperationManifest.Configuration(
      path: try manifestPath(node.required("path")),
      version: try node["version"]?.choice(OperationManifest.Version.allCases.map { ($0.rawValue, $0) })
        ?? .persistedQueries,
      generateManifestOnCodeGeneration: try node["generateManifestOnCodeGeneration"]?.boolean() ?? false)
  }

  /// The path of a manifest, which always ends in `.json`.
  func manifestPath(_ node: ConfigurationNode) throws(DiagnosticsError) -> String {
    let path = try node.string()
    return path.hasSuffix(".json") ? path : path + ".json"
  }

  func schemaDownload(_ node: ConfigurationNode) throws(DiagnosticsError) -> SchemaDownloadConfiguration {
    let method = try node.required("downloadMethod")
    let source: SchemaDownloadConfiguration.Source
    if let introspection = method["introspection"] {
      source = .introspection(try self.introspection(introspection["_0"] ?? introspection))
    } else if let registry = method["apolloRegistry"] {
      source = .apolloRegistry(try self.registry(registry["_0"] ?? registry))
    } else {
      throw method.error("\"\(method.path)\" should have the key \"introspection\" or \"apolloRegistry\".")
    }
    var download = SchemaDownloadConfiguration(using: source, outputPath: try node.required("outputPath").string())
    if let timeout = node["downloadTimeout"] {
      download.timeout = try timeout.number()
      guard download.timeout > 0 else { throw timeout.error("\"\(timeout.path)\" should be more than 0.") }
    }
    if let size = try node["maximumResponseSize"]?.limit() { download.maximumResponseSize = size }
    if let headers = node["headers"] { download.headers = try self.headers(headers) }
    return download
  }

  private func introspection(
    _ node: ConfigurationNode
  ) throws(DiagnosticsError) -> SchemaDownloadConfiguration.Introspection {
    var introspection = SchemaDownloadConfiguration.Introspection(
      endpointURL: try node.required("endpointURL").string())
    if let get = node["httpMethod"]?["GET"] {
      introspection.httpMethod = .get(queryParameterName: try get["queryParameterName"]?.string() ?? "query")
    }
    if let format = node["outputFormat"] {
      introspection.outputFormat = try format.choice(
        SchemaDownloadConfiguration.Introspection.OutputFormat.allCases.map { ($0.rawValue, $0) })
    }
    if let value = try node["includeDeprecatedInputValues"]?.boolean() {
      introspection.includeDeprecatedInputValues = value
    }
    return introspection
  }

  private func registry(
    _ node: ConfigurationNode
  ) throws(DiagnosticsError) -> SchemaDownloadConfiguration.ApolloRegistry {
    SchemaDownloadConfiguration.ApolloRegistry(
      apiKey: try node["apiKey"]?.string() ?? "", graphID: try node.required("graphID").string(),
      variant: try node["variant"]?.string() ?? "current",
      endpointURL: try node["endpointURL"]?.string() ?? SchemaDownloadConfiguration.ApolloRegistry.defaultEndpointURL)
  }

  /// `[{"key": "…", "value": "…"}]` or `{"…": "…"}`
  private func headers(_ node: ConfigurationNode) throws(DiagnosticsError) -> [SchemaDownloadConfiguration.Header] {
    var headers: [SchemaDownloadConfiguration.Header] = []
    if case .object = node.node.value {
      for (name, value) in try node.members() { headers.append(.init(key: name, value: try value.string())) }
    } else {
      for element in try node.list() {
        for (name, value) in try element.members() where !["key", "value"].contains(name) {
          throw value.error("There is no configuration key \"\(value.path)\".")
        }
        headers.append(
          .init(key: try element.required("key").string(), value: try element.required("value").string()))
      }
    }
    return headers
  }
}
