import ApolloDirectives
public import Foundation
import GraphQLJSON
import GraphQLSchema
public import GraphQLSyntax
import GraphQLValidation

/// Downloads a schema and writes it to a file. If the download fails, the file does not change.
public struct SchemaDownloader {
  /// What to download, and the file to write.
  public let configuration: SchemaDownloadConfiguration
  /// The folder that a relative path of the output starts from.
  public let root: URL
  /// Whether the file is replaced even if it is not a downloaded schema. The default is false: such a file is an error.
  public var replacesForeignFiles = false
  /// The only folder that may be written to; nil, the default, for no limit.
  public var allowedFolder: URL?

  /// Makes a downloader.
  ///
  /// - Parameters:
  ///   - configuration: What to download, and the file to write.
  ///   - root: The folder that a relative path of the output starts from.
  public init(_ configuration: SchemaDownloadConfiguration, root: URL) {
    self.configuration = configuration
    self.root = root
  }

  /// The result of a download.
  public struct Report: Sendable {
    /// The errors of the download and of the schema.
    public var diagnostics: [Diagnostic]
    /// The texts that the diagnostics refer to.
    public var sources: SourceMap
    /// The absolute path of the file.
    public var path: String
    /// The number of types in the schema, without those of introspection.
    public var typeCount = 0
    /// The number of bytes in the file.
    public var byteCount = 0
    /// Whether the file did not exist or had other contents.
    public var isChanged = false

    /// Whether the download failed.
    public var hasErrors: Bool { diagnostics.hasErrors }
  }

  /// Downloads the schema and writes the file. The call blocks its thread until the server has answered.
  ///
  /// - Returns: A report. It has errors if the file was not written.
  public func download() -> Report {
    let path = Glob.normalized(configuration.outputPath, base: root.path)
    var report = Report(diagnostics: [], sources: SourceMap([]), path: path)
    do throws(DiagnosticsError) {
      try OutputFiles.check([path], areIn: allowedFolder)
    } catch {
      report.diagnostics = error.diagnostics
      return report
    }
    do throws(DownloadFailure) {
      try checkEnding()
      switch configuration.source {
      case .introspection(let introspection): try fetch(introspection, into: &report)
      case .apolloRegistry(let registry): try fetch(registry, into: &report)
      }
    } catch {
      report.diagnostics.append(Diagnostic(.downloadFailed, error.message, at: .none, help: error.help))
    }
    return report
  }

  /// Checks that the file will be read as the format that it has: as JSON if its name ends in `.json`, and else as SDL.
  private func checkEnding() throws(DownloadFailure) {
    let path = configuration.outputPath, endsInJSON = path.hasSuffix(".json")
    var isJSON = false, format = ""
    if case .introspection(let introspection) = configuration.source {
      isJSON = introspection.outputFormat == .json
      format = ", or \"outputFormat\": \"\(isJSON ? "SDL" : "JSON")\""
    }
    guard isJSON != endsInJSON else { return }
    let (read, written) = endsInJSON ? ("JSON", "SDL") : ("SDL", "JSON")
    throw DownloadFailure(
      "\"schemaDownload.outputPath\" is \"\(path)\", which is read as \(read), and \(written) would be written to it.",
      help: "Use the ending \(isJSON ? ".json" : ".graphqls")\(format).")
  }

  // MARK: - Introspection

  /// Downloads the schema with all that the server supports and the configuration asks for.
  private func fetch(
    _ introspection: SchemaDownloadConfiguration.Introspection, into report: inout Report
  ) throws(DownloadFailure) {
    let requester = try requester(introspection.endpointURL, method: introspection.httpMethod, for: &report)
    let (data, isReduced) = try Self.answer(to: introspection, from: requester)
    try Self.checkJSON(data)
    let source = Source(utf8: data, name: requester.address + ".json")
    let schema = try schema(of: source, into: &report)
    if isReduced { report.diagnostics.append(Self.reduced) }
    if let messages = HTTPRequester.errors(in: source.utf8) {
      report.diagnostics.append(
        Diagnostic(
          .downloadFailed, severity: .warning, "The server sent errors beside the schema: \(messages)", at: .none,
          help: "Something of the schema may be missing."))
    }
    switch introspection.outputFormat {
    case .json: try write(data, into: &report)
    case .sdl: try write(Data((SchemaPrinter.print(schema) + "\n").utf8), into: &report)
    }
  }

