import Foundation
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

/// No member of a configuration in Swift is without effect: each is changed here, which changes what is written.
@Suite("Effects of configuration members") struct ConfigurationMemberTests {
  typealias Change = @Sendable (inout ApolloCodegenConfiguration) -> Void

  struct Member: CustomTestStringConvertible, Sendable {
    var path: String
    var change: Change
    /// What it is changed beside.
    var base: Change = { _ in }
    var testDescription: String { path }

    init(_ path: String, beside base: @escaping Change = { _ in }, _ change: @escaping Change) {
      self.path = path
      self.change = change
      self.base = base
    }
  }

  static let members: [Member] =
    [
      Member("schemaNamespace") { $0.schemaNamespace = "Other" },
      Member("input.schemaSearchPaths") { $0.input.schemaSearchPaths.append("more/*.graphqls") },
      Member("input.operationSearchPaths") { $0.input.operationSearchPaths = ["Hero.graphql"] },
      Member("warnsOfDeprecatedUsage") { $0.warnsOfDeprecatedUsage = false },
      Member("notesMissingKeyFields") { $0.notesMissingKeyFields = false },
      Member("isCompatibleWithLegacySafelists") { $0.isCompatibleWithLegacySafelists = true },
      Member("operationManifest") { $0.operationManifest = .init(path: "m", generateManifestOnCodeGeneration: true) },
    ] + output + rendering

  private static let output: [Member] = [
    Member("output.path") { $0.output.path = "elsewhere" },
    Member("output.moduleType") { $0.output.moduleType = .other },
    Member("output.operations") { $0.output.operations = .relative(subpath: nil, accessLevel: .public) },
    Member("output.testMocks") { $0.output.testMocks = .absolute(path: "mocks", accessLevel: .public) },
    Member("output.testMocks", beside: { $0.output.singleFile = "API.swift" }) {
      $0.output.testMocks = .absolute(path: "mocks", accessLevel: .public)
    },
    Member("output.singleFile") { $0.output.singleFile = "API.swift" },
    Member("output.schemaConfiguration") { $0.output.schemaConfiguration = .none },
    Member("output.providedFiles") { $0.output.providedFiles = ["Date.swift"] },
    Member("output.prunesGeneratedFiles") { $0.output.prunesGeneratedFiles = false },
  ]

  private static let rendering: [Member] = [
    Member("rendering.customScalars") { $0.rendering.customScalars = ["Date": .init(type: "Day")] },
    Member("rendering.naming") { $0.rendering.naming = .legacy },
    Member("rendering.convertsEnumCases") { $0.rendering.convertsEnumCases = false },
    Member("rendering.convertsFieldNames") { $0.rendering.convertsFieldNames = true },
    Member("rendering.convertsInputFieldNames") { $0.rendering.convertsInputFieldNames = false },
    Member("rendering.excludesDeprecatedEnumCases") { $0.rendering.excludesDeprecatedEnumCases = true },
    Member("rendering.marksDeprecations") { $0.rendering.marksDeprecations = false },
    Member("rendering.includesDocumentation") { $0.rendering.includesDocumentation = false },
    Member("rendering.marksTypesNonisolated") { $0.rendering.marksTypesNonisolated = false },
    Member("rendering.operationDocumentFormat") { $0.rendering.operationDocumentFormat = .operationId },
    Member("rendering.documentLiteralFormat") { $0.rendering.documentLiteralFormat = .singleLine },
    Member("rendering.inflection") { $0.rendering.inflection = Inflection(uncountable: ["Heroes"]) },
    Member("rendering.capitalization") { $0.rendering.capitalization.rules = [(.word("name"), .upper)] },
    Member("rendering.customTypeNames") { $0.rendering.customTypeNames = ["Kind": .init(name: "Sort")] },
    Member("rendering.passthroughScalarPrefix") { $0.rendering.passthroughScalarPrefix = "My" },
    Member("rendering.passthroughScalarPrefix") { $0.rendering.passthroughScalarPrefix = "" },
    Member("rendering.reducesSchemaTypes") { $0.rendering.reducesSchemaTypes = true },
    Member("rendering.maxAgeRule") { $0.rendering.maxAgeRule = .lowestOnPath },
    Member("rendering.mergesNamedFragments") { $0.rendering.mergesNamedFragments = false },
    Member("rendering.flatInitializers.operations") { $0.rendering.flatInitializers.operations = false },
    Member("rendering.flatInitializers.namedFragments") { $0.rendering.flatInitializers.namedFragments = false },
    Member("rendering.flatInitializers.localCacheMutations") {
      $0.rendering.flatInitializers.localCacheMutations = false
    },
    Member("rendering.flatInitializers.definitions", beside: { $0.rendering.flatInitializers.operations = false }) {
      $0.rendering.flatInitializers.definitions = ["Other"]
    },
  ]

