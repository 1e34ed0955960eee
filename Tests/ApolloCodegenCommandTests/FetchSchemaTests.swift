import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import PeerServers
import ScriptedServer
import Testing
import Waiting

/// Answers introspection as a server with this schema does.
struct IntrospectedServer: Sendable {
  static let sdl = """
    type Query {
      hero(episode: Episode, old: Int @deprecated(reason: "no"), more: Int): String
    }

    enum Episode {
      EMPIRE
      JEDI
    }

    scalar When @specifiedBy(url: "https://example.com/when")

    """

  let api: ExecutableSchema
  /// Fields of introspection that the server has never heard of.
  var unknown: [String] = []

  init(_ sdl: String = IntrospectedServer.sdl, unknown: [String] = []) throws {
    let schema = Schema.build(from: [Source(sdl)]).value
    api = try ExecutableSchema(schema)
    self.unknown = unknown
  }

  func answer(_ query: String) async -> String {
    if let field = unknown.first(where: query.contains) {
      return #"{"errors":[{"message":"Cannot query field \"\#(field)\"."}]}"#
    }
    let body = (try? JSONSerialization.data(withJSONObject: ["query": query])) ?? Data()
    return String(decoding: await api.respond(toJSON: Array(body)), as: UTF8.self)
  }

  func steps(_ query: String) async -> [ScriptedServer.Step] { [.write(Self.response(await answer(query))), .close] }

  /// The query of a request by POST.
  static func query(_ request: ScriptedServer.Request) -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
    return object?["query"] as? String ?? ""
  }

  static func response(_ body: String, status: String = "200 OK", length: Int? = nil) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(length ?? body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(body)"
  }
}

@Suite("apollo-codegen fetch-schema", .serialized) struct FetchSchemaTests {
  static func fetch(_ server: ScriptedServer, _ more: [String] = [], in folder: Folder) async throws -> Tool.Outcome {
    try await Tool.run(
      ["fetch-schema", "--endpoint", server.address, "--output", "schema.graphqls"] + more, in: folder)
  }

  @Test("A server is asked for all that it knows, with the headers that were given")
  func currentServer() async throws {
    let introspected = try IntrospectedServer()
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      guard request.headers["authorization"] == "Bearer me" else {
        return [.write(IntrospectedServer.response("no", status: "401 Unauthorized")), .close]
      }
      return [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let refused = try await Self.fetch(server, in: folder)
      #expect(refused.status == 1)
      #expect(
        refused.errors.contains("answered with status 401: no.\n  = help: Check the headers"),
        "\(refused.errors)")
      #expect(folder.files == [])
      let header = ["--header", "Authorization: Bearer me"]
      let outcome = try await Self.fetch(server, header + ["--include-deprecated-input-values"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(folder.text("schema.graphqls") == IntrospectedServer.sdl)
      #expect(outcome.errors.hasPrefix("✓ ") && outcome.errors.contains("schema.graphqls"))
      let again = try await Self.fetch(server, header, in: folder)
      #expect(again.status == 0)
      #expect(
        folder.text("schema.graphqls")?.contains("old: Int") == false, "Deprecated arguments have to be asked for.")
    }
  }

