// swift-tools-version: 6.2
import PackageDescription

// The example of the documentation of the GraphQL front end. It builds the three targets of `GraphQLLanguage` alone.
let package = Package(
  name: "language-example",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: [
    .executableTarget(
      name: "check-query", dependencies: [.product(name: "GraphQLLanguage", package: "apollo-swift")])
  ]
)
