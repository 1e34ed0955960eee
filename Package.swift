// swift-tools-version: 6.2
import PackageDescription

/// Set by scripts/swift.sh, and so by all that CI does, but never in a user's build: a warning is a defect, and the
/// examples are given what the tests have.
let isDevelopment = Context.environment["APOLLO_DEVELOPMENT"] != nil
/// Set by scripts/traits.sh: two of the traits bring a copy of BoringSSL, which takes minutes to build.
let hasEveryTrait = Context.environment["APOLLO_TRAITS"] != nil

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (isDevelopment ? [.treatAllWarnings(as: .error)] : [])

/// A library of the target with its name, and of targets that none of its own imports, but its users may.
func product(_ name: String, and more: String...) -> Product { .library(name: name, targets: [name] + more) }

func library(_ name: String, _ dependencies: Target.Dependency..., and more: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies + more, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: Target.Dependency..., and more: [Target.Dependency] = [], path: String? = nil,
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + more + ["Waiting"], path: path, exclude: exclude, swiftSettings: settings)
}

/// What tests share.
func helper(
  _ name: String, _ dependencies: Target.Dependency..., and more: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies + more, path: "Tests/" + name, exclude: exclude, swiftSettings: settings)
}

/// A program that tests or checks run.
func program(_ name: String, _ folder: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests/" + folder, swiftSettings: settings)
}

func nioProducts(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "swift-nio") } }

/// Generated code that the tests compile and run, as in an app whose default isolation is the main actor.
func generatedCode(_ name: String, _ path: String, exclude: [String] = []) -> Target {
  .target(
    name: name, dependencies: ["ApolloAPI", "ApolloFoundation"], path: "Tests/" + path, exclude: exclude,
    swiftSettings: settings + [.defaultIsolation(MainActor.self)])
}

let fixtures = [
  "0001_StarWars", "0002_Names", "0003_Conditions", "0004_Scalars", "0005_Unions", "0006_Foundation",
  "0007_SchemaConfiguration", "0008_Inputs", "0009_Fragments", "0010_Lists", "0011_Documentation", "0012_Mutable",
  "0020_Deferred", "0021_DecodableScalars", "0022_OperationIdentifiers", "0024_Numbers", "0025_LegacyNaming",
  "0030_Found", "0031_AppShapes", "0040_KeysOfTypes", "0041_Pages", "0042_ListEdits", "0043_LocalFields",
  "0050_MappedScalars", "0051_OnDelete", "0052_Ages", "0060_Nulls", "0061_FragmentArguments",
]

/// Code as apps write it, in a language mode of Swift: the same files in each.
func appPieces(_ name: String, _ folder: String, _ mode: SwiftLanguageMode, _ more: [SwiftSetting] = []) -> Target {
  .target(
    name: name, dependencies: ["Apollo", "ApolloPagination", "ApolloWebSocket", "Fixture0001", "Fixture0041"],
    path: "Tests/AppPieces/\(folder)", swiftSettings: [.swiftLanguageMode(mode)] + more)
}

