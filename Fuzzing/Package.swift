// swift-tools-version: 6.2
import PackageDescription

// Programs that look for inputs on which the package misbehaves: see `make fuzz` and `make differential`.

let apollo = Target.Dependency.product(name: "Apollo", package: "apollo-swift")

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "..")],
  targets: [
    // A selection of every kind. scripts/fuzz.sh generates its Swift: a plugin's tool cannot be linked with the fuzzer.
    .target(name: "FuzzModels", dependencies: [apollo, "ResponseStyles"]),
    .target(name: "ResponseStyles"),
    .target(name: "HostileModels", dependencies: [apollo]),
    // Each fuzz target is a library with libFuzzer's entry point; `--sanitize=fuzzer` brings the main function.
    .executableTarget(
      name: "fuzz-response", dependencies: [apollo, "FuzzModels", "ResponseStyles"],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "fuzz-tables", dependencies: [apollo, "HostileModels"],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "fuzz-syntax", dependencies: [.product(name: "GraphQLLanguage", package: "apollo-swift")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "json-verdicts",
      dependencies: [apollo, "FuzzModels", .product(name: "GraphQLLanguage", package: "apollo-swift")]),
    .executableTarget(
      name: "validation-verdicts", dependencies: [.product(name: "GraphQLLanguage", package: "apollo-swift")]),
  ]
)