  /// Asks in two steps: first for the parts of introspection that the server supports, then for the schema with all of
  /// these parts. Old servers refuse a query for parts that they do not support.
  ///
  /// A server that does not answer the first question may still know all parts. And a gateway may claim more than the
  /// server behind it supports. So a query that is refused is followed by smaller ones. Any other failure ends the
  /// download: the answer to a smaller query would lack parts that the server has.
  ///
  /// - Parameters:
  ///   - introspection: What the configuration asks for.
  ///   - requester: Sends the queries.
  /// - Returns: The answer, and whether the server refused the first query for the schema.
  /// - Throws: The failure of the last query that was sent.
  private static func answer(
    to introspection: SchemaDownloadConfiguration.Introspection, from requester: HTTPRequester
  ) throws(DownloadFailure) -> (data: Data, isReduced: Bool) {
    /// nil: the server refused the query.
    func ask(_ query: String) throws(DownloadFailure) -> Data? {
      let data: Data
      do throws(DownloadFailure) {
        data = try requester.send(query: query, operationName: "IntrospectionQuery")
      } catch {
        guard error.isRefusal else { throw error }
        return nil
      }
      // (What is not even JSON may be a part of an answer. It is an error, and says so itself.)
      let isRefusal =
        !DownloadedSchema.isDownloaded(data, at: requester.address + ".json") && (try? JSONNode(parsing: data)) != nil
      return isRefusal ? nil : data
    }
    let includesDeprecated = introspection.includeDeprecatedInputValues
    var whole = IntrospectionQuery.full
    // A server that supports what only the draft has says so.
    whole.directiveDeprecation = false
    whole.inputValueDeprecation = includesDeprecated
    if let data = try? requester.send(query: Capabilities.query, operationName: "IntrospectionCapabilities"),
      let capabilities = Capabilities(response: data)
    {
      whole = capabilities.query(includeDeprecatedInputValues: includesDeprecated)
    }
    let last = IntrospectionQuery()
    var middle = last
    middle.inputValueDeprecation = whole.inputValueDeprecation
    middle.directiveArgumentDeprecation = false
    var refused: [String] = []
    for query in [whole.text, middle.text] where query != last.text && query != refused.last {
      if let data = try ask(query) { return (data, !refused.isEmpty) }
      refused.append(query)
    }
    return (try requester.send(query: last.text, operationName: "IntrospectionQuery"), !refused.isEmpty)
  }

  private static let reduced = Diagnostic(
    .downloadFailed, severity: .warning,
    "The server refused the whole introspection query, and answered a smaller one.", at: .none,
    help: "Deprecated arguments and input fields, @oneOf, @specifiedBy and the like may be missing in the schema.")

  /// Reads the schema, to check it before it is written.
  private func schema(of source: Source, into report: inout Report) throws(DownloadFailure) -> Schema {
    let parsed = SchemaLoader.load([source])
    let errors = parsed.diagnostics.filter { $0.severity == .error }
    guard let schema = parsed.value?.value, errors.isEmpty else {
      if let messages = HTTPRequester.errors(in: source.utf8) {
        throw DownloadFailure("The server refused: \(messages)")
      }
      report.sources = SourceMap([source])
      report.diagnostics += errors
      let isSchema = errors.allSatisfy { [.unknownType, .invalidName].contains($0.code) }
      throw DownloadFailure(
        isSchema ? "The schema that the server sent cannot be used." : "The server did not send a schema.")
    }
    let inexact = parsed.diagnostics.filter { $0.code == .invalidIntrospection }
    if !inexact.isEmpty {
      report.sources = SourceMap([source])
      report.diagnostics += inexact
    }
    report.typeCount = schema.allTypes.count { !$0.name.hasPrefix("__") }
    return ClientDefinitions.removed(from: schema, of: [source])
  }

