// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Generated code of public applications, each in a module of its own, and a program that executes their operations.
// scripts/projects.sh generates what is compiled here.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let modules =
  ((try? FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/Generated")) ?? [])
  .filter { !$0.hasPrefix(".") }.sorted()

let apollo = Target.Dependency.product(name: "Apollo", package: "apollo-swift")

let package = Package(
  name: "RealProjects",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: modules.map { module in
    .target(
      name: module, dependencies: [apollo], path: "Generated/" + module,
      // As in an app whose default isolation is the main actor. scripts/projects.sh checks the other default.
      swiftSettings: settings + [.defaultIsolation(MainActor.self)])
  } + [
    .executableTarget(
      name: "round-trip",
      dependencies: [
        apollo,
        .product(name: "ApolloCodegenLib", package: "apollo-swift"),
        .product(name: "GraphQLExecution", package: "apollo-swift"),
        .product(name: "GraphQLLanguage", package: "apollo-swift"),
      ] + modules.map { .byName(name: $0) },
      swiftSettings: settings)
  ]
)
