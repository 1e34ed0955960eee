// swift-tools-version: 6.2
import PackageDescription

// A server made of a schema, for UI tests and for the command line. It is a package of its own, so that no app that uses
// the client resolves a web server.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func apollo(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "apollo-swift") }
}

let package = Package(
  name: "MockServer",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "ApolloMockServer", targets: ["ApolloMockServer"]),
    .executable(name: "apollo-mock-server", targets: ["apollo-mock-server"]),
  ],
  dependencies: [
    .package(name: "apollo-swift", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "ApolloMockServer",
      dependencies: [
        .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
      ] + apollo("Apollo", "ApolloMocks", "GraphQLExecution", "GraphQLLanguage"),
      resources: [.embedInCode("Page/page.html")], swiftSettings: settings),
    .executableTarget(
      name: "apollo-mock-server",
      dependencies: ["ApolloMockServer", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        + apollo("Apollo", "ApolloMocks", "GraphQLExecution"),
      swiftSettings: settings),
    .testTarget(
      name: "ApolloMockServerTests",
      dependencies: [
        "ApolloMockServer", "apollo-mock-server", .product(name: "FlyingFox", package: "FlyingFox"),
      ]
        + apollo("Apollo", "ApolloMocks", "ApolloWebSocket", "GraphQLExecution"),
      resources: [.embedInCode("schema.graphqls")], swiftSettings: settings,
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
  ])
