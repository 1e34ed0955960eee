@testable import ApolloCodegenLib
import ApolloSwiftRenderer
import Foundation
import GraphQLSyntax
import Testing

@Suite("Configuration") struct ConfigurationTests {
  static func read(_ text: String) -> (configuration: ApolloCodegenConfiguration?, messages: String) {
    let source = Source(text, name: "config.json")
    let parsed = ApolloCodegenConfiguration.read(source)
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
    return (parsed.value, renderer.render(parsed.diagnostics))
  }

  static func minimal(_ more: String = "", options: String = "{}") -> String {
    """
    {
      "schemaNamespace": "starWars",
      "output": { "schemaTypes": { "path": "API", "moduleType": { "other": {} } }, "operations": { "inSchemaModule": {} } },
      "options": \(options)\(more)
    }
    """
  }

  @Test("What is absent has a default")
  func defaults() throws {
    let (configuration, messages) = Self.read(Self.minimal())
    #expect(messages == "")
    let value = try #require(configuration)
    #expect(value.schemaNamespace == "StarWars")
    #expect(value.input.schemaSearchPaths == ["**/*.graphqls"])
    #expect(value.input.operationSearchPaths == ["**/*.graphql"])
    #expect(value.output.moduleType == .other)
    #expect(value.output.operations == .inSchemaModule)
    #expect(value.output.prunesGeneratedFiles)
    #expect(value.rendering.convertsEnumCases && value.rendering.includesDocumentation)
    #expect(value.rendering.marksTypesNonisolated)
    #expect(value.rendering.operationDocumentFormat == .definition)
  }