  @Test("A server that knows only the type of GraphQL over HTTP is asked for that type", arguments: ["post", "get"])
  func currentType(method: String) async throws {
    let introspected = try IntrospectedServer(), folder = try Folder()
    let type = "application/graphql-response+json"
    try await ScriptedServer.with({ request in
      guard request.headers["accept"]?.contains(type) == true else { return [.respond("", status: 406), .close] }
      let items = URLComponents(string: "http://host" + request.path)?.queryItems
      let query = items?.first { $0.name == "query" }?.value ?? IntrospectedServer.query(request)
      return [.later { [.respond(await introspected.answer(query), contentType: type), .close] }]
    }) { server in
      let outcome = try await Self.fetch(server, ["--method", method], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(folder.text("schema.graphqls")?.contains("enum Episode") == true)
  }

  @Test("By GET, the query of the address itself stays as it is written")
  func queryOfAddress() async throws {
    let introspected = try IntrospectedServer(), folder = try Folder()
    try await ScriptedServer.with({ request in
      let query = URLComponents(string: "http://host" + request.path)?.queryItems?.last?.value ?? ""
      guard request.path.contains("?a=b+c%2B&query=") else { return [.respond("", status: 404), .close] }
      return [.later { await introspected.steps(query) }]
    }) { server in
      let outcome = try await Tool.run(
        [
          "fetch-schema", "--endpoint", server.address + "?a=b+c%2B", "--method", "get", "--output", "s.graphqls",
        ], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("A server of the first days is asked for no more than it knows")
  func oldServer() async throws {
    let introspected = try IntrospectedServer(
      unknown: [
        "IntrospectionCapabilities", "specifiedByURL", "isRepeatable", "isOneOf", "args(includeDeprecated",
      ])
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let outcome = try await Self.fetch(server, ["--include-deprecated-input-values"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(folder.text("schema.graphqls")?.contains("scalar When\n") == true)
      #expect(outcome.errors.contains("refused the whole introspection query"), "\(outcome.errors)")
      let unasked = try await Self.fetch(server, in: folder)
      #expect(unasked.status == 0 && unasked.errors.contains("refused the whole"), "\(unasked.errors)")
    }
  }

  @Test("A server that says more than it can is asked for less, and a warning says so", arguments: [true, false])
  func boaster(wantsDeprecated: Bool) async throws {
    let introspected = try IntrospectedServer(unknown: ["isOneOf"])
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let more = wantsDeprecated ? ["--include-deprecated-input-values"] : []
      let outcome = try await Self.fetch(server, more, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("warning") && outcome.errors.contains("refused the whole"), "\(outcome.errors)")
      let schema = folder.text("schema.graphqls") ?? ""
      #expect(schema.contains("hero(") && schema.contains("old: Int") == wantsDeprecated, "\(schema)")
    }
  }

  @Test("A server that takes a repeated field of introspection for an attack has all of its schema downloaded")
  func goodFaith() async throws {
    let input = "input Find @oneOf {\n  id: ID\n  name: String\n}\n"
    let introspected = try IntrospectedServer("type Query { hero(by: Find): String } " + input)
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      let query = IntrospectedServer.query(request)
      let isRepeated = ["__type(", "__schema", " fields"].contains { query.components(separatedBy: $0).count > 2 }
      let refusal = #"{"errors":[{"message":"bad faith"}],"data":null}"#
      return isRepeated
        ? [.write(IntrospectedServer.response(refusal)), .close] : [.later { await introspected.steps(query) }]
    }) { server in
      let outcome = try await Self.fetch(server, in: folder)
      #expect(outcome.status == 0 && !outcome.errors.contains("refused"), "\(outcome.errors)")
      #expect(folder.text("schema.graphqls")?.contains(input) == true)
    }
  }

  @Test(
    "What a server does not say of introspection, or supports in other places only, costs nothing of the schema",
    arguments: [
      #"{ "name": "Query", "fields": [] }"#,
      """
      { "name": "__Type", "fields": [{ "name": "inputFields", "args": [{ "name": "includeDeprecated" }] }] },
      { "name": "__Field", "fields": [{ "name": "args", "args": [{ "name": "includeDeprecated" }] }] },
      { "name": "__Directive", "fields": [{ "name": "args", "args": [] }] },
      { "name": "__InputValue", "fields": [{ "name": "isDeprecated", "args": [] }] }
      """,
    ])
  func deprecatedValues(types: String) async throws {
    let introspected = try IntrospectedServer()
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      let query = IntrospectedServer.query(request)
      if query.contains("IntrospectionCapabilities") {
        let body = #"{ "data": { "__schema": { "types": [\#(types)] } } }"#
        return [.write(IntrospectedServer.response(body)), .close]
      }
      let ofDirectives = query.components(separatedBy: "fragment")[0]
      if types.contains("__Directive"), ofDirectives.contains("args(includeDeprecated") { return [.close] }
      return [.later { await introspected.steps(query) }]
    }) { server in
      let outcome = try await Self.fetch(server, ["--include-deprecated-input-values"], in: folder)
      #expect(outcome.status == 0 && !outcome.errors.contains("refused"), "\(outcome.errors)")
      #expect(folder.text("schema.graphqls")?.contains("old: Int @deprecated(reason: \"no\")") == true)
    }
  }

  @Test("A server that does not say what it supports is asked for everything nevertheless")
  func silentServer() async throws {
    let introspected = try IntrospectedServer(unknown: ["IntrospectionCapabilities"])
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let outcome = try await Self.fetch(server, ["--include-deprecated-input-values"], in: folder)
      #expect(outcome.status == 0 && !outcome.errors.contains("refused"), "\(outcome.errors)")
      #expect(folder.text("schema.graphqls") == IntrospectedServer.sdl)
    }
  }

