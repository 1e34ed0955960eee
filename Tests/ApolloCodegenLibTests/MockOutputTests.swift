import ApolloCodegenLib
import Foundation
import Testing

@Suite("Files of mocks") struct MockOutputTests {
  @Test("Mocks of types that differ in case only, or are called like something else, have names and files of their own")
  func mockNames() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls":
        "type Query { a: hero, b: Hero, c: Mock, d: String_ } type hero { id: ID } type Hero { id: ID } "
        + "type Mock { error: Error! } type Error { id: ID } type String_ { id: ID }",
      "A.graphql": "query A { a { id } b { id } c { error { id } } d { id } }",
    ])
    let report = folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }
    #expect(!report.hasErrors)
    #expect(
      folder.files.filter { $0.hasPrefix("Mocks") } == [
        "Mocks/Error_Object+Mock.graphql.swift", "Mocks/Hero+Mock.graphql.swift", "Mocks/Hero_+Mock.graphql.swift",
        "Mocks/Mock_Object+Mock.graphql.swift", "Mocks/Query+Mock.graphql.swift", "Mocks/String_+Mock.graphql.swift",
      ])
    let mock = try folder.text("Mocks/Mock_Object+Mock.graphql.swift")
    #expect(mock.contains(#"let error = MockField<Mock<Error_Object>>("error", default: Mock<Error_Object>())"#))
    #expect(mock.contains("static let typename = \"Mock\""))
  }

  @Test("Mocks alone are written to their folder, and nothing else is written or removed")
  func mocksOnly() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { at: Date! } scalar Date", "A.graphql": "query A { at }",
    ])
    let mocks: (inout ApolloCodegenConfiguration) -> Void = {
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal)
      $0.output.part = .mocks
    }
    let report = folder.generate(mocks)
    #expect(!report.hasErrors && report.changedFiles.count == 1)
    #expect(folder.files == ["A.graphql", "Mocks/Query+Mock.graphql.swift", "schema.graphqls"])
    _ = folder.generate()
    let all = folder.files
    #expect(folder.generate(mocks).removedFiles == [] && folder.files == all)
  }

  @Test(
    "Mocks for a test target are one file, for the module that it tests",
    arguments: [
      (
        ApolloCodegenConfiguration.ModuleType.sameModule(accessLevel: .internal), false, "@testable import Books",
        "Books.Kind"
      ),
      (.embeddedInTarget(name: "Books", accessLevel: .public), false, "import Books", "API.Kind"),
      (.other, true, "import API", "API.Kind"),
    ])
  func mocksOfModule(
    module: ApolloCodegenConfiguration.ModuleType, isDivided: Bool, import line: String, type: String
  ) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: Hero } type Hero { kind: Kind } enum Kind { A }",
      "A.graphql": "query A { hero { kind } }",
    ])
    let report = folder.generate {
      $0.schemaNamespace = "API"
      $0.output.moduleType = module
      if isDivided { $0.output.operations = .relative(subpath: nil, accessLevel: .public) }
      $0.output.redirect(to: "out", part: .mocks, mocksOf: "Books")
    }
    #expect(report.diagnostics == [])
    #expect(folder.files == ["A.graphql", "out/Mocks.graphql.swift", "schema.graphqls"])
    let text = try folder.text("out/Mocks.graphql.swift")
    #expect(text.contains("\n\(line)\n"), "\(text)")
    #expect(text.contains("MockField<GraphQLEnum<\(type)>>(\"kind\")"), "\(text)")
    #expect(text.contains("enum Query: MockObject") && text.contains("enum Hero: MockObject"))
  }

  @Test("Mocks have a field for each that is selected, with all its aliases")
  func mocks() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { node: Node!, nodes: [Node]!, hero: Hero }
      interface Node { id: ID! }
      type Hero implements Node { id: ID!, name: String!, unused: Int, friends: [Hero!] }
      """,
      "A.graphql": "query A { node { id } nodes { uid: id } hero { first: name name friends { id } } }",
    ])
    _ = folder.generate {
      $0.output.moduleType = .swiftPackage(.local(path: ".."))
      $0.output.testMocks = .swiftPackage(targetName: nil)
      $0.schemaNamespace = "HeroAPI"
    }
    let hero = try folder.text("out/TestMocks/Hero+Mock.graphql.swift")
    #expect(hero.contains(#"public let id = MockField<String>("id", responseKeys: ["id", "uid"], default: "")"#))
    #expect(
      hero.contains(#"public let name = MockField<String>("name", responseKeys: ["first", "name"], default: "")"#))
    #expect(hero.contains(#"public let friends = MockField<[Mock<Hero>]>("friends")"#))
    #expect(!hero.contains("unused"))
    let query = try folder.text("out/TestMocks/Query+Mock.graphql.swift")
    #expect(query.contains("hero: Mock<Hero>? = nil, node: (any AnyMock)? = nil, nodes: [(any AnyMock)?]? = nil"))
    #expect(try folder.text("out/Package.swift").contains(#"name: "HeroAPITestMocks""#))
  }

  @Test("Each alias has a field of its own, but for one that is the name of a field or stands for several fields")
  func aliases() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { events(past: Boolean!): [Event!]!, title: String, name: String }
      type Event { id: ID! }
      """,
      "A.graphql": "query A { past: events(past: true) { id } upcoming: events(past: false) { id } both: title }",
      "B.graphql": "query B { both: name title: name }",
    ])
    let report = folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }
    #expect(!report.hasErrors)
    let mock = try folder.text("Mocks/Query+Mock.graphql.swift")
    #expect(
      mock.contains(
        #"let events = MockField<[Mock<Event>]>("events", responseKeys: ["past", "upcoming"], default: [])"#), "\(mock)"
    )
    #expect(mock.contains(#"let past = MockField<[Mock<Event>]>("events", alias: "past")"#), "\(mock)")
    #expect(mock.contains(#"let upcoming = MockField<[Mock<Event>]>("events", alias: "upcoming")"#), "\(mock)")
    #expect(mock.contains("var all: [AnyMockField] { [events.erased, name.erased, title.erased] }"), "\(mock)")
    let names = mock.matches(of: #/(\w+): \S+\? = nil/#).map { String($0.1) }
    #expect(names == ["events", "name", "past", "title", "upcoming"], "\(mock)")
  }

  @Test("The mocks of a package are in a folder that is called like their target, as in Apollo iOS, and go with it")
  func folderOfTarget() throws {
    let folder = try TemporaryFolder(["schema.graphqls": "type Query { a: Int }", "A.graphql": "query A { a }"])
    let targets: [(String?, String)] = [
      (nil, "TestMocks"), ("heroMocks", "HeroMocks"), ("appMocks", "AppMocks"), (nil, "TestMocks"),
      ("heroMocks", "HeroMocks"),
    ]
    for (target, name) in targets {
      let report = folder.generate {
        $0.output.moduleType = .swiftPackage(.local(path: ".."))
        $0.output.testMocks = .swiftPackage(targetName: target)
      }
      #expect(report.diagnostics == [])
      let mocks = folder.files.filter { $0.hasSuffix("+Mock.graphql.swift") }
      #expect(mocks == ["out/\(name)/Query+Mock.graphql.swift"])
      #expect(try folder.text("out/Package.swift").contains("path: \"\(name)\""))
    }
    let absolute = folder.generate {
      $0.output.moduleType = .swiftPackage(.local(path: ".."))
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .public)
    }
    #expect(absolute.removedFiles == [folder.url.appendingPathComponent("out/HeroMocks/Query+Mock.graphql.swift").path])
    _ = folder.generate {
      $0.output.moduleType = .swiftPackage(.local(path: ".."))
      $0.output.testMocks = .swiftPackage(targetName: "heroMocks")
    }
    let report = folder.generate { $0.output.moduleType = .other }
    #expect(report.diagnostics == [])
    let rest = folder.files.filter { $0.hasPrefix("out/HeroMocks/") || $0 == "out/Package.swift" }
    #expect(rest == [])
  }

  @Test("A type of which only the name of the type is selected has a mock, as in Apollo iOS")
  func mocksWithoutFields() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { s: [S!]! } union S = A | B type A { id: ID! } type B { id: ID! } "
        + "type Mutation { d: B! }",
      "A.graphql": "query Q { s { ... on A { id } } } mutation M { d { __typename } }",
    ])
    let report = folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }
    #expect(!report.hasErrors)
    let mock = try folder.text("Mocks/B+Mock.graphql.swift")
    #expect(mock.contains("enum B: MockObject") && mock.contains("var all: [AnyMockField] { [] }"), "\(mock)")
    #expect(!mock.contains("convenience init"))
    #expect(
      try folder.text("Mocks/Mutation+Mock.graphql.swift").contains(#"MockField<Mock<B>>("d", default: Mock<B>())"#))
  }

  @Test("Only a scalar for which the configuration has a type has no default in a mock")
  func scalarDefaults() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { at: Date!, by: When!, maybe: When } scalar Date scalar When",
      "A.graphql": "query A { at by maybe }",
    ])
    _ = folder.generate {
      $0.schemaNamespace = "API"
      $0.output.moduleType = .other
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal)
      $0.rendering.customScalars = ["Date": .init(type: "Date", module: "Foundation")]
    }
    let mock = try folder.text("Mocks/Query+Mock.graphql.swift")
    #expect(mock.contains(#"let at = MockField<API.Date>("at", default: nil)"#), "\(mock)")
    #expect(mock.contains(#"let by = MockField<API.When>("by", defaultText: "")"#), "\(mock)")
    #expect(mock.contains(#"let maybe = MockField<API.When>("maybe")"#), "\(mock)")
  }
}
