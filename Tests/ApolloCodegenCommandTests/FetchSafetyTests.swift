import Foundation
import ScriptedServer
import Testing

/// What a server names, sends or redirects to costs neither credentials nor files nor memory.
@Suite("apollo-codegen fetch-schema and servers that are not trusted", .serialized) struct FetchSafetyTests {
  static let secrets = ["--header", "Authorization: Bearer dev-token", "--header", "X-Hasura-Admin-Secret: admin"]

  /// Notes what comes to a server.
  private final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [ScriptedServer.Request] = []
    var requests: [ScriptedServer.Request] { lock.withLock { noted } }
    func note(_ request: ScriptedServer.Request) { lock.withLock { noted.append(request) } }
  }

  private func answer(_ request: ScriptedServer.Request) throws -> [ScriptedServer.Step] {
    let introspected = try IntrospectedServer()
    return [.later { await introspected.steps(IntrospectedServer.query(request)) }]
  }

  @Test("No redirect to another origin is followed, whatever its status is", arguments: [301, 302, 303, 307, 308])
  func otherOrigin(status: Int) async throws {
    let folder = try Folder(), log = Log()
    try await ScriptedServer.with({ request in
      log.note(request)
      return [.close]
    }) { other in
      let location = other.address + "/elsewhere"
      try await ScriptedServer.with({ _ in
        [.respond("", status: status, headers: ["Location": location]), .close]
      }) { server in
        for more in [[], ["--method", "get"]] {
          let outcome = try await FetchSchemaTests.fetch(server, Self.secrets + more, in: folder)
          #expect(outcome.status == 1)
          #expect(outcome.errors.contains("redirects to \(location), with status \(status)"), "\(outcome.errors)")
          #expect(outcome.errors.contains("use its address instead"), "\(outcome.errors)")
        }
      }
    }
    #expect(log.requests.isEmpty)
    #expect(folder.files == [])
  }

  @Test("Within one origin, those are followed that keep method and body", arguments: [301, 302, 303, 307, 308])
  func sameOrigin(status: Int) async throws {
    let folder = try Folder(), log = Log()
    try await ScriptedServer.with({ request in
      log.note(request)
      guard request.path.hasSuffix("/moved") else {
        return [.respond("", status: status, headers: ["Location": "/graphql/moved"]), .close]
      }
      return (try? answer(request)) ?? [.close]
    }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, Self.secrets, in: folder)
      let isFollowed = status > 303
      #expect(outcome.status == (isFollowed ? 0 : 1), "\(outcome.errors)")
      let moved = log.requests.filter { $0.path.hasSuffix("/moved") }
      #expect(moved.isEmpty == !isFollowed)
      for request in moved {
        #expect(request.method == "POST" && request.headers["authorization"] == "Bearer dev-token")
        #expect(!IntrospectedServer.query(request).isEmpty)
      }
      if !isFollowed { #expect(outcome.errors.contains("\(server.address)/moved, with status \(status)")) }
    }
  }

  @Test("A server that redirects for ever is an error")
  func endless() async throws {
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      [.respond("", status: 308, headers: ["Location": request.path + "x"]), .close]
    }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("redirects more than 5 times"), "\(outcome.errors)")
    }
  }

  @Test("An answer that is too large is an error that names the limit, whether its length is announced or not")
  func tooLarge() async throws {
    let folder = try Folder()
    let body = "{\"data\":\"" + String(repeating: "x", count: 100_000) + "\"}"
    for step in [ScriptedServer.Step.respond(body), .write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body)] {
      try await ScriptedServer.with({ _ in [step, .close] }) { server in
        let outcome = try await FetchSchemaTests.fetch(server, ["--maximum-response-size", "50000"], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("more than 50000 bytes"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--maximum-response-size"), "\(outcome.errors)")
      }
    }
  }

  @Test("Of an error without end only the beginning is read; one that asks for a password ends as well")
  func errors() async throws {
    let folder = try Folder()
    let long = "HTTP/1.1 500 No\r\nConnection: close\r\n\r\n" + String(repeating: "no ", count: 700_000)
    try await ScriptedServer.with({ _ in [.write(long), .wait(.init())] }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("answered with status 500: no no"), "\(outcome.errors)")
    }
    let challenge = ["WWW-Authenticate": "Basic realm=\"x\""]
    try await ScriptedServer.with({ _ in [.respond("who?", status: 401, headers: challenge), .close] }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("answered with status 401"), "\(outcome.errors)")
    }
  }

  @Test("Credentials that others can read on their way are warned of, and passwords of addresses are not shown")
  func plainHTTP() async throws {
    let folder = try Folder()
    // (Nothing answers there: the names are reserved for this.)
    let outcome = try await Tool.run(
      ["fetch-schema", "--endpoint", "http://me:hunter2@nowhere.invalid/graphql", "--output", "s.graphqls"]
        + Self.secrets + ["--header", "X-Client: ios"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("warning[unprotected-credentials]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("\"Authorization\", \"X-Hasura-Admin-Secret\""), "\(outcome.errors)")
    #expect(!outcome.errors.contains("X-Client") && !outcome.errors.contains("hunter2"), "\(outcome.errors)")
    for address in ["https://nowhere.invalid/", "http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/"] {
      let outcome = try await Tool.run(
        ["fetch-schema", "--endpoint", address, "--output", "s.graphqls"] + Self.secrets, in: folder)
      #expect(!outcome.errors.contains("unprotected-credentials"), "\(outcome.errors)")
    }
  }

  @Test(
    "A downloaded schema is replaced, and what people wrote is an error",
    arguments: [
      ("s.graphqls", IntrospectedServer.sdl, true), ("s.graphqls", "", true),
      ("s.graphqls", "\"\"\"\n# Heading\n\"\"\"\ntype Query { a: String }", true),
      ("s.graphqls", "schema { query: Q } type Q { a: String }", true),
      ("s.graphqls", "# Mine.\ntype Query { a: String }", false),
      ("s.graphqls", "extend type Query { a: String @client }", false),
      ("s.graphqls", "type Query { a: String } extend type Query { b: String }", false),
      ("s.graphqls", "type Hero { a: String }", false), ("s.graphqls", "query A { a }", false),
      ("s.graphqls", "let mine = 1", false), ("s.json", #"{"data":{"__schema":{}}}"#, true),
      ("s.json", #"{"__schema":{"types":[]}}"#, true), ("s.json", #"{"name":"mine"}"#, false),
      ("s.json", "mine", false),
    ])
  func replacement(name: String, text: String, isReplaced: Bool) async throws {
    let folder = try Folder([name: text])
    try await ScriptedServer.with({ request in (try? answer(request)) ?? [.close] }) { server in
      let arguments = ["fetch-schema", "--endpoint", server.address, "--output", name]
      let outcome = try await Tool.run(arguments, in: folder)
      #expect(outcome.status == (isReplaced ? 0 : 1), "\(outcome.errors)")
      #expect((folder.text(name) == text) == !isReplaced)
      if !isReplaced { #expect(outcome.errors.contains("error[foreign-file]") && outcome.errors.contains("--force")) }
      #expect(try await Tool.run(arguments + ["--force"], in: folder).status == 0)
      #expect(folder.text(name)?.contains("Episode") == true)
      #expect(folder.files == [name])
    }
  }

  @Test(
    "A file that would be read as another format than it has is an error before a server is asked",
    arguments: [
      (#"{ "apolloRegistry": { "apiKey": "k", "graphID": "g", "endpointURL": "http://127.0.0.1:9/" } }"#, "s.json"),
      (#"{ "introspection": { "endpointURL": "http://127.0.0.1:9/" } }"#, "s.json"),
      (#"{ "introspection": { "endpointURL": "http://127.0.0.1:9/", "outputFormat": "JSON" } }"#, "s.graphqls"),
    ])
  func otherFormat(method: String, path: String) async throws {
    let configuration = #"""
      { "schemaNamespace": "HeroAPI",
        "output": { "schemaTypes": { "path": "API", "moduleType": { "other": {} } } },
        "schemaDownload": { "outputPath": "\#(path)", "downloadMethod": \#(method) } }
      """#
    let folder = try Folder(["apollo-codegen-config.json": configuration])
    let outcome = try await Tool.run(["fetch-schema"], in: folder)
    #expect(outcome.status == 1 && outcome.errors.contains("\"schemaDownload.outputPath\" is"), "\(outcome.errors)")
    let ending = path == "s.json" ? ".graphqls" : ".json"
    #expect(outcome.errors.contains("Use the ending \(ending)"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("did not answer") && folder.files == ["apollo-codegen-config.json"])
  }

  @Test("A schema with comments, which a registry sent, is replaced by the next one")
  func comments() async throws {
    let folder = try Folder()
    for version in ["1", "2"] {
      let document = "# Of the registry.\\ntype Query { a\(version): Int }\\n"
      let body = """
        {"data":{"service":{"variant":{"activeSchemaPublish":{"schema":{"document":"\(document)"}}}}}}
        """
      try await ScriptedServer.with({ _ in [.respond(body), .close] }) { server in
        let configuration = """
          { "schemaNamespace": "HeroAPI",
            "output": { "schemaTypes": { "path": "API", "moduleType": { "other": {} } } },
            "schemaDownload": { "outputPath": "fetched/s.graphqls", "downloadMethod": { "apolloRegistry": {
              "apiKey": "k", "graphID": "g", "endpointURL": "\(server.address)" } } } }
          """
        try folder.write(configuration, to: "apollo-codegen-config.json")
        let outcome = try await Tool.run(["fetch-schema"], in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      #expect(folder.text("fetched/s.graphqls")?.contains("a\(version): Int") == true)
      #expect(folder.text(".apollo-codegen-files")?.hasSuffix("\nfetched/s.graphqls\n") == true)
    }
  }
}