  @Test(
    "By GET the query is a part of the address, a header tells it from that of a form, and JSON is written as it came")
  func get() async throws {
    let introspected = try IntrospectedServer()
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      let components = URLComponents(string: "http://host" + request.path)
      let query = components?.queryItems?.first { $0.name == "query" }?.value ?? ""
      guard request.method == "GET", request.headers["apollo-require-preflight"] == "true" else { return [.close] }
      return [.later { await introspected.steps(query) }]
    }) { server in
      let outcome = try await Tool.run(
        ["fetch-schema", "--endpoint", server.address, "--method", "get", "--output", "schema.json"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try folder.write("query A { hero }", to: "A.graphql")
    let outcome = try await Tool.run(
      ["generate", "--schema", "schema.json", "--operations", "*.graphql", "--output", "API"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(
    "Whatever goes wrong, the schema stays as it was, and nothing is left lying about",
    arguments: [
      ("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\noops", "status 500: oops"),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"data\":{\"__schema\":{",
        "did not answer|the connection was lost"
      ),
      ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"data\":{}}", "no \"__schema\""),
      ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhtml", "answered with text, and not with JSON: html."),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n\r\n<html></html>",
        "answered with a page (HTML), and not with JSON: <html></html>.\n  = help: Is this the address"
      ),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "answered with nothing, and not with JSON."),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 39\r\n\r\n{\"errors\":[{\"message\":\"Not for you.\"}]}",
        "The server refused: Not for you."
      ),
      (
        "HTTP/1.1 400 No\r\nContent-Type: application/graphql-response+json\r\nContent-Length: 39\r\n\r\n"
          + "{\"errors\":[{\"message\":\"Not for you.\"}]}",
        "answered with status 400: Not for you.\n"
      ),
      (
        "HTTP/1.1 403 No\r\nContent-Length: 28\r\n\r\n{\"errors\":[\"Token expired\"]}",
        "answered with status 403: {\"errors\":[\"Token expired\"]}."
      ),
      ("", "did not answer"),
    ])
  func failures(response: String, message: String) async throws {
    let folder = try Folder(["schema.graphqls": "type Query { old: Int }"])
    try await ScriptedServer.with({ _ in [.write(response), .close] }) { server in
      let outcome = try await Self.fetch(server, in: folder)
      #expect(outcome.status == 1)
      #expect(message.split(separator: "|").contains { outcome.errors.contains($0) }, "\(outcome.errors)")
      #expect(outcome.errors.contains("schema.graphqls was not changed"))
    }
    #expect(folder.files == ["schema.graphqls"])
    #expect(folder.text("schema.graphqls") == "type Query { old: Int }")
  }

  @Test("What a server says commands neither a terminal nor the log of a CI service")
  func hostileAnswers() async throws {
    let message = #"no\u001b]0;owned\u0007\u001b[2J\n::error file=a::b \u202e ##[error]c"#
    let name = #"A\n::error::x\u001b[2J"#
    let bodies = [
      #"{"errors":[{"message":"\#(message)"}]}"#,
      #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"\#(name)"}]}}}"#,
    ]
    for body in bodies {
      let folder = try Folder()
      let response = IntrospectedServer.response(body)
      try await ScriptedServer.with({ _ in [.write(response), .close] }) { server in
        let outcome = try await Self.fetch(server, in: folder)
        #expect(outcome.status == 1)
        let hidden: Set<Unicode.Scalar> = ["\u{1B}", "\u{7}", "\u{202E}"]
        #expect(!outcome.errors.unicodeScalars.contains { hidden.contains($0) }, "\(outcome.errors)")
        #expect(outcome.errors.contains(#"\u{1b}"#), "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("::") || $0.contains("##[") }, "\(outcome.errors)")
      }
      #expect(folder.files == [])
    }
  }

  @Test("A server that is not there, and one that does not answer in time, are told apart from others")
  func noServer() async throws {
    let folder = try Folder()
    let address = try await ScriptedServer.with({ _ in [] }) { $0.address }
    let gone = try await Tool.run(["fetch-schema", "--endpoint", address, "--output", "s.graphqls"], in: folder)
    #expect(gone.status == 1 && gone.errors.contains("did not answer"), "\(gone.errors)")
    let asked = Awaited(0)
    try await ScriptedServer.with({ _ in
      asked.change { $0 += 1 }
      return [.wait(.init())]
    }) { server in
      let slow = try await Self.fetch(server, ["--timeout", "0.3"], in: folder)
      #expect(slow.status == 1 && slow.errors.contains("did not answer"), "\(slow.errors)")
      #expect(slow.errors.contains("--timeout"), "\(slow.errors)")
    }
    #expect(asked.value == 2, "The schema may come sooner than the first answer. A third query would wait as long.")
    let wrong = try await Tool.run(["fetch-schema", "--endpoint", "ftp://x", "--output", "s.graphqls"], in: folder)
    #expect(wrong.status == 1 && wrong.errors.contains("It should start with \"https://\"."))
    #expect(folder.files == [])
  }

  @Test(
    "The registry is asked with the key of the configuration or of the environment, and 'generate -f' fetches first")
  func registry() async throws {
    let folder = try Folder(["A.graphql": "query A { hero }"])
    try await ScriptedServer.with({ request in
      guard request.headers["x-api-key"] == "secret", request.body.contains("DownloadSchema"),
        request.body.contains("\"variant\":\"staging\"")
      else { return [.write(IntrospectedServer.response("{\"data\":{\"service\":null}}")), .close] }
      let body =
        #"{"data":{"service":{"variant":{"activeSchemaPublish":{"schema":{"document":"type Query { hero: Int }\n"}}}}}}"#
      return [.write(IntrospectedServer.response(body)), .close]
    }) { server in
      try folder.write(
        """
        { "schemaNamespace": "HeroAPI",
          "input": { "schemaSearchPaths": ["fetched/*.graphqls"], "operationSearchPaths": ["*.graphql"] },
          "output": { "schemaTypes": { "path": "API", "moduleType": { "other": {} } }, "operations": { "inSchemaModule": {} } },
          "schemaDownload": {
            "downloadMethod": { "apolloRegistry": { "apiKey": "", "graphID": "g", "variant": "staging", "endpointURL": "\(server.address)" } },
            "outputPath": "fetched/schema.graphqls" } }
        """, to: "apollo-codegen-config.json")
      let noKey = try await Tool.run(["fetch-schema"], in: folder, environment: ["APOLLO_KEY": ""])
      #expect(noKey.status == 1 && noKey.errors.contains("There is no key for the registry."), "\(noKey.errors)")
      let wrongKey = try await Tool.run(["fetch-schema"], in: folder, environment: ["APOLLO_KEY": "wrong"])
      #expect(wrongKey.status == 1 && wrongKey.errors.contains("has no schema for \"g@staging\""), "\(wrongKey.errors)")
      let outcome = try await Tool.run(["generate", "-f"], in: folder, environment: ["APOLLO_KEY": "secret"])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(folder.text("fetched/schema.graphqls") == "type Query { hero: Int }\n")
    #expect(folder.files.contains("API/Operations/A.graphql.swift"))
  }

  @Test(
    "Servers of other projects give the schema that they are known to have",
    .enabled(if: Peer.areInstalled, "servers of other projects are not installed: scripts/bootstrap.sh peers"),
    arguments: Peer.allCases)
  func peers(peer: Peer) async throws {
    let server = try await PeerServer.shared(peer)
    let folder = try Folder()
    let fetched = try await Tool.run(
      ["fetch-schema", "--endpoint", server.address, "--output", "schema.graphqls"], in: folder)
    #expect(fetched.status == 0, "\(fetched.errors)")
    let diff = try await Tool.run(
      ["schema", "diff", peer.schemaPath, "schema.graphqls", "--fail-on", "dangerous"], in: folder)
    // Safe: newer servers describe a directive in other words.
    #expect(diff.status == 0, "\(diff.output)")
  }
}
