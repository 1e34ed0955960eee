import ApolloDirectives
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
  /// A file that no generator wrote would be replaced.
  public static let foreignFile = Self("foreign-file")
  /// A file that people change declares a type where generated code does not find it.
  public static let unfitFile = Self("unfit-file")
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
  /// A fragment with `@defer` needs a label to be named by.
  public static let unnamedDeferredFragment = Self("unnamed-deferred-fragment")
  /// The arguments of a fragment cannot be sent to a server that does not know them.
  public static let fragmentArguments = Self("fragment-arguments")
  /// A variable has a scalar whose type in Swift cannot be sent.
  public static let unsendableInput = Self("unsendable-input")
  /// A `@map` or a `@mapTo` is not valid.
  public static let invalidScalarType = Self("invalid-scalar-type")
  /// A `@targetName` is not valid.
  public static let invalidTargetName = Self("invalid-target-name")
  /// An `@import` does not name a module.
  public static let invalidImport = Self("invalid-import")
  /// The namespace of the schema is the name of another type.
  public static let namespaceConflict = Self("namespace-conflict")
  /// A generated type has the name of a type of the library.
  public static let libraryName = Self("library-name")
  /// An operation or a fragment has another name in Swift, because another type has its name.
  public static let renamedDefinition = Self("renamed-definition")

  /// All codes of the generator. Each is explained in `Docs/diagnostics.md`.
  public static let generator: [Self] =
    directives + [
      .invalidJSON, .needlessComma, .invalidConfiguration, .unknownConfigurationKey, .ignoredConfigurationKey,
      .unreadableFile, .unwritableFile, .foreignFile, .unfitFile, .outsideAllowedFolder, .downloadFailed,
      .unprotectedCredentials, .missingSchema, .missingOperations, .emptyFile, .invalidFileName, .schemaWarnings,
      .anonymousOperation, .typenameAlias, .unnamedDeferredFragment, .fragmentArguments, .unsendableInput,
      .invalidScalarType, .invalidTargetName, .invalidImport, .namespaceConflict, .libraryName, .renamedDefinition,
    ]
}
