// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "apollo-swift", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        "People", "Animals", "CDisk", "CHeap", .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloSQLite", package: "apollo-swift"), .product(name: "ApolloUI", package: "apollo-swift"),
        .product(name: "GraphQLLanguage", package: "apollo-swift"),
      ]),
    .target(name: "CHeap"),
    .target(name: "CDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Generated while building, like an app's.
    .target(
      name: "People",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
    .target(
      name: "Animals",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
  ]
)
