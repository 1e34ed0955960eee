import ApolloCodegenLib
import Foundation
import Testing

/// What a file says of its origin decides whether it is one of an earlier run.
@Suite("Files of other layouts and of other configurations") struct OtherLayoutTests {
  typealias Layout = @Sendable (inout ApolloCodegenConfiguration.Output) -> Void

  static let layouts: [Layout] = [
    { $0.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal) },
    {
      $0.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      $0.operations = .relative(subpath: nil, accessLevel: .internal)
    },
    { $0.moduleType = .sameModule(accessLevel: .internal) },
    {
      $0.moduleType = .sameModule(accessLevel: .internal)
      $0.operations = .relative(subpath: nil, accessLevel: .internal)
    },
    { $0.moduleType = .swiftPackage(.local(path: "../apollo")) },
    { $0.singleFile = "API/All.swift" },
    {
      $0.moduleType = .other
      $0.operations = .absolute(path: "Elsewhere", accessLevel: .public)
    },
  ]

  /// Of the last two, no later configuration says where their files are.
  @Test("Where the layout changes, no type is declared twice", arguments: layouts.indices.dropLast(2), layouts.indices)
  func changes(from old: Int, to new: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero(kind: Kind): String } enum Kind { A }",
      "ops/Hero.graphql": "query Hero($kind: Kind) { hero(kind: $kind) }",
    ])
    for layout in [old, new] {
      let report = folder.generate {
        $0.output.path = "API"
        Self.layouts[layout](&$0.output)
      }
      #expect(!report.hasErrors)
    }
    let code = try folder.files.filter { $0.hasSuffix(".swift") }.map { try folder.text($0) }.joined()
    for declaration in ["struct HeroQuery:", "enum Kind:"] {
      #expect(code.components(separatedBy: declaration).count == 2, "\(declaration) \(folder.files)")
    }
  }

  /// The searches and the layout of a configuration that does not read the documents in `App/Admin`.
  static let mains: [(exclusion: String, layout: Layout)] = [
    ("!App/Admin/**", layouts[1]), ("!App/Admin/*.graphql", layouts[1]), ("!App/Admin/*.graphql", layouts[3]),
    (
      "!App/Admin/**",
      {
        $0.moduleType = .sameModule(accessLevel: .internal)
        $0.path = "App/Admin"
      }
    ),
  ]

  static let admins: [Layout] = [
    layouts[0], layouts[1],
    {
      $0.moduleType = .other
      $0.operations = .relative(subpath: "Generated", accessLevel: .internal)
    },
    { $0.moduleType = .other },
  ]

  @Test("Two configurations whose searches overlap keep each other's files", arguments: mains.indices, admins.indices)
  func twoConfigurations(main: Int, admin: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "App/Main/Hero.graphql": "query Hero { hero }",
      "App/Main/Other.graphql": "query Other { hero }", "App/Admin/AdminHero.graphql": "query AdminHero { hero }",
    ])
    func generateMain() -> [String] {
      folder.generate {
        $0.schemaNamespace = "MainAPI"
        $0.input.operationSearchPaths = ["**/*.graphql", Self.mains[main].exclusion]
        $0.output.path = "App/MainAPI"
        Self.mains[main].layout(&$0.output)
      }.removedFiles.map { $0.replacingOccurrences(of: folder.url.path + "/", with: "") }
    }
    func generateAdmin() -> ApolloCodegen.Report {
      folder.generate {
        $0.schemaNamespace = "AdminAPI"
        $0.input.operationSearchPaths = ["App/Admin/**/*.graphql"]
        $0.output.path = "App/AdminAPI"
        Self.admins[admin](&$0.output)
      }
    }
    #expect(!generateAdmin().hasErrors)
    #expect(generateMain() == [])
    #expect(generateAdmin().changedFiles == [] && generateAdmin().removedFiles == [])
    let own = folder.files.filter { $0.hasSuffix("/Other.graphql.swift") }
    #expect(own.count == 1)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("App/Main/Other.graphql"))
    #expect(generateMain() == own)
  }
}
