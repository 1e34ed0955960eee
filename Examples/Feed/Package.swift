// swift-tools-version: 6.2
import PackageDescription

// A list that grows page by page, with hearts that turn red at once and turn back if the server refuses.

let package = Package(
  name: "Feed",
  platforms: [.macOS(.v14), .iOS(.v17)],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: [
    // The schema, which the app and the server share.
    .target(name: "FeedSchema", resources: [.embedInCode("schema.graphqls")]),
    // A server inside of the process, which can be told to fail.
    .target(
      name: "FeedServer",
      dependencies: [
        "FeedSchema",
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "GraphQLExecution", package: "apollo-swift"),
        .product(name: "GraphQLLanguage", package: "apollo-swift"),
      ]),
    // The app. Its model and its view are what an app for iOS has; Program.swift draws them in a terminal.
    .executableTarget(
      name: "Feed",
      dependencies: [
        "FeedSchema", "FeedServer",
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloPagination", package: "apollo-swift"),
      ],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
    .testTarget(
      name: "FeedTests",
      dependencies: ["Feed", "FeedServer", .product(name: "Apollo", package: "apollo-swift")]),
  ]
)
