import ApolloCodegenLib
import Foundation
import ScriptedServer
import Testing
import Waiting

/// No member of the settings of a download is without effect: each changes what is asked for, or what is written.
@Suite("Effects of download settings") struct SchemaDownloadTests {
  typealias Download = SchemaDownloadConfiguration

  struct Member: CustomTestStringConvertible, Sendable {
    var path: String
    var change: @Sendable (inout Download) -> Void
    var usesRegistry = false
    var testDescription: String { path }
  }

  static let members =
    [
      Member(path: "timeout") { $0.timeout = 0.2 },
      Member(path: "maximumResponseSize") { $0.maximumResponseSize = 100 },
      Member(path: "headers") { $0.headers = [.init(key: "X-Hero", value: "R2-D2")] },
      Member(path: "outputPath") { $0.outputPath = "other.graphqls" },
      introspection("endpointURL") { $0.endpointURL += "/other" },
      introspection("httpMethod") { $0.httpMethod = .get() },
      introspection("outputFormat") { $0.outputFormat = .json },
      introspection("includeDeprecatedInputValues") { $0.includeDeprecatedInputValues = true },
      registry("apiKey") { $0.apiKey = "other" },
      registry("graphID") { $0.graphID = "other" },
      registry("variant") { $0.variant = "other" },
      registry("endpointURL") { $0.endpointURL += "/other" },
    ]

  private static func introspection(
    _ name: String, _ change: @escaping @Sendable (inout Download.Introspection) -> Void
  ) -> Member {
    Member(path: "introspection.\(name)") { download in
      guard case .introspection(var introspection) = download.source else { return }
      change(&introspection)
      download.source = .introspection(introspection)
    }
  }

  private static func registry(
    _ name: String, _ change: @escaping @Sendable (inout Download.ApolloRegistry) -> Void
  ) -> Member {
    Member(
      path: "registry.\(name)",
      change: { download in
        guard case .apolloRegistry(var registry) = download.source else { return }
        change(&registry)
        download.source = .apolloRegistry(registry)
      }, usesRegistry: true)
  }

  @Test("Each member makes a difference", arguments: members)
  func effect(of member: Member) async throws {
    // (The time itself is what is tested: each answer takes ten times as long as the timeout, if that is the member.)
    let log = Log(delay: member.path == "timeout" ? 2000 : 0)
    try await ScriptedServer.with(log.answer) { server in
      var download =
        member.usesRegistry
        ? Download(
          using: .apolloRegistry(.init(apiKey: "a", graphID: "b", endpointURL: server.address)),
          outputPath: "s.graphqls")
        : Download(using: .introspection(.init(endpointURL: server.address)), outputPath: "s.graphqls")
      let before = try await Self.effect(of: download, log)
      member.change(&download)
      let after = try await Self.effect(of: download, log)
      #expect(before != after)
      #expect(before.contains("type Query"))
    }
  }

  @Test("Every member is among these")
  func complete() {
    let introspection = Download.Introspection(endpointURL: ""),
      registry = Download.ApolloRegistry(apiKey: "", graphID: "")
    func labels(_ value: Any, _ prefix: String) -> [String] {
      Mirror(reflecting: value).children.map { prefix + ($0.label ?? "") }
    }
    let all =
      labels(Download(using: .introspection(introspection), outputPath: ""), "").filter { $0 != "source" }
      + labels(introspection, "introspection.") + labels(registry, "registry.")
    #expect(Set(all) == Set(Self.members.map(\.path)))
  }

  /// The requests, the files, and what went wrong.
  private static func effect(of download: Download, _ log: Log) async throws -> String {
    let folder = try TemporaryFolder(), root = folder.url
    // (A download blocks its thread.)
    let report = try await onOwnThread { SchemaDownloader(download, root: root).download() }
    let written = try folder.files.map { "\($0)\n" + (try folder.text($0)) }
    return (log.takeRequests() + written + report.diagnostics.map(\.fullMessage)).joined(separator: "\n")
  }

  /// Notes requests, and answers them after a while.
  private final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var requests: [String] = []
    /// In milliseconds.
    private let delay: Int

    init(delay: Int) { self.delay = delay }

    func takeRequests() -> [String] {
      lock.withLock {
        defer { requests = [] }
        return requests
      }
    }

    @Sendable func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      let names = ["x-hero", "x-api-key"]
      lock.withLock {
        requests.append("\(request.method) \(request.path) \(names.map { request.headers[$0] ?? "" }) \(request.body)")
      }
      let document = #"{ "document": "type Query { a: Int }" }"#
      let registry = #"{ "data": { "service": { "variant": { "activeSchemaPublish": { "schema": \#(document) } } } } }"#
      let body =
        request.body.contains("DownloadSchema")
        ? registry
        : Self.isAboutCapabilities(request) ? Self.capabilities : Self.schema
      return [
        .pause(milliseconds: delay),
        .write(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"), .close,
      ]
    }

    private static func isAboutCapabilities(_ request: ScriptedServer.Request) -> Bool {
      (request.path + request.body).contains("IntrospectionCapabilities")
    }

    private static let capabilities = """
      { "data": { "__schema": { "types": [
        { "name": "__Type", "fields": [{ "name": "inputFields", "args": [{ "name": "includeDeprecated" }] }] },
        { "name": "__Field", "fields": [{ "name": "args", "args": [{ "name": "includeDeprecated" }] }] },
        { "name": "__InputValue", "fields": [{ "name": "isDeprecated", "args": [] }] } ] } } }
      """

    private static let schema = """
      { "data": { "__schema": { "queryType": { "name": "Query" }, "directives": [], "types": [
        { "kind": "SCALAR", "name": "Int" },
        { "kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
          { "name": "a", "args": [], "type": { "kind": "SCALAR", "name": "Int" }, "isDeprecated": false } ] } ] } } }
      """
  }
}
