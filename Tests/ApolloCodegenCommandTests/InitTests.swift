import Testing

@Suite("apollo-codegen init") struct InitTests {
  @Test("The type of a module that releases 1.x call swiftPackageManager is swiftPackage")
  func swiftPackageManager() async throws {
    let folder = try Folder()
    let flags = ["init", "-n", "A", "--print", "-m"]
    let older = try await Tool.run(flags + ["swiftPackageManager"], in: folder)
    let newer = try await Tool.run(flags + ["swiftPackage"], in: folder)
    #expect(older.status == 0, "\(older.errors)")
    #expect(older.output == newer.output && older.output.contains(#""swiftPackage": {}"#))
    let help = try await Tool.run(["init", "--help"], in: folder)
    #expect(!help.output.contains("swiftPackageManager"))
  }

  @Test("The folders of the file are made")
  func folders() async throws {
    let folder = try Folder()
    let outcome = try await Tool.run(["init", "-n", "A", "-m", "other", "-p", "a/b/c.json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.files == ["a/b/c.json"])
  }

  @Test("embeddedInTarget needs the name of a target", arguments: [[], ["-t", ""]])
  func targetName(arguments: [String]) async throws {
    let folder = try Folder()
    let outcome = try await Tool.run(["init", "-n", "A", "-m", "embeddedInTarget"] + arguments, in: folder)
    #expect(outcome.status == 64 && outcome.errors.contains("--target-name is needed"), "\(outcome.errors)")
    #expect(folder.files == [])
  }
}
