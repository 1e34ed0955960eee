import ApolloCodegenLib
import Testing

@Suite("Names of mocks") struct MockNameTests {
  @Test("A type that is called like the parameter of a mock has a mock of another name")
  func parameter() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { o: O, kind: Kind } type O { id: ID! } enum Kind { A }",
      "A.graphql": "query A { o { id } kind }",
    ])
    let report = folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }
    #expect(!report.hasErrors)
    let mock = try folder.text("Mocks/O_Object+Mock.graphql.swift")
    #expect(mock.contains("extension Mock where O == O_Object {") && mock.contains("static let typename = \"O\""))
    #expect(try folder.text("Mocks/Query+Mock.graphql.swift").contains("o: Mock<O_Object>? = nil"))
  }

  @Test("The parameters of a mock are in the order of the names, as in Apollo iOS, so that arguments fit")
  func order() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { zeta: Int, alpha: Int, Beta: Int, id: ID }",
      "A.graphql": "query A { zeta id alpha Beta }",
    ])
    #expect(!folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }.hasErrors)
    let mock = try folder.text("Mocks/Query+Mock.graphql.swift")
    let names = mock.matches(of: #/(\w+): \w+\? = nil/#).map { String($0.1) }
    #expect(names == ["Beta", "alpha", "id", "zeta"], "\(mock)")
  }

  @Test("A field that is called like a member of each mock has another name", arguments: ["_data", "setError"])
  func members(name: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { \(name): String, other: Int }", "A.graphql": "query A { \(name) other }",
    ])
    #expect(!folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }.hasErrors)
    let mock = try folder.text("Mocks/Query+Mock.graphql.swift")
    #expect(mock.contains("\(name)_: String? = nil") && !mock.contains("self.\(name) ="), "\(mock)")
  }

  @Test("A field that is called hash or all keeps its name, as in Apollo iOS", arguments: ["all", "hash"])
  func kept(name: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { \(name): String, \(name)_: Int, other: Int }",
      "A.graphql": "query A { \(name) \(name)_ other }",
    ])
    #expect(!folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }.hasErrors)
    let mock = try folder.text("Mocks/Query+Mock.graphql.swift")
    #expect(mock.contains("let \(name)_ = MockField<String>(\"\(name)\")"), "\(mock)")
    #expect(
      mock.contains("var \(name): String? { get { self.\(name)_ } set { self.\(name)_ = newValue } }"), "\(mock)")
    #expect(mock.contains("init(\(name): String? = nil, \(name)__: Int? = nil, other: Int? = nil)"), "\(mock)")
    #expect(mock.contains("self.\(name)_ = \(name)\n"), "\(mock)")
  }

  @Test("A list of lists of an interface is a list of lists of what takes any mock")
  func lists() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls":
        "type Query { grid: [[Node!]!]! } interface Node { id: ID! } type A implements Node { id: ID! }",
      "A.graphql": "query A { grid { id } }",
    ])
    let report = folder.generate { $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal) }
    #expect(!report.hasErrors)
    #expect(try folder.text("Mocks/Query+Mock.graphql.swift").contains("grid: [[InterfaceMock]]? = nil"))
  }
}
