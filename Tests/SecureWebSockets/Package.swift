// swift-tools-version: 6.2
import PackageDescription

// Secure WebSockets need SwiftNIO's TLS, whose build takes minutes. So they are tested in a package of their own, which
// asks for them as an app would.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map { product in
  Target.Dependency.product(name: product, package: "swift-nio")
}

let package = Package(
  name: "SecureWebSockets",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "apollo-swift", path: "../..", traits: ["WebSocketTLS"]),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    .target(name: "ResponseStyles", path: "ResponseStyles", swiftSettings: settings),
    .target(
      name: "ScriptedWebSocketServer", dependencies: ["ResponseStyles"] + nio, path: "ScriptedWebSocketServer",
      swiftSettings: settings),
    .testTarget(
      name: "SecureWebSocketTests",
      dependencies: [
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloWebSocket", package: "apollo-swift"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        "ResponseStyles", "ScriptedWebSocketServer",
      ] + nio,
      path: "Tests", swiftSettings: settings),
  ])
