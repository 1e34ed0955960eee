/// Names that generated code uses itself. `make names` checks that generated code compiles for schemas with such names.
enum ReservedNames {
  /// Types and modules that generated code mentions where a declaration of an app could hide them.
  ///
  /// It mentions others as members of their modules, such as `Swift.KeyPath`.
  static let mentioned: Set = [
    "Apollo", "ApolloAPI", "ApolloTestSupport", "Array", "Bool", "CustomScalarType", "DeferredFragment", "Double",
    "EnumType", "Error", "Float", "Fragment", "GraphQLEnum", "GraphQLMutation", "GraphQLNullable",
    "GraphQLOperation", "GraphQLQuery", "GraphQLSubscription", "Hashable", "Hasher", "ID", "Identifiable",
    "InlineFragment", "InputObject", "Int", "LocalCacheMutation", "Never", "OneOfInputObject",
    "OperationDocument", "Optional", "PossibleTypes", "SelectionSet", "Self", "Sendable", "StaticString",
    "String", "Swift", "Void",
  ]

  /// Names that no type can have: those that are mentioned, and those with a special meaning where a type is written.
  static let types = mentioned.union(["Any", "Protocol", "Type", "_", "_const", "_opaqueReturnTypeOf"])

  /// Types that have a suffix such as `_Enum` or `_SelectionSet` in Apollo iOS 1 and 2.
  static let suffixed: Set = [
    "Any", "Bool", "DataDict", "DocumentType", "Double", "Error", "Float", "FragmentContainer", "Fragments", "ID",
    "Int", "Int32", "ParentType", "Protocol", "Schema", "Selection", "Self", "String", "Type", "_",
  ]

  /// A type that only code for results of fields mentions, so that other code may have the name.
  static let result = "FieldResult"

  /// The struct of an operation's data. It would hide a type with this name, and a variable would hide it.
  static let root = "Data"

  /// The types that are members of every operation. They would hide types with these names.
  static let membersOfOperations: Set = [root, "ResponseFormat", "Variables"]

  /// The names that the schema file declares besides the schema's types, if it describes the schema for the cache.
  static let schemaMetadata: Set = ["Objects", "Interfaces", "Unions", "SchemaConfiguration", "SchemaMetadata"]

  /// Names that constants for types of the schema cannot have: they are members of every type, or parts of the
  /// constants; or they have a suffix in Apollo iOS.
  static let schemaConstants = suffixed.union(["ApolloAPI", "Interfaces", "Objects", "Swift", "Unions"])

  /// Types that mocks mention. `O` is the type of the object in extensions of `Mock`.
  static let mocks: Set = [
    "AnyMock", "AnyMockField", "InterfaceMock", "Mock", "MockField", "MockFieldList", "MockFields", "MockObject", "O",
  ]

  /// Members of mocks and of their lists of fields, which properties for fields would hide.
  static let mockMembers: Set = ["all", "hash", "init", "self", "setError", "_data", "_selectionSetMockData"]

  /// Those of ``mockMembers`` beside which a mock can have a property for a field, as in Apollo iOS.
  static let mockProperties: Set = ["all", "hash"]

  /// Members that generated types have, and that cannot be overloaded. (The stored property of a deprecated field
  /// begins with two underscores as well.)
  static let members: Set = ["hashValue", "__data", "__typename", "__whole"]

  /// Members of the structs for conditions that Swift finds before a member of the object with the name.
  static let membersOfParts: Set = ["_rawHashValue", "fragments", "hash"]

  /// The name of a member, with an underscore if it is one of ``members``.
  static func member(_ name: String) -> String { members.contains(name) ? name + "_" : name }

  /// Names with another meaning in generated functions, or at the start of the body of a property, where Swift reads the
  /// names of accessors. Members with these names are written with `self.`.
  static let locals: Set = [
    "other", "object", "outer", "writer", "hasher", "self", "newValue", "oldValue", "value",
    "get", "set", "willSet", "didSet", "_read", "_modify", "borrow", "mutate", "yielding",
    "unsafeAddress", "unsafeMutableAddress", "mutableAddress",
  ]
}
