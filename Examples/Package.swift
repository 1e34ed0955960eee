// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Every example, in one package: `swift run --package-path Examples StarWars`. README.md says what each of them shows.
//
// With APOLLO_DEVELOPMENT=1, as scripts/swift.sh sets it, the package also has what only the development of apollo-swift
// needs: the code blocks of README and documentation, and the code of public applications. All of it is built once, in one
// folder. With APOLLO_TRAITS=1, as scripts/traits.sh sets it, there are also the tests of two traits that take minutes to
// build.
let isDevelopment = Context.environment["APOLLO_DEVELOPMENT"] != nil
let hasEveryTrait = Context.environment["APOLLO_TRAITS"] != nil

// MARK: - Products that the examples use

func apollo(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "apollo-swift") }
}

func nio(_ products: String...) -> [Target.Dependency] { products.map { .product(name: $0, package: "swift-nio") } }

let flyingFox: [Target.Dependency] = [
  .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
]
let codegen: [Target.PluginUsage] = [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// MARK: - The examples

let examples: [Target] = [
  // Everything in one program, which `make demo` runs. The server is inside of the process: it needs no network.
  .target(
    name: "StarWarsServer", dependencies: apollo("GraphQLExecution", "GraphQLLanguage") + flyingFox,
    path: "StarWars/Sources/StarWarsServer", resources: [.embedInCode("schema.graphqls")], swiftSettings: strict),
  .executableTarget(
    name: "StarWars", dependencies: ["StarWarsServer"] + apollo("Apollo", "ApolloSQLite", "ApolloWebSocket"),
    path: "StarWars/Sources/StarWars", swiftSettings: strict, plugins: codegen),
  // The same server by itself, for curl and GraphiQL.
  .executableTarget(
    name: "starwars-server", dependencies: ["StarWarsServer"], path: "StarWars/Sources/starwars-server",
    swiftSettings: strict),
  .testTarget(
    name: "StarWarsServerTests",
    dependencies: ["StarWarsServer"] + apollo("GraphQLExecution", "GraphQLLanguage") + flyingFox,
    path: "StarWars/Tests/StarWarsServerTests", swiftSettings: strict),

  // A list that grows page by page, with hearts that turn red at once and turn back if the server refuses.
  // The schema, which the app and the server share:
  .target(
    name: "FeedSchema", path: "Feed/Sources/FeedSchema", resources: [.embedInCode("schema.graphqls")]),
  // A server inside of the process, which can be told to fail.
  .target(
    name: "FeedServer", dependencies: ["FeedSchema"] + apollo("Apollo", "GraphQLExecution", "GraphQLLanguage"),
    path: "Feed/Sources/FeedServer"),
  // The app. Its model and its view are what an app for iOS has; Program.swift draws them in a terminal.
  .executableTarget(
    name: "Feed", dependencies: ["FeedSchema", "FeedServer"] + apollo("Apollo", "ApolloPagination"),
    path: "Feed/Sources/Feed", plugins: codegen),
  .testTarget(
    name: "FeedTests", dependencies: ["Feed", "FeedServer"] + apollo("Apollo"), path: "Feed/Tests/FeedTests"),

  // An app with screens: a list with pages and a search, a detail, likes that wait for a network.
  // What it does without a screen, which is tested on Linux as well:
  .target(
    name: "RocketsModel", dependencies: apollo("Apollo", "ApolloMocks", "ApolloUI"),
    path: "Rockets/Sources/RocketsModel", resources: [.embedInCode("schema.graphqls")], plugins: codegen),
  // Its screens, in SwiftUI. On Linux, Program.swift draws them in a terminal.
  .executableTarget(
    name: "Rockets", dependencies: ["RocketsModel"] + apollo("Apollo", "ApolloSQLite", "ApolloUI"),
    path: "Rockets/Sources/Rockets"),
  .testTarget(
    name: "RocketsTests", dependencies: ["RocketsModel"] + apollo("Apollo", "ApolloUI"),
    path: "Rockets/Tests/RocketsTests"),

  // The build plugin generates Swift whenever a .graphql file or the schema has changed. Nothing generated is checked in.
  // The schema, which several targets may share:
  .target(name: "BookSchema", path: "BuildPlugin/Sources/BookSchema", exclude: ["schema.graphqls"]),
  .executableTarget(
    name: "Books", dependencies: ["BookSchema"] + apollo("Apollo"), path: "BuildPlugin/Sources/Books", plugins: codegen),
  // Without .graphql files of its own, a test target gets mocks of what it tests.
  .testTarget(
    name: "BookMockTests", dependencies: ["Books"] + apollo("ApolloTestSupport"),
    path: "BuildPlugin/Tests/BookMockTests", plugins: codegen),

  // Several targets with operations share the types of one schema, which are generated once, in a target of their own.
  // SharedSchema/apollo-codegen-config.json says so: the module type "other", and operations that are "relative".
  .target(
    name: "LibraryAPI", dependencies: apollo("Apollo"), path: "SharedSchema/Sources/LibraryAPI", plugins: codegen),
  .target(
    name: "Catalog", dependencies: ["LibraryAPI"] + apollo("Apollo"), path: "SharedSchema/Sources/Catalog",
    plugins: codegen),
  .executableTarget(
    name: "Library", dependencies: ["Catalog", "LibraryAPI"] + apollo("Apollo"), path: "SharedSchema/Sources/Library",
    plugins: codegen),

  // What is generated is checked in, and an app that only builds this needs no generator. README.md has the command that
  // generates it anew, and the one for continuous integration.
  .target(
    name: "Shelves", dependencies: apollo("Apollo"), path: "CommandPlugin/Sources/Shelves", exclude: ["GraphQL"]),
  .testTarget(
    name: "ShelvesTests", dependencies: ["Shelves"] + apollo("ApolloTestSupport"),
    path: "CommandPlugin/Tests/ShelvesTests"),

  // The GraphQL front end by itself: the example of its documentation.
  .executableTarget(
    name: "check-query", dependencies: apollo("GraphQLLanguage"), path: "Language/Sources/check-query"),
]

// MARK: - What only development needs

/// A target below `Tests`, which is a link to the package's own folder of tests.
func development(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
  settings: [SwiftSetting] = strict, plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/" + (path ?? name), exclude: exclude, swiftSettings: settings,
    plugins: plugins)
}

func developmentTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/WithTraits/" + name, swiftSettings: strict)
}

/// The modules in a folder that a script writes, if it has.
func modules(in folder: String) -> [String] {
  let names = try? FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/Tests/" + folder)
  return (names ?? []).filter { !$0.contains(".") }.sorted()
}

/// The code blocks of README, which scripts/readme.sh writes.
let readme = modules(in: "Readme")

/// The programs of the guides, and the tests of those that have some. scripts/guides.py writes them.
let guides = modules(in: "Guides"), guideTests = modules(in: "GuideTests")

/// Random documents as Swift, which scripts/random.sh writes, while it runs. Without any, the programs around them compile.
let randomModules = Context.environment["APOLLO_RANDOM_MODULES"]?.split(separator: " ").map(String.init)
let hasRandomPrograms =
  randomModules != nil
  || isDevelopment
    && FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests/RandomPrograms/Checker/Modules.swift")

/// The generated code of public applications, which scripts/projects.sh writes. It takes minutes to build, and no trait
/// concerns it.
let realProjects = hasEveryTrait ? [] : modules(in: "RealProjects/Generated")

/// The sample code of the documents that the client follows, which scripts/document-samples.sh links there.
let documents = modules(in: "DocumentSamples/Modules")

let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

func randomTargets(_ modules: [String]) -> [Target] {
  [
    // Random documents: one program writes them and their Swift, another one runs what was generated.
    development("RandomAccessors", apollo("ApolloAPI"), path: "RandomPrograms/Accessors"),
    .executableTarget(
      name: "random-writer", dependencies: apollo("ApolloCodegenLib", "GraphQLLanguage", "TestHelpers"),
      path: "Tests/RandomPrograms/Writer", swiftSettings: strict),
    .executableTarget(
      name: "random-checker",
      dependencies: ["RandomAccessors"] + modules.flatMap { [.byName(name: $0), .byName(name: $0 + "Mocks")] }
        + apollo("Apollo", "ApolloCodegenLib", "GraphQLExecution", "GraphQLLanguage", "TestHelpers"),
      path: "Tests/RandomPrograms/Checker", swiftSettings: strict),
  ]
    + modules.flatMap { module in
      [
        development(
          module, ["RandomAccessors"] + apollo("Apollo"), path: "RandomPrograms/Generated/" + module,
          settings: strict + [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)]),
        // That they compile is enough.
        development(
          module + "Mocks", [.byName(name: module)] + apollo("Apollo", "ApolloTestSupport"),
          path: "RandomPrograms/Generated/\(module)Mocks",
          settings: strict + [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)]),
      ]
    }
}

/// The server made of a schema. It is a package of its own, whose folder is linked here.
let mockServer: [Target] = [
  .target(
    name: "ApolloMockServer",
    dependencies: flyingFox + apollo("Apollo", "ApolloMocks", "GraphQLExecution", "GraphQLLanguage"),
    path: "MockServer/Sources/ApolloMockServer", resources: [.embedInCode("Page/page.html")], swiftSettings: strict),
  .executableTarget(
    name: "apollo-mock-server",
    dependencies: ["ApolloMockServer", .product(name: "ArgumentParser", package: "swift-argument-parser")]
      + apollo("Apollo", "ApolloMocks", "GraphQLExecution"),
    path: "MockServer/Sources/apollo-mock-server", swiftSettings: strict),
  .testTarget(
    name: "ApolloMockServerTests",
    dependencies: ["ApolloMockServer", "apollo-mock-server", .product(name: "FlyingFox", package: "FlyingFox")]
      + apollo("Apollo", "ApolloMocks", "ApolloWebSocket", "GraphQLExecution"),
    path: "MockServer/Tests/ApolloMockServerTests", resources: [.embedInCode("schema.graphqls")],
    swiftSettings: strict, plugins: codegen),
]

