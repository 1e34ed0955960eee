/// The keys that a configuration file may have.
indirect enum ConfigurationKeys {
  /// Its value is read.
  case value
  /// Its value has no meaning here, for this reason.
  case ignored(String)
  case object([String: ConfigurationKeys])

  /// The members, or an object that has them under `_0`: files that Swift encoded have that.
  static func inner(_ members: [String: ConfigurationKeys]) -> ConfigurationKeys {
    .object(members.merging(["_0": .object(members)]) { first, _ in first })
  }

  static let root: ConfigurationKeys = .object([
    "schemaNamespace": .value,
    "schemaName": .value,
    "input": .object(["schemaSearchPaths": .value, "operationSearchPaths": .value]),
    "output": .object([
      "schemaTypes": .object([
        "path": .value,
        "moduleType": .object([
          "embeddedInTarget": .object(["name": .value, "accessModifier": .value]),
          "sameModule": .object(["accessModifier": .value]),
          "swiftPackage": .object(["apolloSDKDependency": dependency]),
          "swiftPackageManager": .object([:]),
          "other": .object([:]),
        ]),
      ]),
      "operations": .object([
        "inSchemaModule": .object([:]),
        "relative": .object(["subpath": .value, "accessModifier": .value]),
        "absolute": .object(["path": .value, "accessModifier": .value]),
      ]),
      "testMocks": .object([
        "none": .object([:]), "absolute": .object(["path": .value, "accessModifier": .value]),
        "swiftPackage": .object(["targetName": .value]),
      ]),
    ]),
    "options": options,
    "experimentalFeatures": .object([
      "fieldMerging": .ignored("Models have the shape of the document."),
      "legacySafelistingCompatibleOperations": .value,
    ]),
    "schemaDownload": download,
    "schemaDownloadConfiguration": download,
    "operationManifest": .object(["path": .value, "version": .value, "generateManifestOnCodeGeneration": .value]),
  ])

  private static let dependency: ConfigurationKeys = .object([
    "url": .value,
    "sdkVersion": .object([
      "branch": .object(["name": .value]), "commit": .object(["hash": .value]), "exact": .object(["version": .value]),
      "from": .object(["version": .value]), "local": .object(["path": .value]),
    ]),
  ])

  private static let download: ConfigurationKeys = .object([
    "downloadMethod": .object(["introspection": .inner(introspection), "apolloRegistry": .inner(registry)]),
    "downloadTimeout": .value, "headers": .value, "outputPath": .value,
  ])

  private static let introspection: [String: ConfigurationKeys] = [
    "endpointURL": .value, "outputFormat": .value, "includeDeprecatedInputValues": .value,
    "httpMethod": .object(["POST": .object([:]), "GET": .object(["queryParameterName": .value])]),
  ]

  private static let registry: [String: ConfigurationKeys] = [
    "apiKey": .value, "graphID": .value, "variant": .value, "endpointURL": .value,
  ]

  private static let options: ConfigurationKeys = .object([
    "additionalInflectionRules": .value,
    "customScalars": .value,
    "deprecatedEnumCases": .value,
    "schemaDocumentation": .value,
    "operationDocumentFormat": .value,
    "warningsOnDeprecatedUsage": .value,
    "conversionStrategies": .object(["enumCases": .value, "fieldAccessors": .value, "inputObjects": .value]),
    "pruneGeneratedFiles": .value,
    "markTypesNonisolated": .value,
    "additionalCapitalizationRules": .value,
    "requireNonOptionalMockFields": .ignored("Fields of mocks that are non-null always have a value."),
    "selectionSetInitializers": .ignored("Every model has a memberwise initializer."),
    "schemaCustomization": .object(["customTypeNames": .value]),
    "reduceGeneratedSchemaTypes": .value,
    "appendSchemaTypeFilenameSuffix": .ignored("All schema types are in one file."),
    "cocoapodsCompatibleImportStatements": .ignored("Generated code imports ApolloAPI."),
    "markOperationDefinitionsAsFinal": .ignored("Operations are structs."),
    "queryStringLiteralFormat": .ignored("Documents are written on a single line."),
    "apqs": .ignored("Persisted queries are an option of the client."),
  ])
}
