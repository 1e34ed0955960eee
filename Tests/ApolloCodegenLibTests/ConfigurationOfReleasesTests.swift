import Foundation
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

/// Configuration files as the tool of Apollo iOS writes and reads them.
@Suite("Configurations of Apollo iOS") struct ConfigurationOfReleasesTests {
  private static let module = "output.schemaTypes.moduleType"

  /// All that a configuration with a type of module leads to.
  private static func effect(_ moduleType: String) throws -> String {
    try ConfigurationKeyTests.effect(
      of: ConfigurationKeyTests.configuration(module, try ConfigurationKeyTests.json(moduleType)))
  }

  // MARK: - Where a package finds Apollo

  @Test(
    "A package finds Apollo where the configuration says, and otherwise in its repository",
    arguments: [
      (#"{ "swiftPackage": {} }"#, #"url: "https://github.com/apollo-swift/apollo-swift", from: ""#),
      (#"{ "swiftPackageManager": {} }"#, #"url: "https://github.com/apollo-swift/apollo-swift", from: ""#),
      (
        #"{ "swiftPackage": { "apolloSDKDependency": { "sdkVersion": { "branch": { "name": "main" } } } } }"#,
        #"url: "https://github.com/apollo-swift/apollo-swift", branch: "main""#
      ),
      (
        #"{ "swiftPackage": { "apolloSDKDependency": { "url": "https://a.b/c", "sdkVersion": "default" } } }"#,
        #"url: "https://a.b/c", from: ""#
      ),
      (
        #"{ "swiftPackage": { "apolloSDKDependency": { "sdkVersion": { "local": { "path": "../c" } } } } }"#,
        #"path: "../c""#
      ),
      (
        #"{ "swiftPackage": { "apolloSDKDependency": { "url": "https://a.b/apollo.gitlab.swift.git/" } } }"#,
        #"package: "apollo.gitlab.swift""#
      ),
    ])
  func dependency(moduleType: String, dependency: String) throws {
    let effect = try Self.effect(moduleType)
    #expect(effect.contains("out/Package.swift\n") && effect.contains(dependency))
    #expect(!effect.contains("has no effect"))
  }

  @Test(
    "A package never depends on Apollo iOS: a warning says so",
    arguments: [
      "https://github.com/apollographql/apollo-ios", "https://github.com/apollographql/apollo-ios.git",
      "https://github.com/Apollographql/apollo-ios/", "git@github.com:apollographql/apollo-ios.git",
    ])
  func dependencyOnApolloIOS(url: String) throws {
    let effect = try Self.effect(
      #"""
      { "swiftPackage": {
          "apolloSDKDependency": { "url": "\#(url)", "sdkVersion": { "exact": { "version": "1.15.0" } } } } }
      """#)
    #expect(effect.contains("warning: \"\(Self.module).swiftPackage.apolloSDKDependency.url\" has no effect. "))
    #expect(effect.contains(#"url: "https://github.com/apollo-swift/apollo-swift", from: ""#), "\(effect)")
    #expect(!effect.contains("1.15.0"))
  }

  @Test(
    "Another repository, whose name only ends in the same way, is used", arguments: ["my-apollo-ios", "apollo-ios"])
  func fork(name: String) throws {
    let effect = try Self.effect(
      #"{ "swiftPackage": { "apolloSDKDependency": { "url": "https://example.com/fork/\#(name)" } } }"#)
    #expect(effect.contains("url: \"https://example.com/fork/\(name)\"") && !effect.contains("has no effect"))
  }

  @Test(
    "Without an address, a version above that of the generator is warned of",
    arguments: [
      (#"{ "from": { "version": "1000.15.0" } }"#, true), (#"{ "exact": { "version": "1000.0" } }"#, true),
      (#"{ "from": { "version": "0.0.1" } }"#, false), (#"{ "branch": { "name": "1000.0.0" } }"#, false),
      (#"{ "default": {} }"#, false),
    ])
  func version(version: String, isWarnedOf: Bool) throws {
    let effect = try Self.effect(
      #"{ "swiftPackage": { "apolloSDKDependency": { "sdkVersion": \#(version) } } }"#)
    let path = "\(Self.module).swiftPackage.apolloSDKDependency.sdkVersion"
    #expect(effect.contains("warning: \"\(path)\" is 1000.") == isWarnedOf, "\(effect)")
    #expect(effect.contains("out/Package.swift\n"))
  }

  @Test(
    "A pre-release of the generator's own version is not above it, nor is a build", arguments: ["-beta.1", "+build.7"])
  func preRelease(suffix: String) throws {
    func effect(_ version: String) throws -> String {
      try Self.effect(
        #"""
        { "swiftPackage": {
            "apolloSDKDependency": { "sdkVersion": { "exact": { "version": "\#(version)" } } } } }
        """#)
    }
    let newer = try effect("1000.0.0")
    let own = try #require(newer.firstMatch(of: /the generator is ([0-9.]+)\./)?.1, "\(newer)")
    let same = try effect("\(own)\(suffix)")
    #expect(!same.contains("but the generator is"), "\(same)")
  }

  // MARK: - Keys that are warned of

  @Test("A feature that is not known is a warning with a suggestion; any other unknown key is an error")
  func features() throws {
    let (configuration, messages) = ConfigurationTests.read(
      ConfigurationTests.minimal(",\n  \"experimentalFeatures\": { \"fieldMergin\": [\"all\"], \"newest\": true }"))
    #expect(configuration != nil)
    let lines = messages.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("warning: \"experimentalFeatures.") }, "\(messages)")
    #expect(messages.contains("fieldMergin\" has no effect.") && messages.contains("Did you mean \"fieldMerging\"?"))
    #expect(messages.contains("experimentalFeatures.newest\" has no effect. There is no such feature."))
  }

  // MARK: - The manifest of operations

  @Test(
    "The path of a manifest always ends in .json",
    arguments: [
      ("./ops-manifest", "./ops-manifest.json"), ("ops.json", "ops.json"), ("a.b/ids.txt", "a.b/ids.txt.json"),
    ])
  func manifestPath(path: String, completed: String) {
    let (configuration, messages) = ConfigurationTests.read(
      ConfigurationTests.minimal(",\n  \"operationManifest\": { \"path\": \"\(path)\" }"))
    #expect(messages == "")
    #expect(configuration?.operationManifest == .init(path: completed))
  }

  @Test("operationIdentifiersPath is a manifest in the legacy format, unless there is an operationManifest")
  func operationIdentifiersPath() {
    func text(_ more: String) -> String {
      #"""
      {
        "schemaNamespace": "A",
        "output": {
          "schemaTypes": { "path": "API", "moduleType": { "other": {} } }, "operationIdentifiersPath": "ids"
        }\#(more)
      }
      """#
    }
    let alone = ConfigurationTests.read(text(""))
    #expect(alone.messages == "")
    #expect(alone.configuration?.operationManifest == .init(path: "ids.json", version: .legacy))
    let both = ConfigurationTests.read(text(#", "operationManifest": { "path": "m.json" }"#))
    #expect(both.configuration?.operationManifest == .init(path: "m.json"))
    #expect(
      both.messages.contains(
        "\"output.operationIdentifiersPath\" has no effect. \"operationManifest\" says what counts."))
  }
}