let developmentTargets: [Target] =
  mockServer + [
    // Answers operations by a mock, for scripts/mock-oracle.sh.
    .executableTarget(
      name: "mock-answers", dependencies: apollo("ApolloMocks"), path: "Tests/MockAnswers", swiftSettings: strict),
    // The code blocks of the pages and articles, which scripts/doc-blocks.sh writes.
    development(
      "Documentation",
      apollo(
        "Apollo", "ApolloAPI", "ApolloAsyncHTTP", "ApolloCodegenLib", "ApolloMocks", "ApolloPagination", "ApolloSQLite",
        "ApolloTestSupport", "ApolloUI", "ApolloWebSocket", "GraphQLExecution", "GraphQLLanguage"),
      exclude: ["Pages/Manifests"], settings: [.swiftLanguageMode(.v6)], plugins: codegen),

    // The client that Autobahn's servers test.
    .executableTarget(
      name: "apollo-autobahn", dependencies: apollo("ApolloWebSocket"), path: "Tests/Autobahn",
      exclude: ["bytes_as_text.py", "fuzzing_server.py", "setup.sh"], swiftSettings: strict),

    developmentTests(
      "OpenCombineTests",
      [.product(name: "OpenCombine", package: "OpenCombine")] + apollo("Apollo", "ApolloPagination", "TestHelpers")),
  ]
  + (hasEveryTrait
    ? [
      developmentTests(
        "SecureWebSocketTests",
        [nioSSL] + apollo("Apollo", "ApolloWebSocket", "TestHelpers")
          + nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket")),
      developmentTests(
        "AsyncHTTPTests",
        [
          nioSSL,
          .product(name: "AsyncHTTPClient", package: "async-http-client"),
          .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
          .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        ] + apollo("Apollo", "ApolloAsyncHTTP", "ApolloTestSupport", "ApolloWebSocket", "TestHelpers")
          + nio("NIOCore", "NIOPosix", "NIOHTTP1")),
    ] : [])
  + (readme.isEmpty
    ? []
    : [
      development(
        "Readme", apollo("Apollo", "ApolloMocks", "ApolloWebSocket"), exclude: ["Manifest"], plugins: codegen)
    ])
  + guides.map { guide in
    development(
      guide, apollo("Apollo", "ApolloAsyncHTTP", "ApolloSQLite", "ApolloWebSocket"), path: "Guides/" + guide,
      settings: [.swiftLanguageMode(.v6)], plugins: codegen)
  }
  + guideTests.map { tests in
    .testTarget(
      name: tests,
      dependencies: [.byName(name: String(tests.dropLast("Tests".count)))] + apollo("Apollo", "ApolloTestSupport"),
      path: "Tests/GuideTests/" + tests, plugins: codegen)
  }
  // As in an older app.
  + documents.map { document in
    development(
      document, apollo("Apollo"), path: "DocumentSamples/Modules/" + document, settings: [.swiftLanguageMode(.v5)])
  }
  + (documents.isEmpty
    ? []
    : [
      .testTarget(
        name: "DocumentSamplesTests",
        dependencies: documents.map { .byName(name: $0) } + apollo("Apollo", "TestHelpers"),
        path: "Tests/DocumentSamples/Tests", swiftSettings: strict)
    ])
  // Public applications: their operations are executed, and what is answered is read and written again.
  + (realProjects.isEmpty
    ? []
    : [
      .executableTarget(
        name: "round-trip",
        dependencies: realProjects.map { .byName(name: $0) }
          + apollo("Apollo", "ApolloCodegenLib", "GraphQLExecution", "GraphQLLanguage"),
        path: "Tests/RealProjects/Sources/round-trip", swiftSettings: strict)
    ])
  // As in an app whose default isolation is the main actor. scripts/projects.sh checks the other default.
  + realProjects.map { module in
    development(
      module, apollo("Apollo"), path: "RealProjects/Generated/" + module,
      settings: strict + [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)])
  }

let developmentDependencies: [Package.Dependency] =
  [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ]
  + (hasEveryTrait
    ? [
      .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
      .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
      .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
      .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ] : [])

// MARK: - Package

let randomPrograms = hasRandomPrograms ? randomTargets(randomModules ?? []) : []

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v14), .iOS(.v17)],
  // For an app in Xcode, as Rockets/README.md says. (Programs need no line here.)
  products: [.library(name: "RocketsModel", targets: ["RocketsModel"])],
  dependencies: [
    .package(name: "apollo-swift", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ] + (isDevelopment ? developmentDependencies : []),
  targets: examples + (isDevelopment ? developmentTargets : []) + randomPrograms)
