import Foundation
import ScriptedServer
import Testing
import Waiting

/// What the tool refuses, and what it says of addresses, headers and configurations.
@Suite("apollo-codegen with wrong arguments and hostile answers", .serialized) struct ToolSafetyTests {
  private static func configuration(_ download: String = "", end: String = "") -> String {
    """
    { "schemaNamespace": "HeroAPI", "output": { "schemaTypes": {
        "path": "API", "moduleType": { "embeddedInTarget": { "name": "App" } } } }\(download)\(end) }
    """
  }

  private static func download(from address: String, to path: String) -> String {
    let method = #"{ "introspection": { "endpointURL": "\#(address)" } }"#
    return #", "schemaDownload": { "outputPath": "\#(path)", "downloadMethod": \#(method) }"#
  }

  /// A schema in which as many types have a defect as there are warnings.
  private static func inexact(_ count: Int) -> String {
    func object(_ name: String, _ types: [String]) -> String {
      let fields = types.map { #"{"name":"a\#($0)","args":[],"type":{"kind":"SCALAR","name":"\#($0)"}}"# }
      return
        #"{"kind":"OBJECT","name":"\#(name)","interfaces":[],"fields":[\#(fields.joined(separator: ","))]}"#
    }
    let types = (0..<count).map { object("T\($0)", ["Int", "Gone\($0)"]) }
    let all = [object("Query", ["Int"]), #"{"kind":"SCALAR","name":"Int"}"#] + types
    return #"{"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":["#
      + all.joined(separator: ",") + "]}}}"
  }

  @Test("No message has the password or the query of an address, and nor has the sample code")
  func addresses() async throws {
    let folder = try Folder()
    let bodies = [#"{"data":{"__schema":{"types":7}}}"#, #"{"data":{"#, Self.inexact(1)]
    for body in bodies {
      try await ScriptedServer.with({ _ in [.write(IntrospectedServer.response(body)), .close] }) { server in
        let address = server.address.replacing("http://", with: "http://bob:hunter2@") + "?token=s3cret"
        for format in ["text", "json"] {
          let outcome = try await Tool.run(
            ["fetch-schema", "--endpoint", address, "--output", "s.graphqls", "--format", format], in: folder)
          let text = outcome.errors + outcome.output
          #expect(!text.contains("hunter2") && !text.contains("s3cret") && !text.contains("bob"), "\(text)")
        }
      }
    }
    let introspected = try IntrospectedServer()
    try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let address = server.address.replacing("http://", with: "http://bob:hunter2@") + "?token=s3cret"
      let outcome = try await Tool.run(["start", address], in: folder)
      #expect(
        outcome.status == 0 && outcome.errors.contains("URL(string: \"\(server.address)?...\")"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("hunter2") && !outcome.errors.contains("s3cret"), "\(outcome.errors)")
    }
    let wrong = try await Tool.run(
      ["fetch-schema", "--endpoint", "bob:hunter2@host?token=s3cret", "--output", "s.graphqls"], in: folder)
    #expect(wrong.errors.contains("\"host\" is not the address of a server."), "\(wrong.errors)")
  }

  @Test(
    "A header without a name is refused, and its value is not shown",
    arguments: [[":"], [": s3cret"], [" : s3cret"], ["A: b", ":s3cret"]])
  func headers(values: [String]) async throws {
    let folder = try Folder()
    let flags = values.flatMap { ["--header", $0] }
    for command in [
      ["fetch-schema", "--endpoint", "http://127.0.0.1:9", "--output", "s"], ["start", "http://127.0.0.1:9"],
    ] {
      let outcome = try await Tool.run(command + flags, in: folder)
      #expect(outcome.status == 64, "\(outcome.errors)")
      #expect(outcome.errors.contains("nothing before its colon") && !outcome.errors.contains("s3cret"))
    }
  }

  @Test(
    "What has no colon, or a name that is none, is not shown",
    arguments: [
      ("Authorization Bearer s3cret", "Header 2 has no colon."), ("s3cret", "Header 2 has no colon."),
      ("Bearer s3cret:", "U+0020"),
    ])
  func headersWithoutNames(value: String, message: String) async throws {
    let folder = try Folder()
    let outcome = try await Tool.run(
      ["fetch-schema", "--endpoint", "http://127.0.0.1:9", "--output", "s", "--header", "A: b", "--header", value],
      in: folder)
    #expect(outcome.status != 0 && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!outcome.errors.contains("s3cret") && !outcome.output.contains("s3cret"))
  }

  @Test(
    "What goes with nothing is refused",
    arguments: [
      ["generate", "--access", "public"], ["generate", "--namespace", "A"], ["generate", "--check", "--fetch-schema"],
      ["fetch-schema", "--endpoint", "http://a", "--output", "s", "--path", "p"],
      ["fetch-schema", "--endpoint", "http://a", "--output", "s", "--timeout", "0"],
      ["fetch-schema", "--endpoint", "http://a", "--output", "s", "--timeout=-1"],
      ["fetch-schema", "--endpoint", "http://a", "--output", "s", "--maximum-response-size=-5"],
      ["start", "http://a", "--timeout", "0"],
    ])
  func usage(arguments: [String]) async throws {
    let folder = try Folder(Sample.files)
    try folder.write(Self.configuration(), to: "apollo-codegen-config.json")
    let before = folder.files
    let outcome = try await Tool.run(arguments, in: folder)
    #expect(outcome.status == 64 && outcome.errors.contains("Error: "), "\(outcome.errors)")
    #expect(folder.files == before)
  }

  @Test("Of many warnings about an answer, twenty are shown, and all if that is asked for")
  func manyWarnings() async throws {
    let folder = try Folder()
    let body = Self.inexact(300)
    try await ScriptedServer.with({ _ in [.write(IntrospectedServer.response(body)), .close] }) { server in
      for (more, count) in [([], 20), (["--verbose"], 300)] as [([String], Int)] {
        let outcome = try await FetchSchemaTests.fetch(server, more, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors.prefix(2_000))")
        let found = outcome.errors.components(separatedBy: "warning[invalid-introspection]").count - 1
        #expect(found >= count && (found == 20) == more.isEmpty, "\(found)")
        #expect(outcome.errors.contains("more warnings about the schema in http://") == more.isEmpty)
      }
    }
  }

  @Test("Errors that a server sends beside its schema are a warning")
  func errorsBesideTheSchema() async throws {
    let introspected = try IntrospectedServer()
    let folder = try Folder()
    try await ScriptedServer.with({ request in
      [
        .later {
          let answer = await introspected.answer(IntrospectedServer.query(request))
          let body = #"{"errors":[{"message":"Some types are hidden."}],"# + answer.dropFirst()
          return [.write(IntrospectedServer.response(body)), .close]
        }
      ]
    }) { server in
      let outcome = try await FetchSchemaTests.fetch(server, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.errors.contains(
          "warning[download-failed]: The server sent errors beside the schema: Some types are hidden."),
        "\(outcome.errors)")
    }
    #expect(folder.text("schema.graphqls")?.contains("hero(episode: Episode, more: Int): String") == true)
  }

  @Test("A schema is fetched only into the folder that is allowed")
  func within() async throws {
    let folder = try Folder()
    // (Nothing answers there.)
    let text = Self.configuration(Self.download(from: "http://127.0.0.1:9/", to: "../fetched.graphqls"))
    try folder.write(text, to: "inner/config.json")
    let outcome = try await Tool.run(
      ["generate", "--path", "inner/config.json", "--fetch-schema", "--within", "inner"], in: folder)
    #expect(outcome.status == 1 && outcome.errors.contains("error[outside-allowed-folder]"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("did not answer"), "\(outcome.errors)")
    #expect(folder.files == ["inner/config.json"])
  }

  @Test("Operations of the command line beside a configuration remove no files of the others")
  func someOperations() async throws {
    let folder = try Folder(Sample.files)
    try folder.write("query More { hero { id } }", to: "More.graphql")
    try folder.write(Self.configuration(), to: "config.json")
    #expect(try await Tool.run(["generate", "--path", "config.json"], in: folder).status == 0)
    let before = folder.files
    let some = ["generate", "--path", "config.json", "--operations", "Hero.graphql"]
    let outcome = try await Tool.run(some, in: folder)
    #expect(outcome.status == 0 && folder.files == before, "\(outcome.errors)")
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("More.graphql"))
    #expect(try await Tool.run(["generate", "--path", "config.json"], in: folder).status == 0)
    #expect(folder.files.count == before.count - 2)
  }

  @Test("With operations of the command line, the files of documents are removed that are nowhere")
  func renamedOperation() async throws {
    let folder = try Folder(Sample.files)
    try folder.write("query More { hero { id } }", to: "More.graphql")
    try folder.write(Self.configuration(), to: "config.json")
    func generate(_ more: String...) async throws -> Int32 {
      let arguments = ["generate", "--path", "config.json", "--operations"] + more
      return try await Tool.run(arguments, in: folder).status
    }
    #expect(try await generate("*.graphql") == 0)
    let all = folder.files, most = folder.url.appendingPathComponent("Most.graphql")
    try FileManager.default.moveItem(at: folder.url.appendingPathComponent("More.graphql"), to: most)
    #expect(try await generate("*.graphql", "--check") == 1)
    #expect(try await generate("*.graphql") == 0)
    let renamed = all.map { $0.replacing("More.", with: "Most.") }.sorted()
    #expect(folder.files == renamed)
    #expect(try await generate("Hero.graphql") == 0)
    #expect(folder.files == renamed)
    try FileManager.default.removeItem(at: most)
    #expect(try await generate("Hero.graphql") == 0)
    #expect(folder.files == renamed.filter { !$0.contains("Most.") })
  }

  private func object(_ arguments: [String], status: Int32, in folder: Folder) async throws -> [String: Any] {
    let outcome = try await Tool.run(arguments + ["--format", "json"], in: folder)
    #expect(outcome.status == status && outcome.errors == "", "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(object?["ok"] as? Bool == (status == 0))
    return try #require(object)
  }

  private func codes(_ object: [String: Any]) -> [String] {
    (object["diagnostics"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  @Test("Programs get one object if the configuration is missing or wrong, and its warnings with the rest")
  func jsonOfConfigurations() async throws {
    let folder = try Folder(Sample.files)
    let commands = [["generate"], ["validate"], ["fetch-schema"], ["generate-operation-manifest"]]
    for command in commands {
      let report = try await object(command, status: 1, in: folder)
      #expect(codes(report) == ["invalid-configuration"])
    }
    try folder.write("{", to: "apollo-codegen-config.json")
    for command in commands {
      let report = try await object(command, status: 1, in: folder)
      #expect(codes(report) == ["invalid-json"] && report["command"] as? String == command[0])
    }
    try folder.write(Self.configuration(end: ","), to: "apollo-codegen-config.json")
    let report = try await object(["generate"], status: 0, in: folder)
    #expect(codes(report) == ["needless-comma"] && report["operations"] as? Int == 1)
  }

  @Test("A download before generating is a part of the one object, and its configuration is read once")
  func jsonOfDownloads() async throws {
    let introspected = try IntrospectedServer()
    let folder = try Folder(["A.graphql": "query A { hero }"])
    try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let text = Self.configuration(Self.download(from: server.address, to: "s.graphqls"), end: ",")
      try folder.write(text, to: "apollo-codegen-config.json")
      let report = try await object(["generate", "--fetch-schema"], status: 0, in: folder)
      let fetched = try #require(report["fetch"] as? [String: Any])
      #expect(codes(report) == ["needless-comma"] && codes(fetched) == [])
      #expect(fetched["ok"] as? Bool == true && fetched["command"] as? String == "fetch-schema")
      let shown = try await Tool.run(["generate", "-f"], in: folder)
      #expect(shown.errors.components(separatedBy: "warning[needless-comma]").count == 2, "\(shown.errors)")
    }
    // The server is gone.
    let report = try await object(["generate", "--fetch-schema"], status: 1, in: folder)
    let fetched = try #require(report["fetch"] as? [String: Any])
    #expect(fetched["ok"] as? Bool == false && codes(fetched) == ["download-failed"])
  }

  @Test("A configuration that is watched after a download is read once", .timeLimit(.minutes(10)))
  func watchedDownload() async throws {
    let introspected = try IntrospectedServer()
    let folder = try Folder(["A.graphql": "query A { hero }"])
    try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      let text = Self.configuration(Self.download(from: server.address, to: "s.graphqls"), end: ",")
      try folder.write(text, to: "apollo-codegen-config.json")
      let run = try Tool.start(["generate", "--fetch-schema", "--watch"], in: folder)
      defer { run.kill() }
      try await eventually { run.errors.contains("✓ 1 operation") }
      #expect(run.errors.components(separatedBy: "warning[needless-comma]").count == 2, "\(run.errors)")
    }
  }
}
