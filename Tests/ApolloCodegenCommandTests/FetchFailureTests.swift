import Foundation
import ScriptedServer
import Testing
import Waiting

/// Only a server that refuses a query is sent a smaller one.
@Suite("apollo-codegen fetch-schema and failures on the way", .serialized) struct FetchFailureTests {
  private static let old = "type Query { old: Int }"

  /// Whether a request is the first one, which asks what the server knows of introspection.
  private static func isFirst(_ request: ScriptedServer.Request) -> Bool {
    IntrospectedServer.query(request).contains("IntrospectionCapabilities")
  }

  @Test(
    "A failure that is not a refusal of the query ends the download, and no smaller query is answered with less",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"data\": {", "did not answer|the connection was lost"),
      ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"data\": {\"__schema\": {", "did not send a schema"),
      ("HTTP/1.1 401 Who\r\nContent-Length: 0\r\n\r\n", "answered with status 401"),
      ("HTTP/1.1 429 Slower\r\nContent-Length: 0\r\n\r\n", "answered with status 429"),
      ("HTTP/1.1 502 Gateway\r\nContent-Length: 0\r\n\r\n", "answered with status 502"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n{", "which is the limit"),
    ])
  func failures(response: String, message: String) async throws {
    let introspected = try IntrospectedServer(), folder = try Folder(["schema.graphqls": Self.old]), asked = Awaited(0)
    try await ScriptedServer.with({ request in
      let count = asked.change { count in
        count += 1
        return count
      }
      if count == 2 { return [.write(response), .close] }
      return [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, in: folder)
      #expect(outcome.status == 1)
      #expect(message.split(separator: "|").contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    }
    #expect(asked.value == 2)
    #expect(folder.text("schema.graphqls") == Self.old)
  }

  @Test("A status that refuses the query leads to a smaller one, and a warning says so", arguments: [400, 422, 500])
  func refusals(status: Int) async throws {
    let introspected = try IntrospectedServer(), folder = try Folder(), asked = Awaited(0)
    try await ScriptedServer.with({ request in
      let count = asked.change { count in
        count += 1
        return count
      }
      if count == 2 { return [.respond("no", status: status), .close] }
      return [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, in: folder)
      #expect(outcome.status == 0 && outcome.errors.contains("refused the whole"), "\(outcome.errors)")
    }
    #expect(asked.value == 3)
    #expect(folder.text("schema.graphqls")?.contains("enum Episode") == true)
  }

  @Test("A server that does not answer the first question in time is asked for the schema nevertheless")
  func slowFirstAnswer() async throws {
    let introspected = try IntrospectedServer(), folder = try Folder()
    try await ScriptedServer.with({ request in
      if Self.isFirst(request) { return [.wait(.init())] }
      return [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, ["--timeout", "5"], in: folder)
      #expect(outcome.status == 0 && !outcome.errors.contains("refused"), "\(outcome.errors)")
    }
    #expect(folder.text("schema.graphqls")?.contains("@specifiedBy") == true)
  }
}