  /// Tells a page from a response: an address of a site, or of a sign-in, answers with one.
  private static func checkJSON(_ data: Data) throws(DownloadFailure) {
    let start = data.drop { [UInt8](" \t\r\n\u{FEFF}".utf8).contains($0) }
    guard start.first != UInt8(ascii: "{") else { return }
    let kind = start.isEmpty ? "nothing" : start.first == UInt8(ascii: "<") ? "a page (HTML)" : "text"
    throw DownloadFailure(
      "The server answered with \(kind), and not with JSON\(HTTPRequester.excerpt(data)).",
      help: "Is this the address of its GraphQL, and are its headers right? Many servers have it at /graphql.")
  }

  // MARK: - Registry

  private func fetch(
    _ registry: SchemaDownloadConfiguration.ApolloRegistry, into report: inout Report
  ) throws(DownloadFailure) {
    let key = registry.apiKey.isEmpty ? ProcessInfo.processInfo.environment["APOLLO_KEY"] ?? "" : registry.apiKey
    guard !key.isEmpty else {
      throw DownloadFailure(
        "There is no key for the registry.",
        help: "Set \"apiKey\" in the configuration, or the environment variable APOLLO_KEY.")
    }
    let requester = try requester(
      registry.endpointURL, method: .post, headers: [("x-api-key", key)], for: &report)
    let data = try requester.send(
      query: """
        query DownloadSchema($graphID: ID!, $variant: String!) {
          service(id: $graphID) { variant(name: $variant) { activeSchemaPublish { schema { document } } } }
        }
        """,
      operationName: "DownloadSchema", variables: ["graphID": registry.graphID, "variant": registry.variant])
    let service = (try? JSONNode(parsing: data))?["data"]?["service"]
    guard let text = service?["variant"]?["activeSchemaPublish"]?["schema"]?["document"]?.string else {
      throw DownloadFailure(
        HTTPRequester.errors(in: data).map { "The server refused: \($0)" }
          ?? "The registry has no schema for \"\(registry.graphID)@\(registry.variant)\".")
    }
    _ = try schema(of: Source(text, name: configuration.outputPath), into: &report)
    try write(Data(text.utf8), into: &report)
  }

  // MARK: - Both

  private func requester(
    _ address: String, method: SchemaDownloadConfiguration.Introspection.HTTPMethod,
    headers: [(String, String)] = [], for report: inout Report
  ) throws(DownloadFailure) -> HTTPRequester {
    guard let endpoint = URL(string: address), ["http", "https"].contains(endpoint.scheme?.lowercased() ?? "") else {
      // What stands before an "@" may be a password, whatever the rest is.
      let shown = address.prefix { $0 != "?" }.split(separator: "@").last ?? ""
      throw DownloadFailure(
        "\"\(shown)\" is not the address of a server.", help: "It should start with \"https://\".")
    }
    let all = headers + configuration.headers.map { ($0.key, $0.value) }
    for (name, value) in all { try HeaderRule.check(name: name, value: value) }
    if let warning = Self.warning(about: all.map(\.0), sentTo: endpoint) { report.diagnostics.append(warning) }
    return HTTPRequester(
      endpoint: endpoint, headers: all, timeout: configuration.timeout,
      maximumSize: configuration.maximumResponseSize, method: method)
  }

  /// A warning if credentials can be read on their way to the server.
  private static func warning(about headers: [String], sentTo endpoint: URL) -> Diagnostic? {
    guard endpoint.isReadOnTheWay else { return nil }
    let words = ["auth", "key", "token", "secret", "cookie", "password", "credential", "session", "jwt"]
    var secrets = headers.filter { header in words.contains { header.lowercased().contains($0) } }.map { "\"\($0)\"" }
    if endpoint.user != nil { secrets.append("the password of the address") }
    guard !secrets.isEmpty else { return nil }
    return Diagnostic(
      .unprotectedCredentials, severity: .warning,
      "\(Suggestions.list(secrets, "and")) can be read by others on the way to \(endpoint.withoutCredentials).",
      at: .none, help: "Use the server's address with \"https://\".")
  }

  private func write(_ data: Data, into report: inout Report) throws(DownloadFailure) {
    report.byteCount = data.count
    let file = OutputFile(configured: report.path, text: String(decoding: data, as: UTF8.self), kind: .schema)
    do throws(DiagnosticsError) {
      let writer = FileWriter(root: root.path, replacesForeignFiles: replacesForeignFiles)
      report.isChanged = try !writer.write([file]).isEmpty
    } catch {
      report.diagnostics += error.diagnostics
    }
  }
}