  @Test(
    "Code has the text of documents, their identifiers, or both",
    arguments: [
      (#"["definition"]"#, OperationDocumentFormat.definition), (#"["operationId"]"#, .operationId),
      (#"["operationId", "definition"]"#, .definitionAndOperationId),
      (#"["definition", "operationId", "definition"]"#, .definitionAndOperationId),
    ])
  func documentFormat(_ json: String, _ format: OperationDocumentFormat) throws {
    let (configuration, messages) = Self.read(Self.minimal(options: #"{ "operationDocumentFormat": \#(json) }"#))
    #expect(messages == "")
    #expect(configuration?.rendering.operationDocumentFormat == format)
  }

  @Test("Options are read")
  func options() throws {
    let options = """
      { "deprecatedEnumCases": "exclude", "schemaDocumentation": "exclude", "operationDocumentFormat": ["operationId"],
        "conversionStrategies": { "enumCases": "none", "fieldAccessors": "camelCase", "inputObjects": "none" },
        "pruneGeneratedFiles": false, "markTypesNonisolated": false, "warningsOnDeprecatedUsage": "exclude",
        "additionalInflectionRules": [{ "irregular": { "singular": "ox", "plural": "oxen" } }],
        "customScalars": { "Date": { "type": "Date", "module": "Foundation" }, "URL": "Link" } }
      """
    let (configuration, messages) = Self.read(Self.minimal(options: options))
    #expect(messages == "")
    let value = try #require(configuration)
    #expect(value.rendering.excludesDeprecatedEnumCases && !value.rendering.includesDocumentation)
    #expect(value.rendering.operationDocumentFormat == .operationId && !value.rendering.convertsEnumCases)
    #expect(value.rendering.convertsFieldNames && !value.rendering.convertsInputFieldNames)
    #expect(!value.output.prunesGeneratedFiles && !value.rendering.marksTypesNonisolated)
    #expect(!value.warnsOfDeprecatedUsage && !value.rendering.marksDeprecations)
    #expect(value.rendering.inflection.singular("oxen") == "ox")
    #expect(value.rendering.customScalars["Date"] == .init(type: "Date", module: "Foundation"))
    #expect(value.rendering.customScalars["URL"] == .init(type: "Link"))
  }

  @Test(
    "A mistake is shown with its key and its place",
    arguments: [
      ("{", "config.json:1:2: error: Expected the name of a member, but the text ends.\n"),
      ("[]", "config.json:1:1: error: The configuration should be an object, but is a list.\n"),
      (
        minimal(",\n  \"inptu\": {}"),
        "config.json:5:3: error: There is no configuration key \"inptu\". Did you mean \"input\"?\n"
      ),
      (
        minimal(options: "{ \"conversionStrategies\": { \"enumCase\": \"none\" } }"),
        "config.json:4:42: error: There is no configuration key \"options.conversionStrategies.enumCase\". "
          + "Did you mean \"enumCases\"?\n"
      ),
      (
        minimal(options: "{ \"deprecatedEnumCases\": \"drop\" }"),
        "config.json:4:39: error: \"options.deprecatedEnumCases\" should be \"include\" or \"exclude\", but is \"drop\".\n"
      ),
      (
        minimal(options: "{ \"maxAgeRule\": \"lowest\" }"),
        "config.json:4:30: error: \"options.maxAgeRule\" should be \"mostSpecific\" or \"lowestOnPath\", but is \"lowest\".\n"
      ),
      (
        minimal(options: "{ \"pruneGeneratedFiles\": 1 }"),
        "config.json:4:39: error: \"options.pruneGeneratedFiles\" should be true or false, but is a number.\n"
      ),
      (
        minimal(options: "{ \"customScalars\": { \"Date\": { \"typ\": \"Date\" } } }"),
        "config.json:4:45: error: There is no configuration key \"options.customScalars.Date.typ\". "
          + "Did you mean \"type\"?\n"
      ),
      (
        "{ \"schemaNamespace\": \"Schema\", \"output\": {} }",
        "config.json:1:22: error: The schema cannot be named \"Schema\". The name is in use by the client itself.\n"
      ),
      (
        "{ \"schemaNamespace\": \"Star Wars\" }",
        "config.json:1:22: error: \"Star Wars\" cannot be the name of a module or a type.\n"
      ),
      ("{ \"schemaNamespace\": \"A\" }", "config.json:1:1: error: The configuration needs the key \"output\".\n"),
      (
        "{ \"schemaNamespace\": \"A\", \"output\": { \"schemaTypes\": { \"path\": \".\", \"moduleType\": {} } } }",
        "config.json:1:83: error: \"output.schemaTypes.moduleType\" should have the key \"embeddedInTarget\", "
          + "\"other\", \"sameModule\", \"swiftPackage\", or \"swiftPackageManager\".\n"
      ),
    ])
  func mistakes(text: String, message: String) {
    let (configuration, messages) = Self.read(text)
    #expect(messages == message)
    #expect(configuration == nil)
  }

  @Test(
    "A value that says nothing, or not what it has to, is an error at its place",
    arguments: [
      ("output.testMocks", "", "{}", #"should have the key "absolute", "none", or "swiftPackage"."#),
      ("output.testMocks", "", #"{ "none": null }"#, #"should have the key "absolute", "none", or "swiftPackage"."#),
      (
        "schemaDownload.downloadMethod.introspection.httpMethod", "", "{}", #"should have the key "GET" or "POST"."#
      ),
      (
        "options.additionalInflectionRules", "[0]", "[{}]",
        #"should have the key "irregular", "pluralization", "singularization", or "uncountable"."#
      ),
      ("options.schemaCustomization.customTypeNames.A", ".type", #"{ "type": {} }"#, #"needs the key "name"."#),
      (
        "output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency.sdkVersion", "", "{}",
        #"should have the key "branch", "commit", "default", "exact", "from", or "local"."#
      ),
      (
        "output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency.sdkVersion", "", "5",
        #"should be "default" or an object, but is a number."#
      ),
      (
        "output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency.sdkVersion", "", #"["x"]"#,
        #"should be "default" or an object, but is a list."#
      ),
      ("input.maximumDepth", "", "-1", "should be a whole number that is not negative."),
      ("input.maximumDepth", "", "1.5", "should be a whole number that is not negative."),
    ])
  func emptyValues(path: String, inner: String, value: String, message: String) throws {
    let object = ConfigurationKeyTests.configuration(path, try ConfigurationKeyTests.json(value))
    let data = try JSONSerialization.data(withJSONObject: object)
    let (configuration, messages) = Self.read(String(decoding: data, as: UTF8.self))
    #expect(configuration == nil)
    let lines = messages.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasSuffix(": error: \"\(path)\(inner)\" \(message)"), "\(messages)")
  }

  @Test("Keys that have no meaning here are noted, and nothing else happens")
  func ignoredKeys() throws {
    let (configuration, messages) = Self.read(
      Self.minimal(
        ",\n  \"experimentalFeatures\": { \"clientControlledNullability\": true }",
        options: "{ \"markOperationDefinitionsAsFinal\": true }"))
    #expect(configuration != nil)
    #expect(
      messages == """
        config.json:4:16: warning: "options.markOperationDefinitionsAsFinal" has no effect. Operations are structs, which are always final.
        config.json:5:29: warning: "experimentalFeatures.clientControlledNullability" has no effect. Nullability is that of the schema.

        """)
  }

  /// As the documentation of releases 1.x and 2.x shows them, with something under every key.
  static let complete = """
    {
      "schemaName": "RocketAPI",
      "input": { "schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["**/*.graphql", "!Old/**"] },
      "output": {
        "schemaTypes": {
          "path": "./Rocket",
          "moduleType": {
            "swiftPackage": { "apolloSDKDependency": { "url": "https://example.com/apollo.git", "sdkVersion": { "exact": { "version": "2.0.0" } } } }
          }
        },
        "operations": { "relative": { "subpath": "Generated", "accessModifier": "internal" } },
        "testMocks": { "swiftPackage": { "targetName": "RocketMocks" } }
      },
      "options": {
        "additionalInflectionRules": [
          { "singularization": { "pluralRegex": "(.*)ae$", "replacementRegex": "$1a" } },
          { "pluralization": { "singularRegex": "a$", "replacementRegex": "ae" } },
          { "uncountable": { "word": "staff" } }
        ],
        "additionalCapitalizationRules": [
          { "term": { "string": "id" }, "strategy": "upper" },
          { "term": { "regex": "ur[il]" }, "strategy": { "upper": {} } },
          { "term": { "string": { "_0": "ios" } }, "strategy": { "replace": "iOS" } }
        ],
        "deprecatedEnumCases": "include", "schemaDocumentation": "include",
        "selectionSetInitializers": { "operations": true, "namedFragments": true, "definitionsNamed": ["Hero"], "localCacheMutations": true },
        "operationDocumentFormat": ["definition", "operationId"],
        "schemaCustomization": {
          "customTypeNames": {
            "A": "B", "C": { "type": { "name": "D" } },
            "E": { "enum": { "name": "F", "cases": { "ONE": "uno" } } },
            "G": { "inputObject": { "fields": { "a": "b" } } }
          }
        },
        "reduceGeneratedSchemaTypes": true, "maxAgeRule": "lowestOnPath", "cocoapodsCompatibleImportStatements": false,
        "warningsOnDeprecatedUsage": "include",
        "conversionStrategies": { "enumCases": "camelCase", "fieldAccessors": "idiomatic", "inputObjects": "camelCase" },
        "pruneGeneratedFiles": true, "appendSchemaTypeFilenameSuffix": false, "markOperationDefinitionsAsFinal": true,
        "markTypesNonisolated": true, "requireNonOptionalMockFields": true, "queryStringLiteralFormat": "singleLine",
        "apqs": "disabled"
      },
      "experimentalFeatures": { "fieldMerging": ["all"], "legacySafelistingCompatibleOperations": true },
      "schemaDownload": {
        "downloadMethod": {
          "introspection": {
            "endpointURL": "https://example.com/graphql", "httpMethod": { "GET": { "queryParameterName": "q" } },
            "outputFormat": "JSON", "includeDeprecatedInputValues": true
          }
        },
        "downloadTimeout": 12.5, "headers": [{ "key": "A", "value": "B" }], "outputPath": "./schema.json"
      },
      "operationManifest": { "path": "./manifest.json", "version": "legacy", "generateManifestOnCodeGeneration": true }
    }
    """

  @Test("Every key of the documentation is read, or noted where it has no meaning")
  func completeConfiguration() throws {
    let (configuration, messages) = Self.read(Self.complete)
    let value = try #require(configuration, "\(messages)")
    #expect(!messages.contains("error"))
    let ignored = messages.split(separator: "\n").map { $0.split(separator: "\"")[1] }
    #expect(
      ignored == [
        "options.additionalInflectionRules[1].pluralization",
        "options.markOperationDefinitionsAsFinal", "options.apqs",
      ])
    #expect(value.schemaNamespace == "RocketAPI")
    #expect(
      value.output.moduleType
        == .swiftPackage(.remote(url: "https://example.com/apollo.git", requirement: "exact: \"2.0.0\"")))
    #expect(value.output.operations == .relative(subpath: "Generated", accessLevel: .internal))
    #expect(value.output.testMocks == .swiftPackage(targetName: "RocketMocks"))
    #expect(value.rendering.inflection.singular("formulae") == "formula")
    #expect(value.rendering.inflection.singular("staff") == "staff")
    #expect(value.rendering.capitalization.rules.count == 3)
    #expect(value.rendering.customTypeNames["A"] == .init(name: "B"))
    #expect(value.rendering.customTypeNames["E"] == .init(name: "F", members: ["ONE": "uno"]))
    #expect(value.rendering.customTypeNames["G"] == .init(members: ["a": "b"]))
    #expect(value.rendering.reducesSchemaTypes && value.isCompatibleWithLegacySafelists)
    #expect(value.rendering.maxAgeRule == .lowestOnPath)
    #expect(
      value.schemaDownload
        == SchemaDownloadConfiguration(
          using: .introspection(
            .init(
              endpointURL: "https://example.com/graphql", httpMethod: .get(queryParameterName: "q"),
              outputFormat: .json, includeDeprecatedInputValues: true)),
          timeout: 12.5, headers: [.init(key: "A", value: "B")], outputPath: "./schema.json"))
    #expect(
      value.operationManifest
        == .init(path: "./manifest.json", version: .legacy, generateManifestOnCodeGeneration: true))
  }

  @Test("The registry can stand under the key that Swift's encoder writes, and headers can be an object")
  func registry() throws {
    let download = """
      ,
        "schemaDownloadConfiguration": {
          "downloadMethod": { "apolloRegistry": { "_0": { "graphID": "Graph", "apiKey": "", "variant": "staging" } } },
          "headers": { "Accept-Encoding": "gzip" }, "outputPath": "schema.graphqls"
        }
      """
    let (configuration, messages) = Self.read(Self.minimal(download))
    #expect(messages == "")
    #expect(
      configuration?.schemaDownload
        == SchemaDownloadConfiguration(
          using: .apolloRegistry(.init(apiKey: "", graphID: "Graph", variant: "staging")),
          headers: [.init(key: "Accept-Encoding", value: "gzip")], outputPath: "schema.graphqls"))
  }

  @Test(
    "The configurations of real projects are read",
    .enabled(if: FileManager.default.fileExists(atPath: Paths.shared.path), "the reference material is not there"))
  func realConfigurations() throws {
    let projects = Paths.shared.appendingPathComponent("projects")
    var count = 0
    for project in try FileManager.default.contentsOfDirectory(atPath: projects.path) {
      let file = projects.appendingPathComponent("\(project)/apollo-codegen-config.json")
      guard let data = try? Data(contentsOf: file) else { continue }
      let parsed = ApolloCodegenConfiguration.read(Source(utf8: data, name: file.path))
      #expect(parsed.value != nil, "\(project): \(parsed.diagnostics)")
      count += 1
    }
    #expect(count > 5)
  }

  @Test("Every key is in the documentation")
  func documentation() throws {
    let text = try String(contentsOf: Paths.package.appendingPathComponent("Docs/codegen.md"), encoding: .utf8)
    guard case .object(let root) = ConfigurationKeys.root else { return #expect(Bool(false)) }
    var names = Set(root.keys)
    for keys in root.values {
      switch keys {
      case .object(let members), .openObject(let members, others: _): names.formUnion(members.keys)
      default: break
      }
    }
    #expect(names.count > 30)
    for name in names.sorted() {
      #expect(["`\(name)`", "`\(name).", ".\(name)`", ".\(name)."].contains { text.contains($0) }, "\(name)")
    }
  }
}
