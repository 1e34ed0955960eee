public import GraphQLSyntax

extension Diagnostic.Code {
  /// A field of a cache key has an alias, or another field has its name as an alias.
  public static let keyFieldAlias = Self("key-field-alias")
  /// A field of a cache key cannot be selected, because another selection has its name.
  public static let unselectedKeyField = Self("unselected-key-field")
  /// A `@typePolicy` is not valid.
  public static let invalidTypePolicy = Self("invalid-type-policy")
  /// A `@fieldPolicy` is not valid.
  public static let invalidFieldPolicy = Self("invalid-field-policy")
  /// A `@cacheControl` or `@cacheControlField` is not valid.
  public static let invalidCacheControl = Self("invalid-cache-control")
  /// Two `@cacheControl` give one value different ages.
  public static let conflictingCacheControl = Self("conflicting-cache-control")
  /// A `@cacheControl` or `@cacheControlField` has no effect.
  public static let ignoredCacheControl = Self("ignored-cache-control")
  /// An `@embedded` or `@embeddedField` is not valid.
  public static let invalidEmbeddedField = Self("invalid-embedded-field")
  /// What the schema says of the pages of a field is not valid.
  public static let invalidPagination = Self("invalid-pagination")
  /// The nodes of a connection have no key fields.
  public static let unkeyedNodes = Self("unkeyed-nodes")
  /// The objects that are the pages of a field have key fields.
  public static let keyedPages = Self("keyed-pages")
  /// Types with an `id` have no key fields.
  public static let unkeyedObjects = Self("unkeyed-objects")
  /// An `@onDelete` or `@onDeleteField` is not valid.
  public static let invalidOnDelete = Self("invalid-on-delete")
  /// A directive that changes lists of the cache is not valid.
  public static let invalidListEdit = Self("invalid-list-edit")
  /// A field with `@client` is not valid.
  public static let invalidLocalField = Self("invalid-local-field")
  /// A directive about nulls and errors is not valid: `@catch`, `@catchByDefault`, `@semanticNonNull` or `@required`.
  public static let invalidCatch = Self("invalid-catch")
  /// An `@alias` names nothing, or gives a name that is taken.
  public static let invalidAlias = Self("invalid-alias")
  /// Selections of one field treat its nulls or errors differently.
  public static let conflictingCatch = Self("conflicting-catch")

  /// All codes of the directives of the client. Each is explained in `Docs/diagnostics.md`.
  public static let directives: [Self] = [
    .keyFieldAlias, .unselectedKeyField, .invalidTypePolicy, .invalidFieldPolicy, .invalidCacheControl,
    .conflictingCacheControl, .ignoredCacheControl, .invalidEmbeddedField, .invalidPagination, .unkeyedNodes,
    .keyedPages, .unkeyedObjects, .invalidOnDelete, .invalidListEdit, .invalidLocalField, .invalidAlias,
    .invalidCatch, .conflictingCatch,
  ]
}
