public import GraphQLSyntax

extension Diagnostic.Code {
  // Configuration
  public static let invalidJSON = Self("invalid-json")
  public static let needlessComma = Self("needless-comma")
  public static let invalidConfiguration = Self("invalid-configuration")
  public static let unknownConfigurationKey = Self("unknown-configuration-key")
  public static let ignoredConfigurationKey = Self("ignored-configuration-key")

  // Files
  public static let unreadableFile = Self("unreadable-file")
  public static let unwritableFile = Self("unwritable-file")
  public static let outsideAllowedFolder = Self("outside-allowed-folder")
  public static let downloadFailed = Self("download-failed")
  public static let missingSchema = Self("missing-schema")
  public static let missingOperations = Self("missing-operations")

  // What is told together
  public static let schemaWarnings = Self("schema-warnings")

  // What generated code cannot express
  public static let anonymousOperation = Self("anonymous-operation")
  public static let typenameAlias = Self("typename-alias")
  public static let keyFieldAlias = Self("key-field-alias")
  public static let invalidTypePolicy = Self("invalid-type-policy")
  public static let unnamedDeferredFragment = Self("unnamed-deferred-fragment")
  public static let unsendableInput = Self("unsendable-input")
  public static let invalidFieldPolicy = Self("invalid-field-policy")
  public static let namespaceConflict = Self("namespace-conflict")
  public static let libraryName = Self("library-name")

  /// All codes of the generator, each explained in `Docs/diagnostics.md`.
  public static let generator: [Self] = [
    .invalidJSON, .needlessComma, .invalidConfiguration, .unknownConfigurationKey, .ignoredConfigurationKey,
    .unreadableFile,
    .unwritableFile, .outsideAllowedFolder, .downloadFailed, .missingSchema, .missingOperations, .schemaWarnings,
    .anonymousOperation, .typenameAlias, .keyFieldAlias, .invalidTypePolicy,
    .unnamedDeferredFragment, .unsendableInput, .invalidFieldPolicy, .namespaceConflict, .libraryName,
  ]
}
