import Foundation
import ScriptedServer
import Testing

@Suite("apollo-codegen start", .serialized) struct StartTests {
  private static func start(_ more: [String] = [], in folder: Folder) async throws -> Tool.Outcome {
    let introspected = try IntrospectedServer()
    return try await ScriptedServer.with({ request in
      [.later { await introspected.steps(IntrospectedServer.query(request)) }]
    }) { server in
      try await Tool.run(["start", server.address] + more, in: folder)
    }
  }

  @Test("From an address to files that generate, and to what comes next")
  func begins() async throws {
    let folder = try Folder(["Package.swift": "// plain", "Sources/MyApp/main.swift": ""])
    let outcome = try await Self.start(in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      folder.files == [
        ".graphql-directives.gqls", ".graphqlrc", "Package.swift", "Sources/MyApp/Hero.graphql",
        "Sources/MyApp/extensions.graphqls", "Sources/MyApp/main.swift", "Sources/MyApp/schema.graphqls",
      ])
    for text in ["give the target \"MyApp\"", "@main struct MyApp", "HeroQuery()", "Move what is in main.swift"] {
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
    let generated = try await Tool.run(
      ["generate", "--schema", "Sources/MyApp/*.graphqls", "--output", "out"], in: folder)
    #expect(generated.status == 0, "\(generated.errors)")

    try folder.write("query Mine { hero }", to: "Sources/MyApp/Hero.graphql")
    try folder.write("// ApolloCodegenPlugin", to: "Package.swift")
    let again = try await Self.start(in: folder)
    #expect(again.status == 0 && folder.text("Sources/MyApp/Hero.graphql") == "query Mine { hero }")
    #expect(again.errors.contains("schema.graphqls (unchanged)"), "\(again.errors)")
    #expect(again.errors.contains("Sources/MyApp/extensions.graphqls is there, and was kept"), "\(again.errors)")
    #expect(!again.errors.contains("give the target") && !again.errors.contains("HeroQuery"), "\(again.errors)")
  }

  @Test("Among several targets one has to be named, and it has to be there")
  func targets() async throws {
    let folder = try Folder(["Sources/A/a.swift": "", "Sources/B/b.swift": ""])
    let which = try await Self.start(in: folder)
    #expect(which.status == 1 && which.errors.contains("--folder Sources/A, or --folder Sources/B"), "\(which.errors)")
    let none = try await Self.start(["--folder", "Sources/C"], in: folder)
    #expect(none.status == 1 && none.errors.contains("There is no folder \"Sources/C\"."), "\(none.errors)")
    #expect(folder.files.count == 2)
    #expect(try await Self.start(["--folder", "Sources/B"], in: folder).status == 0)
    #expect(folder.files.contains("Sources/B/schema.graphqls"))
  }

  @Test("If the server sends no schema, nothing is written; a schema of one's own is kept")
  func failures() async throws {
    let folder = try Folder()
    try await ScriptedServer.with({ _ in [.write(IntrospectedServer.response("<html>")), .close] }) { server in
      let outcome = try await Tool.run(["start", server.address], in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("a page (HTML)"), "\(outcome.errors)")
    }
    #expect(folder.files == [])
    let usage = try await Tool.run(["start", "http://127.0.0.1", "--header", "Secret"], in: folder)
    #expect(usage.status == 64 && usage.errors.contains("Header 1 has no colon."), "\(usage.errors)")
    #expect(!usage.errors.contains("Secret"))
    try folder.write("# mine\ntype Query { a: Int }", to: "schema.graphqls")
    let own = try await Self.start(in: folder)
    #expect(own.status == 1 && own.errors.contains("--force"), "\(own.errors)")
    #expect(folder.files == ["schema.graphqls"] && folder.text("schema.graphqls")?.hasPrefix("# mine") == true)
  }
}