  /// Members that an app does not set, and `schemaDownload`, whose members are in `SchemaDownloadTests`. What limits do
  /// is in `LongChainTests`.
  private static let others: Set = [
    "input.maximumSchemaSize", "input.maximumDepth", "input.replacedOperationSearchPaths",
    "input.schemaExtensions",
    "input.hasOtherSearchPaths", "input.hasOwnManifest", "schemaDownload", "file", "ineffectiveOptions",
    "output.isFlat",
    "output.part", "output.hasOwnModule", "output.onlyDocument",
    "output.mockedModule", "output.isDivided", "output.redirectedKeys", "output.mocksFollowSchema",
    "rendering.placement",
  ]

  @Test("Each member makes a difference", arguments: members)
  func effect(of member: Member) throws {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    configuration.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .public)
    configuration.input.schemaSearchPaths = ["*.graphqls"]
    member.base(&configuration)
    let before = try Self.effect(of: configuration)
    member.change(&configuration)
    let after = try Self.effect(of: configuration)
    #expect(before != after)
    #expect(!(before + after).contains("has no effect"))
  }

  @Test("Every member is among these")
  func complete() {
    let known = Set(Self.members.map(\.path)).union(Self.others)
    let all = Set(Self.paths(of: ApolloCodegenConfiguration(), "."))
    #expect(all.subtracting(known).sorted() == [])
    #expect(known.subtracting(all).sorted() == [])
    #expect(all.count > 30)
  }

  /// The paths of stored properties, where structs of the configuration have properties of their own.
  private static func paths(of value: Any, _ path: String) -> [String] {
    switch value {
    case is ApolloCodegenConfiguration, is ApolloCodegenConfiguration.Input, is ApolloCodegenConfiguration.Output,
      is RenderingOptions, is RenderingOptions.FlatInitializers:
      Mirror(reflecting: value).children.flatMap { child in
        paths(of: child.value, path == "." ? child.label ?? "" : "\(path).\(child.label ?? "")")
      }
    default: [path]
    }
  }

  private static func effect(of configuration: ApolloCodegenConfiguration) throws -> String {
    let folder = try TemporaryFolder(ConfigurationKeyTests.files)
    try folder.write(
      "// @generated by apollo-codegen from Stale.graphql. Do not edit.", to: "out/Operations/Stale.graphql.swift")
    let report = ApolloCodegen(configuration, root: folder.url).generate()
    let messages = report.diagnostics.map(\.fullMessage)
    #expect(!report.hasErrors, "\(messages)")
    let written = try folder.files.map { "\($0)\n" + (try folder.text($0)) }
    return (messages + written).joined(separator: "\n")
  }

  @Test("Without merged fragments, a model has its own fields, and those of a fragment are in the fragment only")
  func fragments() throws {
    func text(_ merges: Bool) throws -> String {
      var configuration = ApolloCodegenConfiguration()
      configuration.rendering.mergesNamedFragments = merges
      let schema = "type Query { hero: Hero } type Hero { id: ID!, name: String!, old: Int @deprecated }"
      let code = Pipeline.generate(
        schema: [Source(schema, name: "s.graphqls")],
        operations: [
          Source(
            "query A { hero { name ...B ...C } } fragment B on Hero { ...D id name } fragment C on Hero { old ...D } "
              + "fragment D on Hero { old }", name: "A.graphql")
        ], configuration: configuration
      ).value
      return try #require(code).documents[0].file.text
    }
    let masked = try text(false), merged = try text(true)
    let forwarders = ["var id: String { get { b.id }", "var d: D { get { b.d }", "var old: Int? { get { b.d.__old }"]
    for line in forwarders { #expect(merged.contains(line) && !masked.contains(line), "\(line)") }
    let own = "var name: String { get { b.name } set { b.name = newValue } }"
    #expect(masked.contains(own) && merged.contains(own))
    // Setting one of two fragments with a field sets it in the other.
    for line in ["_c.d = newValue.d\n", "_c.d.__old = newValue.d.__old\n"] {
      #expect(masked.contains(line) && merged.contains(line), "\(line)")
    }
    #expect(merged.contains("struct Hero: Sendable, Hashable, Identifiable"))
    #expect(masked.contains("struct Hero: Sendable, Hashable {"))
  }

  // MARK: - Members beside others

  @Test(
    "A member that has no effect beside another is warned of",
    arguments: [
      ("output.operations.relative.subpath", true),
      ("output.testMocks.swiftPackage.targetName", false),
      ("output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency", true),
      ("options.selectionSetInitializers.definitionsNamed", true), ("codegenEngine", true), ("downloadTimeout", true),
    ])
  func besideOthers(path: String, isOtherwiseSilent: Bool) throws {
    var configuration = ApolloCodegenConfiguration()
    switch path {
    case "output.operations.relative.subpath":
      configuration.output.singleFile = "API.swift"
      configuration.output.operations = .relative(subpath: "a", accessLevel: .internal)
    case "output.testMocks.swiftPackage.targetName":
      configuration.output.moduleType = .swiftPackage(nil)
      configuration.output.testMocks = .swiftPackage(targetName: "Mocks")
    case "options.selectionSetInitializers.definitionsNamed":
      configuration.rendering.flatInitializers.definitions = ["Nobody"]
    case "codegenEngine", "downloadTimeout":
      configuration =
        ApolloCodegenOptions(
          codegenEngine: path == "codegenEngine" ? .swiftExperimental : .default,
          outputFormat: .multipleFiles(inFolderAtURL: URL(fileURLWithPath: "out")),
          urlToSchemaFile: URL(fileURLWithPath: "schema.graphqls"),
          downloadTimeout: path == "codegenEngine" ? 30 : 31
        ).configuration
    default:
      configuration.output.moduleType = .swiftPackage(.local(path: "a"))
      configuration.output.testMocks = .absolute(path: "mocks", accessLevel: .public)
      configuration.output.redirect(to: "out")
    }
    let result = Pipeline.generate(
      schema: [Source("type Query { a: Int }", name: "s.graphqls")],
      operations: [Source("query A { a }", name: "A.graphql")], configuration: configuration)
    let warnings = result.diagnostics.filter { $0.severity == .warning }.map(\.message)
    #expect(warnings.contains { $0.hasPrefix("\"\(path)\" has no effect. ") }, "\(warnings)")
    #expect(warnings.count == (isOtherwiseSilent ? 1 : 2), "\(warnings)")
  }

  @Test("A warning about a name that the schema does not have is at its place in the file")
  func place() throws {
    let source = Source(
      """
      {
        "schemaNamespace": "API",
        "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
        "options": {
          "customScalars": { "Dat": "Day" },
          "schemaCustomization": { "customTypeNames": { "Kind": { "enum": { "cases": { "NONE": "no" } } } } }
        }
      }
      """, name: "config.json")
    let folder = try TemporaryFolder(ConfigurationKeyTests.files)
    let configuration = try #require(ApolloCodegenConfiguration.read(source).value)
    let report = ApolloCodegen(configuration, root: folder.url).validate()
    var renderer = DiagnosticRenderer(.xcode, sources: report.sources)
    let text = renderer.render(report.diagnostics.filter { $0.code == .ignoredConfigurationKey })
    let name = "options.schemaCustomization.customTypeNames.Kind.enum.cases.NONE"
    #expect(text.contains("config.json:5:24: warning: \"options.customScalars.Dat\" has no effect."), "\(text)")
    #expect(text.contains("config.json:6:82: warning: \"\(name)\" has no effect."), "\(text)")
  }
}
