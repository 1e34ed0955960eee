public import GraphQLSyntax

extension Diagnostic.Code {
  // Configuration
  /// A JSON file has a syntax error.
  public static let invalidJSON = Self("invalid-json")
  /// A JSON file has a comma that is not allowed.
  public static let needlessComma = Self("needless-comma")
  /// A value in the configuration is not valid.
  public static let invalidConfiguration = Self("invalid-configuration")
  /// The configuration has a key that the generator does not know.
  public static let unknownConfigurationKey = Self("unknown-configuration-key")
  /// The configuration has a key that has no effect.
  public static let ignoredConfigurationKey = Self("ignored-configuration-key")

  // Files
  /// A file cannot be read.
  public static let unreadableFile = Self("unreadable-file")
  /// A file cannot be written.
  public static let unwritableFile = Self("unwritable-file")
  /// A file would be replaced that no generator wrote.
  public static let foreignFile = Self("foreign-file")
  /// A file would be written outside of the folder that may be written to.
  public static let outsideAllowedFolder = Self("outside-allowed-folder")
  /// A schema could not be downloaded.
  public static let downloadFailed = Self("download-failed")
  /// Credentials would be sent without encryption.
  public static let unprotectedCredentials = Self("unprotected-credentials")
  /// No file matches the patterns for the schema.
  public static let missingSchema = Self("missing-schema")
  /// No file matches the patterns for operations.
  public static let missingOperations = Self("missing-operations")

  /// A file has no definitions.
  public static let emptyFile = Self("empty-file")
  /// The name of a generated file would lead to another folder.
  public static let invalidFileName = Self("invalid-file-name")

  // Summaries
  /// A summary of the warnings about the schema.
  public static let schemaWarnings = Self("schema-warnings")

  // What generated code cannot express
  /// An operation has no name, and so cannot become a type.
  public static let anonymousOperation = Self("anonymous-operation")
  /// The field `__typename` has an alias.
  public static let typenameAlias = Self("typename-alias")
  /// A field of a cache key has an alias, or another field has its name as an alias.
  public static let keyFieldAlias = Self("key-field-alias")
  /// A field of a cache key cannot be selected, because another selection has its name.
  public static let unselectedKeyField = Self("unselected-key-field")
  /// A `@typePolicy` is not valid.
  public static let invalidTypePolicy = Self("invalid-type-policy")
  /// A fragment with `@defer` needs a label to be named by.
  public static let unnamedDeferredFragment = Self("unnamed-deferred-fragment")
  /// A variable has a scalar whose type in Swift cannot be sent.
  public static let unsendableInput = Self("unsendable-input")
  /// A `@fieldPolicy` is not valid.
  public static let invalidFieldPolicy = Self("invalid-field-policy")
  /// A `@cacheControl` or `@cacheControlField` is not valid.
  public static let invalidCacheControl = Self("invalid-cache-control")
  /// Two `@cacheControl` give one value different ages.
  public static let conflictingCacheControl = Self("conflicting-cache-control")
  /// A `@cacheControl` has no effect.
  public static let ignoredCacheControl = Self("ignored-cache-control")
  /// An `@embedded` or `@embeddedField` is not valid.
  public static let invalidEmbeddedField = Self("invalid-embedded-field")
  /// What the schema says of the pages of a field is not valid.
  public static let invalidPagination = Self("invalid-pagination")
  /// The nodes of a connection have no key fields.
  public static let unkeyedNodes = Self("unkeyed-nodes")
  /// Types with an `id` have no key fields.
  public static let unkeyedObjects = Self("unkeyed-objects")
  /// A `@map` is not valid.
  public static let invalidScalarType = Self("invalid-scalar-type")
  /// An `@onDelete` or `@onDeleteField` is not valid.
  public static let invalidOnDelete = Self("invalid-on-delete")
  /// A directive that changes lists of the cache is not valid.
  public static let invalidListEdit = Self("invalid-list-edit")
  /// A field with `@client` is not valid.
  public static let invalidLocalField = Self("invalid-local-field")
  /// An `@import` does not name a module.
  public static let invalidImport = Self("invalid-import")
  /// The namespace of the schema is the name of another type.
  public static let namespaceConflict = Self("namespace-conflict")
  /// A generated type has the name of a type of the library.
  public static let libraryName = Self("library-name")

  /// All codes of the generator. Each is explained in `Docs/diagnostics.md`.
  public static let generator: [Self] = [
    .invalidJSON, .needlessComma, .invalidConfiguration, .unknownConfigurationKey, .ignoredConfigurationKey,
    .unreadableFile,
    .unwritableFile, .foreignFile, .outsideAllowedFolder, .downloadFailed, .unprotectedCredentials,
    .missingSchema, .missingOperations, .emptyFile,
    .invalidFileName, .schemaWarnings,
    .anonymousOperation, .typenameAlias, .keyFieldAlias, .unselectedKeyField, .invalidTypePolicy,
    .unnamedDeferredFragment, .unsendableInput, .invalidFieldPolicy, .invalidCacheControl,
    .conflictingCacheControl, .ignoredCacheControl, .invalidEmbeddedField, .invalidPagination, .unkeyedNodes,
    .unkeyedObjects, .invalidScalarType, .invalidOnDelete, .invalidListEdit, .invalidLocalField, .invalidImport,
    .namespaceConflict, .libraryName,
  ]
}
