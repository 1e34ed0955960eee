/// Names that generated code uses itself.
enum ReservedNames {
  /// Types that generated code mentions.
  static let types: Set = [
    "Any", "Apollo", "ApolloAPI", "ApolloTestSupport", "Array", "Bool", "CustomScalarType", "DeferredFragment",
    "Double", "EnumType", "Error", "FieldSet", "FieldTable",
    "Float", "Fragment", "FragmentContainer", "GraphQLEnum", "GraphQLMutation", "GraphQLNullable", "GraphQLOperation",
    "GraphQLQuery",
    "GraphQLSubscription", "Hashable", "Hasher", "ID", "Identifiable", "Indirect", "IndirectNullable",
    "InlineFragment", "InputObject", "Int", "JSONWriter", "LocalCacheMutation", "MemberwiseHashable", "Never",
    "ObjectReader", "OneOfInputObject", "OperationDocument", "Optional", "PossibleTypes", "Protocol", "ReadError",
    "SelectionSet", "Self", "Sendable", "StaticString", "String", "Swift", "Type", "TypeSet", "Void", "_",
  ]

  /// What the schema file declares besides the schema's types, where the cache is told of them.
  static let schemaMetadata: Set = [
    "Object", "Objects", "Interface", "Interfaces", "Union", "Unions", "SchemaConfiguration", "SchemaMetadata",
  ]

  /// Types that mocks mention.
  static let mocks: Set = [
    "AnyMock", "AnyMockField", "InterfaceMock", "Mock", "MockField", "MockFieldList", "MockFields", "MockObject",
  ]

  /// Members that every generated type has, and that cannot be overloaded.
  static let members: Set = ["hashValue", "__typename"]

  /// A member that is not called like one of those.
  static func member(_ name: String) -> String { members.contains(name) ? name + "_" : name }

  /// Local names in generated functions: members of these names are written with `self.`.
  static let locals: Set = ["other", "object", "outer", "writer", "hasher"]
}
