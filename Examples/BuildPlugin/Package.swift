// swift-tools-version: 6.2
import PackageDescription

// The build plugin generates Swift whenever a .graphql file or the schema has changed. Nothing generated is checked in.

let package = Package(
  name: "BuildPlugin",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: [
    // The schema, which several targets may share.
    .target(name: "BookSchema", exclude: ["schema.graphqls"]),
    .executableTarget(
      name: "Books",
      dependencies: ["BookSchema", .product(name: "Apollo", package: "apollo-swift")],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
    // Without .graphql files of its own, a test target gets mocks of what it tests.
    .testTarget(
      name: "BookMockTests",
      dependencies: ["Books", .product(name: "ApolloTestSupport", package: "apollo-swift")],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
  ]
)
