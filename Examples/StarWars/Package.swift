// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "StarWars",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "apollo-swift", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // A GraphQL server inside the process: the example needs no network.
    .target(
      name: "StarWarsServer",
      dependencies: [
        .product(name: "GraphQLExecution", package: "apollo-swift"),
        .product(name: "GraphQLLanguage", package: "apollo-swift"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.embedInCode("schema.graphqls")],
      swiftSettings: settings),
    // The client, and the program that shows what it does.
    .executableTarget(
      name: "StarWars",
      dependencies: [
        "StarWarsServer",
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloSQLite", package: "apollo-swift"),
        .product(name: "ApolloWebSocket", package: "apollo-swift"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]),
    // The same server by itself, for curl and GraphiQL.
    .executableTarget(name: "starwars-server", dependencies: ["StarWarsServer"], swiftSettings: settings),
    .testTarget(
      name: "StarWarsServerTests",
      dependencies: [
        "StarWarsServer",
        .product(name: "GraphQLExecution", package: "apollo-swift"),
        .product(name: "GraphQLLanguage", package: "apollo-swift"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      swiftSettings: settings),
  ]
)

// The code blocks of the package's README, which scripts/readme.sh puts there.
if Context.environment["APOLLO_README"] != nil {
  package.targets.append(
    .target(
      name: "Readme",
      dependencies: [
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloWebSocket", package: "apollo-swift"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]))
}
