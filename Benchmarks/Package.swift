// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "ApolloAPI", package: "apollo-swift"),
        .product(name: "Apollo", package: "apollo-swift"),
      ])
  ]
)
