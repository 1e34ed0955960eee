import Foundation
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

/// No key is accepted without effect: each is read here with two values, which make a difference, or is warned of.
@Suite("Effects of configuration keys") struct ConfigurationKeyTests {
  /// A key with two values of it, or of a key around it.
  struct Key: CustomTestStringConvertible, Sendable {
    var path: String
    var place: String
    var values: [String]
    var testDescription: String { path }

    init(_ path: String, at place: String? = nil, _ one: String, _ other: String) {
      self.path = path
      self.place = place ?? path
      values = [one, other]
    }
  }

  static let keys: [Key] =
    [
      Key("schemaNamespace", #""A""#, #""B""#),
      Key("schemaName", #""A""#, #""B""#),
      Key("input.schemaSearchPaths", #"["*.graphqls"]"#, #"["more/*.graphqls", "*.graphqls"]"#),
      Key("input.operationSearchPaths", #"["*.graphql"]"#, #"["*.graphql", "!Other*"]"#),
      Key("input.maximumSchemaSize", "10", "1000000"),
      Key("input.maximumDepth", "0", "64"),
      Key("output.schemaTypes.path", #""a""#, #""b""#),
    ] + output + options
    + [
      Key("experimentalFeatures.fieldMerging", #"["all"]"#, #"["ancestors", "siblings"]"#),
      Key("experimentalFeatures.legacySafelistingCompatibleOperations", "true", "false"),
      Key("operationManifest.path", manifest("a", "legacy", true), manifest("b", "legacy", true)),
      Key("operationManifest.version", manifest("a", "legacy", true), manifest("a", "persistedQueries", true)),
      Key(
        "operationManifest.generateManifestOnCodeGeneration", manifest("a", "legacy", true),
        manifest("a", "legacy", false)),
    ].map { key in
      var key = key
      if key.path.hasPrefix("operationManifest") { key.place = "operationManifest" }
      return key
    } + downloads("schemaDownload") + downloads("schemaDownloadConfiguration")

  private static func manifest(_ path: String, _ version: String, _ isWritten: Bool) -> String {
    #"{ "path": "\#(path)", "version": "\#(version)", "generateManifestOnCodeGeneration": \#(isWritten) }"#
  }

  private static let output: [Key] = {
    let type = "output.schemaTypes.moduleType", package = type + ".swiftPackage.apolloSDKDependency"
    func version(_ name: String, _ inner: String) -> Key {
      Key(
        "\(package).sdkVersion.\(name).\(inner)", at: package,
        #"{ "url": "https://a.b/c", "sdkVersion": { "\#(name)": { "\#(inner)": "1.0" } } }"#,
        #"{ "url": "https://a.b/c", "sdkVersion": { "\#(name)": { "\#(inner)": "2.0" } } }"#)
    }
    return [
      Key(type + ".other", at: type, #"{ "other": {} }"#, #"{ "sameModule": {} }"#),
      Key(type + ".swiftPackageManager", at: type, #"{ "swiftPackageManager": {} }"#, #"{ "other": {} }"#),
      Key(
        type + ".sameModule.accessModifier", at: type, #"{ "sameModule": { "accessModifier": "public" } }"#,
        #"{ "sameModule": {} }"#),
      Key(
        type + ".embeddedInTarget.accessModifier", at: type, #"{ "embeddedInTarget": { "name": "A" } }"#,
        #"{ "embeddedInTarget": { "name": "A", "accessModifier": "public" } }"#),
      // It is in the imports of mocks.
      Key(
        type + ".embeddedInTarget.name", at: "output", embedded(in: "A"), embedded(in: "B")),
      Key(package + ".url", #""https://a.b/c""#, #""https://a.b/d""#),
      version("branch", "name"), version("commit", "hash"), version("exact", "version"), version("from", "version"),
      version("local", "path"),
      Key(
        "\(package).sdkVersion", at: package, #"{ "url": "https://a.b/c", "sdkVersion": "default" }"#,
        #"{ "url": "https://a.b/c", "sdkVersion": { "exact": { "version": "9.0" } } }"#),
      Key(
        "\(package).sdkVersion.default", at: package, #"{ "url": "https://a.b/c", "sdkVersion": { "default": {} } }"#,
        #"{ "url": "https://a.b/c", "sdkVersion": { "exact": { "version": "9.0" } } }"#),
      Key("output.operationIdentifiersPath", #""a""#, #""b""#),
      Key(
        "output.operations.inSchemaModule", at: "output.operations", #"{ "inSchemaModule": {} }"#,
        #"{ "relative": {} }"#),
    ]
      + [("operations.relative", "subpath"), ("operations.absolute", "path"), ("testMocks.absolute", "path")].flatMap {
        kind, inner in
        [
          Key("output.\(kind).\(inner)", #""a""#, #""b""#),
          Key(
            "output.\(kind).accessModifier", at: "output.\(kind)",
            #"{ "\#(inner)": "a", "accessModifier": "public" }"#, #"{ "\#(inner)": "a", "accessModifier": "internal" }"#
          ),
        ]
      } + [
        Key("output.testMocks.none", at: "output.testMocks", #"{ "none": {} }"#, #"{ "absolute": { "path": "a" } }"#),
        Key("output.testMocks.swiftPackage.targetName", at: "output", mocks("A"), mocks("B")),
      ]
  }()

  private static func embedded(in target: String) -> String {
    #"""
    { "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "\#(target)" } } },
      "testMocks": { "absolute": { "path": "mocks" } } }
    """#
  }

  private static func mocks(_ target: String) -> String {
    #"""
    { "schemaTypes": {
        "path": "out",
        "moduleType": { "swiftPackage": { "apolloSDKDependency": { "url": "https://a.b/c" } } } },
      "testMocks": { "swiftPackage": { "targetName": "\#(target)" } } }
    """#
  }

  private static let options: [Key] = {
    let inclusion = [#""include""#, #""exclude""#], conversion = [#""camelCase""#, #""none""#]
    let strategies = "conversionStrategies", names = "schemaCustomization.customTypeNames"
    let rule = "additionalInflectionRules", term = "additionalCapitalizationRules"
    func choice(_ path: String, _ values: [String]) -> Key { Key("options." + path, values[0], values[1]) }
    func list(_ key: String, _ path: String, _ one: String, _ other: String) -> Key {
      Key("options.\(key)[].\(path)", at: "options." + key, one, other)
    }
    func capitalization(_ path: String, _ rule: String) -> Key { list(term, path, "[\(rule)]", "[]") }
    func scalar(_ inner: String, _ other: String) -> Key {
      Key(
        "options.customScalars.*.\(inner)", at: "options.customScalars.Date", #"{ "type": "Day" }"#,
        #"{ "type": "Day", "\#(inner)": \#(other) }"#)
    }
    func custom(_ path: String, _ type: String, _ value: String) -> Key {
      Key("options.\(names).*.\(path)", at: "options.\(names).\(type)", value, #""\#(type)""#)
    }
    return [
      list(
        rule, "irregular.singular", #"[{ "irregular": { "singular": "one", "plural": "heroes" } }]"#,
        #"[{ "irregular": { "singular": "two", "plural": "heroes" } }]"#),
      list(
        rule, "irregular.plural", #"[{ "irregular": { "singular": "one", "plural": "heroes" } }]"#,
        #"[{ "irregular": { "singular": "one", "plural": "heros" } }]"#),
      list(rule, "uncountable", #"[{ "uncountable": "Heroes" }]"#, "[]"),
      list(rule, "uncountable.word", #"[{ "uncountable": { "word": "Heroes" } }]"#, "[]"),
      list(
        rule, "singularization.pluralRegex",
        #"[{ "singularization": { "pluralRegex": "oes$", "replacementRegex": "x" } }]"#,
        #"[{ "singularization": { "pluralRegex": "xes$", "replacementRegex": "x" } }]"#),
      list(
        rule, "singularization.replacementRegex",
        #"[{ "singularization": { "pluralRegex": "oes$", "replacementRegex": "x" } }]"#,
        #"[{ "singularization": { "pluralRegex": "oes$", "replacementRegex": "y" } }]"#),
      choice("customScalars.Date", [#""Day""#, #""Year""#]).named("options.customScalars.*"),
      scalar("type", "0").with(#"{ "type": "Year" }"#), scalar("module", #""Foundation""#),
      scalar("isHashable", "false"), scalar("isSendable", "false"),
      Key(
        "options.customScalars.*.isInputOnly", at: "options.customScalars.Int",
        #"{ "type": "Int32", "isInputOnly": true }"#, #"{ "type": "Int32" }"#),
      choice("naming", [#""standard""#, #""legacy""#]),
      choice("deprecatedEnumCases", inclusion), choice("schemaDocumentation", inclusion),
      choice("warningsOnDeprecatedUsage", inclusion), choice("notesOnMissingKeyFields", inclusion),
      choice("operationDocumentFormat", [#"["definition"]"#, #"["operationId"]"#]),
      choice("queryStringLiteralFormat", [#""multiline""#, #""singleLine""#]),
      choice("apqs", [#""disabled""#, #""automaticallyPersist""#]),
      choice(strategies + ".enumCases", conversion), choice(strategies + ".inputObjects", conversion),
      choice(strategies + ".fieldAccessors", [#""idiomatic""#, #""camelCase""#]),
      choice("pruneGeneratedFiles", ["true", "false"]), choice("markTypesNonisolated", ["true", "false"]),
      choice("reduceGeneratedSchemaTypes", ["true", "false"]),
      choice("maxAgeRule", [#""mostSpecific""#, #""lowestOnPath""#]),
      choice("selectionSetInitializers.operations", ["true", "false"]),
      choice("selectionSetInitializers.namedFragments", ["true", "false"]),
      choice("selectionSetInitializers.localCacheMutations", ["true", "false"]),
      choice("selectionSetInitializers.definitionsNamed", [#"["Other"]"#, #"["Card"]"#]),
      capitalization("term", #"{ "term": "name", "strategy": "upper" }"#),
      capitalization("term.string", #"{ "term": { "string": "name" }, "strategy": "upper" }"#),
      capitalization("term.regex", #"{ "term": { "regex": "^Na.*" }, "strategy": "upper" }"#),
      capitalization("strategy", #"{ "term": { "string": "name" }, "strategy": "upper" }"#),
      capitalization("strategy.upper", #"{ "term": { "string": "name" }, "strategy": { "upper": {} } }"#),
      capitalization("strategy.lower", #"{ "term": { "string": "id" }, "strategy": { "lower": {} } }"#)
        .with(#"[{ "term": { "string": "id" }, "strategy": { "upper": {} } }]"#),
      capitalization("strategy.replace", #"{ "term": { "string": "name" }, "strategy": { "replace": "nom" } }"#),
      custom("type.name", "Filter", #"{ "type": { "name": "Where" } }"#),
      custom("enum.name", "Kind", #"{ "enum": { "name": "Sort" } }"#),
      custom("enum.cases.*", "Kind", #"{ "enum": { "cases": { "GOOD_ONE": "fine" } } }"#),
      custom("inputObject.name", "Filter", #"{ "inputObject": { "name": "Where" } }"#),
      custom("inputObject.fields.*", "Filter", #"{ "inputObject": { "fields": { "by_name": "called" } } }"#),
      Key("options.\(names).*", at: "options.\(names).Filter", #""Where""#, #""Filter""#),
    ]
  }()

  private static func downloads(_ key: String) -> [Key] {
    let method = key + ".downloadMethod"
    func introspection(_ path: String, _ one: String, _ other: String) -> Key {
      Key(
        "\(method).introspection.\(path)", at: method,
        #"{ "introspection": { "endpointURL": "https://a.b", \#(one) } }"#,
        #"{ "introspection": { "endpointURL": "https://a.b", \#(other) } }"#)
    }
    func registry(_ path: String) -> Key {
      Key(
        "\(method).apolloRegistry.\(path)", at: method,
        #"{ "apolloRegistry": { "graphID": "a", "apiKey": "b" } }"#,
        #"{ "apolloRegistry": { "graphID": "a", "apiKey": "b", "\#(path)": "c" } }"#)
    }
    return [
      Key(method + ".introspection.endpointURL", #""https://a.b""#, #""https://c.d""#),
      introspection("outputFormat", #""outputFormat": "SDL""#, #""outputFormat": "JSON""#),
      introspection(
        "includeDeprecatedInputValues", #""includeDeprecatedInputValues": true"#,
        #""includeDeprecatedInputValues": false"#),
      introspection("httpMethod.POST", #""httpMethod": { "POST": {} }"#, #""httpMethod": { "GET": {} }"#),
      introspection(
        "httpMethod.GET.queryParameterName", #""httpMethod": { "GET": { "queryParameterName": "q" } }"#,
        #""httpMethod": { "GET": {} }"#),
      registry("apiKey"), registry("graphID"), registry("variant"), registry("endpointURL"),
      Key(key + ".downloadTimeout", "1", "2"),
      Key(key + ".maximumResponseSize", "100", "200"),
      Key(key + ".headers", #"{ "a": "b" }"#, #"[{ "key": "a", "value": "c" }]"#),
      Key(key + ".outputPath", #""a""#, #""b""#),
    ]
  }

  @Test("Each key makes a difference", arguments: keys)
  func effect(of key: Key) throws {
    let effects = try key.values.map { try Self.effect(of: Self.configuration(key.place, try Self.json($0))) }
    #expect(effects[0] != effects[1])
    #expect(!effects.joined().contains("\(key.path)\" has no effect"))
  }

  @Test(
    "Keys that have no effect are warned of at their place, with the reason",
    arguments: paths(.root).filter(\.isUnsupported).map(\.path))
  func unsupported(path: String) throws {
    let rule = "options.additionalInflectionRules[].pluralization"
    let flag = path != "options.requireNonOptionalMockFields"
    let (place, value): (String, Any) =
      path == rule ? (String(path.split(separator: "[")[0]), [["pluralization": [:]]]) : (path, flag)
    let effect = try Self.effect(of: Self.configuration(place, value))
    let name = path.replacing("[]", with: "[0]")
    let text = "warning: \"\(name)\" has no effect. "
    let warning = try #require(effect.split(separator: "\n").first { $0.contains(text) })
    #expect(warning.hasPrefix("config.json:1:") && warning.hasSuffix("."))
    guard path != rule, !path.hasPrefix("output.") else { return }
    let opposite = try Self.effect(of: Self.configuration(place, !flag))
    #expect(!opposite.contains("has no effect"), "It asks for what is done anyway.")
  }

  @Test(
    "What fields are merged from can be left out in part",
    arguments: [
      (#"["all"]"#, []), (#"["ancestors", "siblings"]"#, []), (#"["namedFragments"]"#, ["ancestors", "siblings"]),
      (#"["siblings"]"#, ["ancestors"]), ("[]", ["ancestors", "siblings"]),
    ])
  func fieldMerging(value: String, kept: [String]) throws {
    let effect = try Self.effect(
      of: Self.configuration("experimentalFeatures.fieldMerging", try Self.json(value)))
    let warnings = effect.split(separator: "\n").filter { $0.contains("\"experimentalFeatures.fieldMerging\"") }
    #expect(warnings.count == kept.count)
    for (warning, name) in zip(warnings, kept) {
      #expect(warning.hasPrefix("config.json:1:") && warning.contains("cannot leave out \"\(name)\""))
    }
  }

  @Test("Every key of the table is among these")
  func complete() {
    let known = Set(Self.keys.map(\.path))
    let all = Set(Self.paths(.root).filter { !$0.isUnsupported }.map(\.path))
    #expect(all.subtracting(known).sorted() == [])
    #expect(known.subtracting(all).sorted() == [])
    #expect(all.count > 80)
  }

  /// The keys of a table that have no keys of their own, or that may have a value in their place.
  static func paths(_ keys: ConfigurationKeys, _ path: String = "") -> [(path: String, isUnsupported: Bool)] {
    switch keys {
    case .value: [(path, false)]
    case .unsupported, .constantFlag: [(path, true)]
    case .object(let members), .openObject(let members, others: _), .choice(let members): paths(of: members, path)
    case .either(.object(let members)) where Array(members.keys) == ["_0"]: [(path, false)]
    case .either(let inner): [(path, false)] + paths(inner, path)
    case .list(let inner): paths(inner, path + "[]")
    case .dictionary(let inner): paths(inner, path + ".*")
    }
  }

  private static func paths(
    of members: [String: ConfigurationKeys], _ path: String
  ) -> [(path: String, isUnsupported: Bool)] {
    let inner = members.filter { $0.key != "_0" }.flatMap { paths($1, path.isEmpty ? $0 : "\(path).\($0)") }
    return inner.allSatisfy(\.isUnsupported) ? [(path, false)] + inner : inner
  }

  // MARK: - Configurations

  static func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  /// A configuration with a value at a path.
  static func configuration(_ path: String, _ value: Any) -> [String: Any] {
    var base: [String: Any] = [
      "schemaNamespace": "API",
      "output": [
        "schemaTypes": ["path": "out", "moduleType": ["other": [:]]], "operations": ["inSchemaModule": [:]],
      ],
    ]
    if path.hasPrefix("schemaDownload") {
      let key = path.hasSuffix("Configuration") ? path : String(path.split(separator: ".")[0])
      base[key] = [
        "downloadMethod": ["introspection": ["endpointURL": "https://example.com"]], "outputPath": "schema.graphqls",
      ]
    }
    if path.hasPrefix("schemaName") {
      base["schemaNamespace"] = nil
      base["output"] = ["schemaTypes": ["path": "out", "moduleType": ["embeddedInTarget": ["name": "App"]]]]
    }
    return set(value, path.split(separator: ".").map(String.init)[...], base)
  }

  /// Members beside one of which there can be only one are left out.
  private static func set(_ value: Any, _ path: ArraySlice<String>, _ object: [String: Any]) -> [String: Any] {
    var object = object
    guard let key = path.first else { return object }
    let alternatives = [
      "swiftPackage", "swiftPackageManager", "embeddedInTarget", "relative", "absolute", "introspection",
      "apolloRegistry",
    ]
    if alternatives.contains(key) { object = object.filter { $0.key == key } }
    object[key] =
      path.count == 1 ? value : set(value, path.dropFirst(), object[key] as? [String: Any] ?? [:])
    return object
  }

  static let files = [
    "schema.graphqls": """
    type Query { "Of name." hero(kind: Kind, by: Filter, on: Date): Hero, heroes: [Hero!]!, any: Thing }
    union Thing = Hero | Villain
    type Villain { id: ID! }
    interface Named { name: String! }
    type Town implements Named { name: String! }
    type Hero implements Named { id: ID!, name: String!, first_name: String, good_one: Kind, on: Date, old: Int @deprecated }
    enum Kind { GOOD_ONE BAD @deprecated }
    input Filter { by_name: String, on: Date }
    scalar Date
    """,
    "more/schema.graphqls": "extend enum Kind { MORE }",
    "Hero.graphql": """
    query Hero($kind: Kind, $by: Filter, $on: Date) {
      hero(kind: $kind, by: $by, on: $on) { id name first_name good_one on old heroID: id ... on Hero { id } }
      heroes { name }
      any { __typename }
    }
    """,
    "Other.graphql": """
    query Other { heroes { id ...Card } }
    query Local @apollo_client_ios_localCacheMutation { heroes { id ...Card } }
    fragment Card on Hero { ...Inner }
    fragment Inner on Hero { id old }
    """,
    "out/Operations/Stale.graphql.swift": "// @generated by apollo-codegen from Stale.graphql. Do not edit.",
  ]

  /// All that a configuration leads to: diagnostics, files, and what is known of the download of the schema.
  static func effect(of configuration: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: configuration, options: .sortedKeys)
    let source = Source(utf8: data, name: "config.json")
    let parsed = ApolloCodegenConfiguration.read(source)
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
    let messages = renderer.render(parsed.diagnostics)
    let value = try #require(parsed.value, "\(messages)")
    let folder = try TemporaryFolder(Self.files)
    let report = ApolloCodegen(value, root: folder.url).generate()
    var written = try folder.files.map { "\($0)\n" + (try folder.text($0)) }
    if value.operationManifest != nil {
      let files = ApolloCodegen(value, root: folder.url).generateOperationManifest().files
      written += files.map { URL(fileURLWithPath: $0).lastPathComponent }
    }
    return messages + report.diagnostics.map(\.fullMessage).joined() + written.joined()
      + String(describing: value.schemaDownload)
  }
}

extension ConfigurationKeyTests.Key {
  fileprivate func named(_ path: String) -> Self {
    var key = self
    key.path = path
    return key
  }

  fileprivate func with(_ other: String) -> Self {
    var key = self
    key.values[1] = other
    return key
  }
}
