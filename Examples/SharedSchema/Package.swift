// swift-tools-version: 6.2
import PackageDescription

// Several targets with operations share the types of one schema, which are generated once, in a target of their own.
// apollo-codegen-config.json says so: the module type "other", and operations that are "relative".

let codegen = Target.PluginUsage.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")
let apollo = Target.Dependency.product(name: "Apollo", package: "apollo-swift")

let package = Package(
  name: "SharedSchema",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: [
    .target(name: "LibraryAPI", dependencies: [apollo], plugins: [codegen]),
    .target(name: "Catalog", dependencies: ["LibraryAPI", apollo], plugins: [codegen]),
    .executableTarget(name: "Library", dependencies: ["Catalog", "LibraryAPI", apollo], plugins: [codegen]),
  ]
)
