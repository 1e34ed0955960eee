/// The keys that a configuration file may have.
indirect enum ConfigurationKeys: Sendable {
  /// Its value is read.
  case value
  /// Any value is reported as a warning: it has no effect in this generator, for this reason.
  case unsupported(String)
  /// A flag whose only value in this generator is this one. Any other value is reported as a warning: it has no effect,
  /// for this reason.
  case constantFlag(Bool, String)
  case object([String: ConfigurationKeys])
  /// An object with these members. Any other one is reported as a warning: it has no effect, for this reason.
  case openObject([String: ConfigurationKeys], others: String)
  /// An object with exactly one of these members that is not null.
  case choice([String: ConfigurationKeys])
  /// An object, or a value of another kind.
  case either(ConfigurationKeys)
  case list(ConfigurationKeys)
  /// An object whose members have names of the schema, or any other names.
  case dictionary(ConfigurationKeys)

  /// The members, or an object that has them under `_0`, as in files that Swift encoded.
  private static func inner(_ members: [String: ConfigurationKeys]) -> ConfigurationKeys {
    .object(members.merging(["_0": .object(members)]) { first, _ in first })
  }

  /// A value, or an object that has it under `_0`.
  private static let innerValue: ConfigurationKeys = .either(.object(["_0": .value]))

  static let root: ConfigurationKeys = .object([
    "schemaNamespace": .value,
    "schemaName": .value,
    "input": .object([
      "schemaSearchPaths": .value, "operationSearchPaths": .value, "maximumSchemaSize": .value, "maximumDepth": .value,
    ]),
    "output": .object([
      "schemaTypes": .object([
        "path": .value,
        "moduleType": .choice([
          "embeddedInTarget": .object(["name": .value, "accessModifier": .value]),
          "sameModule": .object(["accessModifier": .value]),
          "swiftPackage": .object(["apolloSDKDependency": dependency, "name": targetName]),
          "swiftPackageManager": .object(["name": targetName]),
          "other": .object(["name": targetName]),
        ]),
      ]),
      "operations": .choice([
        "inSchemaModule": .object([:]),
        "relative": .object(["subpath": .value, "accessModifier": .value]),
        "absolute": .object(["path": .value, "accessModifier": .value]),
      ]),
      "testMocks": .choice([
        "none": .object([:]), "absolute": .object(["path": .value, "accessModifier": .value]),
        "swiftPackage": .object(["targetName": .value]),
      ]),
      "operationIdentifiersPath": .value,
    ]),
    "options": options,
    "experimentalFeatures": .openObject(
      [
        "fieldMerging": .value,
        "clientControlledNullability": .constantFlag(false, "Nullability is that of the schema."),
        "legacySafelistingCompatibleOperations": .value,
      ], others: "There is no such feature."),
    "schemaDownload": download,
    "schemaDownloadConfiguration": download,
    "operationManifest": .object(["path": .value, "version": .value, "generateManifestOnCodeGeneration": .value]),
  ])

  /// `init --target-name` of Apollo iOS writes it for every type of module.
  private static let targetName: ConfigurationKeys = .unsupported("Only \"embeddedInTarget\" has a target.")

  private static let dependency: ConfigurationKeys = .object([
    "url": .value,
    "sdkVersion": .either(
      .choice([
        "branch": .object(["name": .value]), "commit": .object(["hash": .value]), "exact": .object(["version": .value]),
        "from": .object(["version": .value]), "local": .object(["path": .value]), "default": .object([:]),
      ])),
  ])

  private static let download: ConfigurationKeys = .object([
    "downloadMethod": .choice(["introspection": inner(introspection), "apolloRegistry": inner(registry)]),
    "downloadTimeout": .value, "maximumResponseSize": .value, "headers": .value, "outputPath": .value,
  ])

  private static let introspection: [String: ConfigurationKeys] = [
    "endpointURL": .value, "outputFormat": .value, "includeDeprecatedInputValues": .value,
    "httpMethod": .choice(["POST": .object([:]), "GET": .object(["queryParameterName": .value])]),
  ]

  private static let registry: [String: ConfigurationKeys] = [
    "apiKey": .value, "graphID": .value, "variant": .value, "endpointURL": .value,
  ]

  private static let options: ConfigurationKeys = .object([
    "additionalInflectionRules": .list(
      .choice([
        "irregular": .object(["singular": .value, "plural": .value]),
        "uncountable": .either(.object(["word": .value])),
        "singularization": .object(["pluralRegex": .value, "replacementRegex": .value]),
        "pluralization": .unsupported("No name is made plural."),
      ])),
    "customScalars": .dictionary(
      .either(
        .object([
          "type": .value, "module": .value, "isHashable": .value, "isSendable": .value, "isInputOnly": .value,
        ]))),
    "naming": .value,
    "deprecatedEnumCases": .value,
    "schemaDocumentation": .value,
    "operationDocumentFormat": .value,
    "warningsOnDeprecatedUsage": .value,
    "notesOnMissingKeyFields": .value,
    "conversionStrategies": .object(["enumCases": .value, "fieldAccessors": .value, "inputObjects": .value]),
    "pruneGeneratedFiles": .value,
    "markTypesNonisolated": .value,
    "additionalCapitalizationRules": .list(
      .object([
        "term": .either(.choice(["string": innerValue, "regex": innerValue])),
        "strategy": .either(.choice(["upper": .object([:]), "lower": .object([:]), "replace": innerValue])),
      ])),
    "requireNonOptionalMockFields": .constantFlag(true, "A field that is non-null has a value in every mock."),
    "selectionSetInitializers": .object([
      "operations": .value, "namedFragments": .value, "localCacheMutations": .value, "definitionsNamed": .value,
    ]),
    "schemaCustomization": .object([
      "customTypeNames": .dictionary(
        .either(
          .choice([
            "type": .object(["name": .value]),
            "enum": .object(["name": .value, "cases": .dictionary(.value)]),
            "inputObject": .object(["name": .value, "fields": .dictionary(.value)]),
          ])))
    ]),
    "reduceGeneratedSchemaTypes": .value,
    "maxAgeRule": .value,
    "appendSchemaTypeFilenameSuffix": .constantFlag(false, "All schema types are in one file."),
    "cocoapodsCompatibleImportStatements": .constantFlag(
      false, "Generated code imports ApolloAPI, because there is no pod of this package."),
    "markOperationDefinitionsAsFinal": .constantFlag(false, "Operations are structs, which are always final."),
    "queryStringLiteralFormat": .value,
    "apqs": .value,
  ])
}
