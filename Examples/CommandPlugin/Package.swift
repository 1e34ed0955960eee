// swift-tools-version: 6.2
import PackageDescription

// What is generated is checked in, and an app that only builds this needs no generator. After an edit of a .graphql file:
//
//   swift package --allow-writing-to-package-directory apollo-codegen
//
// and in continuous integration, which fails if somebody has forgotten that:
//
//   swift package --allow-writing-to-package-directory apollo-codegen generate --check

let package = Package(
  name: "CommandPlugin",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Books", targets: ["Books"])],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: [
    .target(
      name: "Books", dependencies: [.product(name: "Apollo", package: "apollo-swift")],
      exclude: ["GraphQL"]),
    .testTarget(
      name: "BooksTests",
      dependencies: ["Books", .product(name: "ApolloTestSupport", package: "apollo-swift")]),
  ]
)
