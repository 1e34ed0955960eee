/// The keys that a configuration file may have.
indirect enum ConfigurationKeys {
  /// Its value is read.
  case value
  /// Its value has no meaning here, for this reason.
  case ignored(String)
  case object([String: ConfigurationKeys])

  static let root: ConfigurationKeys = .object([
    "schemaNamespace": .value,
    "schemaName": .value,
    "input": .object(["schemaSearchPaths": .value, "operationSearchPaths": .value]),
    "output": .object([
      "schemaTypes": .object([
        "path": .value,
        "moduleType": .object([
          "embeddedInTarget": .object(["name": .value, "accessModifier": .value]),
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
      "testMocks": .object(["none": .object([:]), "absolute": mocks, "swiftPackage": mocks]),
    ]),
    "options": options,
    "experimentalFeatures": .object([
      "fieldMerging": .ignored("Models have the shape of the document."),
      "legacySafelistingCompatibleOperations": .ignored("Documents are written in the current form only."),
    ]),
    "schemaDownload": download,
    "schemaDownloadConfiguration": download,
    "operationManifest": .ignored("Operation manifests are not written yet."),
  ])

  private static let dependency: ConfigurationKeys = .object([
    "url": .value,
    "sdkVersion": .object([
      "branch": .object(["name": .value]), "commit": .object(["hash": .value]), "exact": .object(["version": .value]),
      "from": .object(["version": .value]), "local": .object(["path": .value]),
    ]),
  ])

  private static let mocks: ConfigurationKeys = .ignored(
    "Every model has a memberwise initializer, which takes the place of mocks.")

  private static let download: ConfigurationKeys = .ignored("Schemas are read from files.")

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
    "additionalCapitalizationRules": .ignored("Names keep the capitals that the schema gives them."),
    "selectionSetInitializers": .ignored("Every model has a memberwise initializer."),
    "schemaCustomization": .ignored("Types have the names that the schema gives them."),
    "reduceGeneratedSchemaTypes": .ignored("Only types that operations use are generated."),
    "appendSchemaTypeFilenameSuffix": .ignored("All schema types are in one file."),
    "cocoapodsCompatibleImportStatements": .ignored("Generated code imports ApolloAPI."),
    "markOperationDefinitionsAsFinal": .ignored("Operations are structs."),
    "queryStringLiteralFormat": .ignored("Documents are written on a single line."),
    "apqs": .ignored("Persisted queries are an option of the client."),
  ])
}
