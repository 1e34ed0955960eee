/// Names that generated code uses itself. `make names` holds generated code to them.
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

  /// Names that no type can have: those that are mentioned, and those that mean something else wherever a type stands.
  static let types = mentioned.union(["Any", "Protocol", "Type", "_", "_const", "_opaqueReturnTypeOf"])

  /// The struct of this name in each operation would hide a type, and be hidden by a variable.
  static let root = "Data"

  /// What the schema file declares besides the schema's types, where the cache is told of them.
  static let schemaMetadata: Set = [
    "Object", "Objects", "Interface", "Interfaces", "Union", "Unions", "SchemaConfiguration", "SchemaMetadata",
  ]

  /// Constants for types of the schema cannot have these names: they are members of every type, or what the constants are
  /// made of.
  static let schemaConstants: Set = [
    "Type", "Protocol", "self", "init", "all", "ApolloAPI", "Interfaces", "Objects", "Swift",
  ]

  /// Types that mocks mention.
  static let mocks: Set = [
    "AnyMock", "AnyMockField", "InterfaceMock", "Mock", "MockField", "MockFieldList", "MockFields", "MockObject",
  ]

  /// Members of mocks, which those for fields would hide.
  static let mockMembers: Set = ["all", "hash", "init", "mockJSON", "self"]

  /// Members that every generated type has, and that cannot be overloaded.
  static let members: Set = ["hashValue", "__typename"]

  /// A member that is not called like one of those.
  static func member(_ name: String) -> String { members.contains(name) ? name + "_" : name }

  /// Names that mean something else in generated functions, or at the start of the body of a property. Members of these
  /// names are written with `self.`.
  static let locals: Set = [
    "other", "object", "outer", "writer", "hasher", "self", "newValue", "oldValue", "value",
    "unsafeAddress", "unsafeMutableAddress", "mutableAddress",
  ]
}
