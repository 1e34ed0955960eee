import ApolloCodegenLib
import Foundation
import Testing

/// Public applications, as their authors wrote them.
@Suite("Real projects") struct ProjectTests {
  static let folder = Paths.shared.appendingPathComponent("projects")

  struct Project: CustomTestStringConvertible {
    var name: String
    var operations: Int
    var errors: [String] = []
    var testDescription: String { name }
  }

  static let projects = [
    Project(name: "anilist-ios", operations: 4), Project(name: "buildkite-terraform", operations: 70),
    Project(name: "gitscope-github", operations: 3), Project(name: "graphqlswift-demo", operations: 1),
    Project(name: "kickstarter-android", operations: 55), Project(name: "pkdb-hasura", operations: 8),
    Project(name: "rocketreserver-ios", operations: 5), Project(name: "shopify-mobilebuy-sample", operations: 5),
    Project(name: "spotify-showcase-ios", operations: 10), Project(name: "tpu-mac", operations: 23),
    Project(
      name: "saleor-storefront", operations: 0,
      errors: ["Cannot query field \"checkoutLineDelete\" on type \"Mutation\"."]),
    Project(
      name: "swapi-graphiql-examples", operations: 0,
      errors: Array(repeating: "This query has no name, so no type can be generated for it.", count: 8)
        + ["There can be only one fragment named \"pilotFragment\"."]),
  ]

  @Test(
    "Code is generated for every project, or its mistakes are found",
    .enabled(if: FileManager.default.fileExists(atPath: folder.path), "the reference material is not there"),
    arguments: projects)
  func generates(project: Project) throws {
    let output = try TemporaryFolder()
    let folder = Self.folder.appendingPathComponent(project.name)
    var configuration = ApolloCodegenConfiguration()
    configuration.input.schemaSearchPaths = ["schema.*"]
    configuration.input.operationSearchPaths = ["ops/**/*.graphql"]
    configuration.output.path = output.url.path
    let report = ApolloCodegen(configuration, root: folder).generate()
    #expect(report.diagnostics.filter { $0.severity == .error }.map(\.message) == project.errors)
    #expect(report.operationCount == project.operations)
    #expect(output.files.isEmpty == !project.errors.isEmpty)
  }
}