/// What Xcode sets in a new project for an app.
let xcodeDefaults: [SwiftSetting] = [
  .defaultIsolation(MainActor.self),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// GraphQL by itself.
let frontEnd: [Target.Dependency] = ["GraphQLJSON", "GraphQLSyntax", "GraphQLSchema", "GraphQLValidation"]

/// The cache.
let core: [Target.Dependency] = ["ApolloAPI", "ApolloCache", "ApolloConcurrency"]

/// The modules that `Apollo` exports.
let client: [Target.Dependency] =
  ["ApolloTransport", "ApolloOperations", "ApolloHTTP", "ApolloRequestChain", "ApolloOutbox"]
/// The modules that tests look into.
let inside = ["ApolloConcurrency"] + client

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
/// SQLite, with a pool of connections and typed statements.
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

/// SwiftNIO stands in for `URLSessionWebSocketTask` where the system has none.
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map { product in
  Target.Dependency.product(name: product, package: "swift-nio", condition: .when(platforms: [.linux, .android]))
}

/// Its TLS takes longer to build than everything else together, so it is there for those who ask.
let nioTLS = [("NIOSSL", "swift-nio-ssl"), ("NIOTLS", "swift-nio")].map { product, package in
  Target.Dependency.product(
    name: product, package: package, condition: .when(platforms: [.linux, .android], traits: ["WebSocketTLS"]))
}

/// What ApolloAsyncHTTP sends by. It takes minutes to build as well, and is there for those who ask.
let asyncHTTP = [
  ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
  ("NIOPosix", "swift-nio"), ("NIOHTTPCompression", "swift-nio-extras"), ("NIOHTTP2", "swift-nio-http2"),
  ("NIOSSL", "swift-nio-ssl"),
].map { product, package in
  Target.Dependency.product(name: product, package: package, condition: .when(traits: ["AsyncHTTP"]))
}

/// What pagers are publishers of where Apple's Combine is not, for those who ask.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"]))

/// What the tests of the examples share with those of the package.
let testHelpers = Product.library(
  name: "TestHelpers",
  targets: [
    "Waiting", "ResponseStyles", "StyledTests", "ScriptedServer", "ScriptedWebSocketServer", "RandomDocuments",
    "Fixture0041",
  ])

let traits: Set<Trait> = [
  .trait(name: "AsyncHTTP", description: "ApolloAsyncHTTP: requests by AsyncHTTPClient in place of URLSession."),
  .trait(
    name: "OpenCombine", description: "ApolloPagination: pagers are publishers of OpenCombine where Combine is not."),
  .trait(name: "WebSocketTLS", description: "Secure WebSockets (wss) on Linux; Apple's systems need no trait."),
]

let developmentTraits = hasEveryTrait ? Set(traits.map(\.name)) : ["OpenCombine"]

// MARK: - Package
let package = Package(
  name: "apollo-swift",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    product("Apollo", and: "ApolloFoundation"), product("ApolloAPI", and: "ApolloFoundation"),
    product("ApolloCore", and: "ApolloFoundation"),
    product("ApolloWebSocket"), product("ApolloPagination"), product("ApolloSQLite"), product("ApolloAsyncHTTP"),
    product("ApolloTestSupport"), product("ApolloCodegenLib"), product("ApolloMocks"), product("ApolloUI"),
    .library(name: "GraphQLLanguage", targets: ["GraphQLJSON", "GraphQLSyntax", "GraphQLSchema", "GraphQLValidation"]),
    .library(name: "GraphQLExecution", targets: ["GraphQLExecution", "GraphQLJSON"]),
    .executable(name: "apollo-codegen", targets: ["apollo-codegen"]),
    .executable(name: "apollo-inspect", targets: ["apollo-inspect"]),
    .plugin(name: "ApolloCodegenPlugin", targets: ["ApolloCodegenPlugin"]),
    .plugin(name: "ApolloCodegenCommand", targets: ["ApolloCodegenCommand"]),
  ] + (isDevelopment ? [testHelpers] : []),
  traits: traits.union(isDevelopment ? [.default(enabledTraits: developmentTraits)] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // The generator: schema and operations in, Swift text out.
    library("ApolloVersion"), library("ForeignText"), library("ApolloDigest"), library("GraphQLJSON"),
    library("GraphQLSyntax", "ForeignText", "GraphQLJSON"),
    library("GraphQLSchema", "GraphQLJSON", "GraphQLSyntax"),
    library("GraphQLValidation", "GraphQLSyntax", "GraphQLSchema"),
    library("GraphQLExecution", and: frontEnd),
    library("ApolloDirectives", "GraphQLSyntax", "GraphQLSchema", "GraphQLValidation"),
    library("ApolloIR", "ApolloDigest", "ApolloDirectives", and: frontEnd),
    library("ApolloSwiftRenderer", "ApolloDirectives", "ApolloIR", "ForeignText"),
    library("ApolloCodegenLib", "ApolloDirectives", "ApolloIR", "ApolloSwiftRenderer", "ApolloVersion", and: frontEnd),
    .executableTarget(
      name: "apollo-codegen",
      dependencies: ["ApolloCodegenLib", "ApolloSwiftRenderer", "ApolloVersion", "ForeignText", argumentParser]
        + frontEnd,
      swiftSettings: settings),
    .plugin(name: "ApolloCodegenPlugin", capability: .buildTool(), dependencies: ["apollo-codegen"]),
    .plugin(
      name: "ApolloCodegenCommand",
      capability: .command(
        intent: .custom(verb: "apollo-codegen", description: "Generates Swift from GraphQL files."),
        permissions: [.writeToPackageDirectory(reason: "Generated Swift files are written there.")]),
      dependencies: ["apollo-codegen"]),

    // The client: an operation in, typed values out.
    library("ApolloAPI"), library("ApolloJSON", "ApolloAPI"), library("ApolloConcurrency", "ApolloAPI"),
    // The client does not depend on it: an app that makes a type of Foundation a scalar in its own way could not import
    // a module that does.
    library("ApolloFoundation", "ApolloAPI"),
    library("ApolloCache", "ApolloAPI", "ApolloConcurrency"),
    library("ApolloTransport", "ApolloJSON", "ApolloVersion", "ForeignText", and: core),
    library("ApolloOperations", "ApolloTransport", "ForeignText", logging, and: core),
    library("ApolloHTTP", "ApolloTransport", "ApolloOperations", "ForeignText", logging, and: core),
    library("ApolloRequestChain", "ApolloJSON", "ApolloTransport", "ApolloOperations", "ApolloHTTP", and: core),
    library("ApolloOutbox", "ApolloDigest", "ApolloTransport", "ApolloOperations", "ApolloHTTP", and: core),
    library("Apollo", "ApolloJSON", "ForeignText", logging, and: core + client),
    library(
      "ApolloWebSocket", "Apollo", "ApolloAPI", "ApolloCache", "ApolloConcurrency", "ForeignText", logging,
      and: nio + nioTLS),
    library("ApolloAsyncHTTP", "Apollo", "ApolloAPI", and: asyncHTTP),
    library("ApolloUI", "Apollo", "ApolloOutbox", "ApolloPagination", "ApolloTransport", and: core),
    library("ApolloPagination", "Apollo", "ApolloAPI", "ApolloCache", "ApolloConcurrency", openCombine),
    library("ApolloSQLite", "Apollo", "ApolloAPI", "ApolloCache", "ApolloConcurrency", "ForeignText", grdb),
    .executableTarget(
      name: "apollo-inspect", dependencies: ["Apollo", "ApolloCache", "ApolloSQLite", "ForeignText", argumentParser],
      swiftSettings: settings),
    // A name of earlier releases, and tests and previews without a network.
    library("ApolloCore", "Apollo"),
    library(
      "ApolloMocks", "Apollo", "ApolloAPI", "ApolloCache", "ApolloDigest", "ApolloDirectives", "ApolloFoundation",
      "ApolloHTTP", "ApolloJSON", "ApolloOperations", "ApolloRequestChain", "ApolloTransport", "GraphQLExecution",
      and: frontEnd),
    library("ApolloTestSupport", "Apollo", "ApolloMocks", and: core),

    // What tests wait with, and the bound on how many of them run at once.
    .target(name: "TestWidth", path: "Tests/TestWidth"),
    helper("Waiting", "TestWidth"),
    // A cache on disk, for tests that run over every backend.
    helper("DiskCaches", "ApolloAPI", "ApolloCache", "ApolloSQLite"),
    // JSON in the styles of common servers, and tests that run in each of them.
    helper("ResponseStyles"),
    helper("StyledTests", "ResponseStyles"),
    // Texts that everything which reads JSON has to agree on.
    helper("JSONCases", exclude: ["LICENSE-JSONTestSuite", "json-test-suite.tsv"]),
    helper("HostileModels", "ApolloAPI"),
    // Two modules that make one type a scalar in different forms.
    helper("FirstForms", "ApolloAPI"), helper("SecondForms", "ApolloAPI"),
    helper(
      "ScriptedServer", "ResponseStyles", "Waiting", and: nioProducts("NIOConcurrencyHelpers", "NIOCore", "NIOPosix")),
    helper(
      "ScriptedWebSocketServer", "ResponseStyles", "Waiting",
      and: nioProducts("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket")),
    // Random schemas, documents and responses, and what a naive client makes of them.
    helper("RandomDocuments", "GraphQLSyntax", "GraphQLSchema", "GraphQLExecution"),
    // Servers of other projects, as processes.
    helper("PeerServers", "Waiting", exclude: ["README.md", "Servers"]),
    // Holds the front end against recordings of the reference implementation.
    helper("GraphQLConformance", "GraphQLExecution", and: frontEnd, exclude: ["known-failures.txt"]),
    program("apollo-conformance", "ConformanceRunner", "GraphQLConformance", argumentParser),
    // Fetches one query, in a process that what a server sends may stop.
    program("fetch-once", "FetchOnce", "Apollo"),
    // Subscribes at a server that floods it, in a process with a limit of memory.
    program("flooded-client", "FloodedClient", "Apollo", "ApolloWebSocket"),
    // Writes to a file of SQLite, in a process that tests stop at any moment.
    program("sqlite-writer", "SQLiteWriter", "ApolloCache", "ApolloSQLite"),
    // Sends what is in an outbox on disk, in a process that tests stop at any moment.
    program("outbox-sender", "OutboxSender", "Apollo", "ApolloSQLite"),
    appPieces("AppPieces", "Pieces", .v6),
    appPieces("AppPiecesInSwift5", "PiecesInSwift5", .v5),
    appPieces("AppPiecesInXcode", "PiecesInXcode", .v6, xcodeDefaults),
    tests(
      "AppPiecesTests", "Apollo", "ApolloCache", "ApolloWebSocket", "AppPieces", "AppPiecesInSwift5",
      "AppPiecesInXcode", "Fixture0001", "ScriptedServer", path: "Tests/AppPieces/Tests"),
    tests("GraphQLJSONTests", "GraphQLJSON", "JSONCases"),
    tests("GraphQLSyntaxTests", "ForeignText", "GraphQLSyntax"),
    tests("GraphQLSchemaTests", "GraphQLJSON", "GraphQLSyntax", "GraphQLSchema"),
    tests("GraphQLValidationTests", "GraphQLConformance", and: frontEnd),
    tests("GraphQLExecutionTests", "GraphQLExecution", and: frontEnd),
    tests(
      "ApolloCodegenLibTests", "ApolloCodegenLib", "ApolloDigest", "ApolloDirectives", "ApolloIR", "ForeignText",
      "ApolloSwiftRenderer", "ScriptedServer", "StyledTests", and: frontEnd, exclude: ["Fixtures", "ledger.txt"]),
    tests(
      "ApolloCodegenCommandTests", "apollo-codegen", "GraphQLSyntax", "GraphQLSchema", "GraphQLExecution",
      "ScriptedServer", "PeerServers"),
    // What an earlier generator wrote, which the library still has to run.
    generatedCode("EarlierGeneratedCode", "EarlierGeneratedCode", exclude: ["README.md"]),
    tests(
      "GeneratedCodeTests", "ApolloAPI", "ApolloCache", "ApolloFoundation", "ApolloTestSupport", "EarlierGeneratedCode",
      "ResponseStyles", "StyledTests", and: fixtures.map { .byName(name: "Fixture" + $0.prefix(4)) }),
    tests(
      "ApolloAPITests", "ApolloAPI", "ApolloCache", "GraphQLJSON", "HostileModels", "JSONCases", "ResponseStyles",
      "StyledTests"),
    tests(
      "ApolloFoundationTests", "ApolloAPI", "ApolloFoundation", "ApolloJSON", "FirstForms", "SecondForms",
      "StyledTests"),
    tests(
      "CacheBehaviorTests", "Apollo", "ApolloAPI", "ApolloCache", "ApolloCodegenLib", "ApolloIR", "ApolloSwiftRenderer",
      "DiskCaches", "GraphQLSyntax", "GraphQLSchema", "GraphQLValidation", "GraphQLExecution", "RandomDocuments",
      "ResponseStyles", "StyledTests", and: inside),
    tests(
      "ApolloCacheTests", "ApolloAPI", "ApolloCache", "ApolloSQLite", "ApolloTestSupport", "DiskCaches",
      "ResponseStyles", "StyledTests", and: inside),
    tests(
      "ApolloSQLiteTests", "Apollo", "ApolloAPI", "ApolloCache", "ApolloSQLite", "ApolloTestSupport", "StyledTests",
      "sqlite-writer", "apollo-inspect", grdb, and: inside, exclude: ["Files"]),
    tests(
      "ApolloTests", "Apollo", "ApolloAPI", "ApolloCache", "ApolloCore", "ApolloFoundation", "ApolloTestSupport",
      "DiskCaches", "ScriptedServer", "ResponseStyles", "StyledTests", "Fixture0008", "Fixture0020", "Fixture0040",
      "Fixture0042", "Fixture0043", "Fixture0060", logging, and: inside),
    tests(
      "ApolloHTTPTests", "Apollo", "ApolloCache", "ScriptedServer", "PeerServers", "ResponseStyles", "StyledTests",
      "fetch-once", "Fixture0022", logging, and: inside),
    tests(
      "ApolloPaginationTests", "Apollo", "ApolloAPI", "ApolloCache", "ApolloPagination", "AppPieces",
      "AppPiecesInSwift5", "Fixture0041", "ResponseStyles", "StyledTests", and: inside),
    tests(
      "OutboxTests", "Apollo", "ApolloAPI", "ApolloCache", "ApolloSQLite", "ApolloTestSupport", "ApolloWebSocket",
      "Fixture0042", "ResponseStyles", "ScriptedServer", "StyledTests", "apollo-inspect", "outbox-sender", grdb,
      and: inside, exclude: ["Files"]),
    tests(
      "ApolloMocksTests", "Apollo", "ApolloTestSupport", "RandomDocuments", "Fixture0001",
      and: ["ApolloMocks", "GraphQLExecution"] + frontEnd),
    tests("ApolloUITests", "Apollo", "ApolloMocks", "ApolloPagination", "ApolloTestSupport", "ApolloUI", "StyledTests"),
    tests(
      "TransportTests", "Apollo", "ApolloSQLite", "ApolloTestSupport", "ApolloWebSocket", "ScriptedServer",
      "ScriptedWebSocketServer", and: inside),
    tests(
      "ApolloWebSocketTests", "Apollo", "ApolloTestSupport", "ApolloWebSocket", "ScriptedServer",
      "ScriptedWebSocketServer", "PeerServers", "ResponseStyles", "StyledTests", "flooded-client", "Fixture0020",
      and: inside + nio),
  ] + fixtures.map { generatedCode("Fixture" + $0.prefix(4), "ApolloCodegenLibTests/Fixtures/\($0)/expected") }
)
