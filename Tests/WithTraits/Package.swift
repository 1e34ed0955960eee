// swift-tools-version: 6.2
import PackageDescription

// What this package has behind traits takes minutes to build: the TLS of WebSockets, and the HTTP engine of
// swift-server; and OpenCombine, which few ask for. So it is tested in a package of its own, which asks for the traits as an app would.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func nio(_ products: String...) -> [Target.Dependency] { products.map { .product(name: $0, package: "swift-nio") } }

func apollo(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "apollo-swift") }
}

let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

let package = Package(
  name: "WithTraits",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "apollo-swift", path: "../..", traits: ["AsyncHTTP", "OpenCombine", "WebSocketTLS"]),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(name: "TestWidth", path: "TestWidth"),
    .target(name: "Waiting", dependencies: ["TestWidth"], path: "Waiting", swiftSettings: settings),
    .target(name: "ResponseStyles", path: "ResponseStyles", swiftSettings: settings),
    .target(name: "StyledTests", dependencies: ["ResponseStyles"], path: "StyledTests", swiftSettings: settings),
    .target(
      name: "ScriptedServer",
      dependencies: ["ResponseStyles", "Waiting"] + nio("NIOConcurrencyHelpers", "NIOCore", "NIOPosix"),
      path: "ScriptedServer",
      swiftSettings: settings),
    .target(
      name: "ScriptedWebSocketServer",
      dependencies: ["ResponseStyles", "Waiting"] + nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"),
      path: "ScriptedWebSocketServer", swiftSettings: settings),
    .target(name: "Fixture0041", dependencies: apollo("ApolloAPI"), path: "Fixture0041", swiftSettings: settings),
    .testTarget(
      name: "OpenCombineTests",
      dependencies: ["Fixture0041", "Waiting", .product(name: "OpenCombine", package: "OpenCombine")]
        + apollo("Apollo", "ApolloPagination"),
      path: "OpenCombineTests", swiftSettings: settings),
    .testTarget(
      name: "SecureWebSocketTests",
      dependencies: ["ResponseStyles", "ScriptedWebSocketServer", "Waiting", nioSSL]
        + apollo("Apollo", "ApolloWebSocket")
        + nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"),
      path: "SecureWebSocketTests", swiftSettings: settings),
    .testTarget(
      name: "AsyncHTTPTests",
      dependencies: [
        "ScriptedServer", "StyledTests", "Waiting", nioSSL,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
      ] + apollo("Apollo", "ApolloAsyncHTTP", "ApolloTestSupport", "ApolloWebSocket")
        + nio("NIOCore", "NIOPosix", "NIOHTTP1"),
      path: "AsyncHTTPTests", swiftSettings: settings),
  ])

// The code blocks of the documentation, which scripts/doc-blocks.sh puts there.
if Context.environment["APOLLO_DOCUMENTATION"] != nil {
  package.targets.append(
    .target(
      name: "Documentation",
      dependencies: apollo(
        "Apollo", "ApolloAPI", "ApolloAsyncHTTP", "ApolloCodegenLib", "ApolloPagination", "ApolloSQLite",
        "ApolloWebSocket",
        "GraphQLExecution", "GraphQLLanguage"),
      path: "Documentation", exclude: ["Pages/Manifests"], swiftSettings: [.swiftLanguageMode(.v6)],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]))
}
