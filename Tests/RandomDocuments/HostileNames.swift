/// Names that mean something else in Swift, in its library, or in generated code and what it calls.
public enum HostileNames {
  static let types = [
    "Data", "Type", "Protocol", "Self", "Error", "Optional", "Array", "Query_", "Fragment", "Selection",
    "Object", "Interface", "Union", "SelectionSet", "FieldTable", "ObjectReader", "GraphQLEnum", "PossibleTypes",
    "Indirect", "Hasher", "Swift", "Apollo", "ApolloAPI", "JSONWriter", "Never", "Any_", "lower", "snake_case",
    "_Private",
    "URL", "ABC", "Character", "Set", "Dictionary", "Result", "Void", "Sendable", "Identifiable", "Double",
    "Task", "Schema", "Variables", "Deferred", "TypeSet", "StaticString", "Codable", "Date", "UUID",
    "KeyPath", "Record", "JSONObject", "CacheKeyInfo", "Objects", "_const", "_Class",
  ]

  static let fields = [
    "self", "Self", "Type", "init", "data", "Data", "String", "fragments", "fields", "object", "default", "in", "is",
    "as",
    "case", "class", "func", "let", "var", "nil", "true", "throws", "try", "where", "while", "hash", "hashValue",
    "isEqual", "description", "debugDescription", "outer", "writer", "hasher", "other", "reader", "table", "schema",
    "write", "writeFields", "jsonObject", "URL", "ID", "userID", "HTTPStatus", "snake_case", "_underscore",
    "trailing_", "CamelCase", "number1", "a", "A", "asNode", "asData", "_data", "wrappedValue", "some", "none",
    "subscript", "operator", "internal", "public", "static", "super", "protocol", "extension", "any", "await", "async",
    "actor", "consuming", "borrowing", "inout", "get", "set", "willSet", "didSet", "left", "right", "value", "element",
    "variables", "result", "error", "state", "max", "min", "print", "type", "of", "Any", "Protocol", "read", "fragment",
    "_self", "_object", "_outer", "_Class", "_class", "schemaMetadata", "keyPath", "dictionary", "unsafeAddress",
  ]

  static let fragments = [
    "Data", "String", "Self_", "Type", "type", "fragment_", "Query", "Fragment", "Node", "AsNode", "Object_", "init_",
    "Fields", "self_", "SelectionSet", "Card", "card", "URL", "Error", "id", "data", "Array", "Optional", "lower_case",
    "_Class", "_borrow", "unsafeAddress", "KeyPath", "Dictionary", "SchemaMetadata", "Self", "self", "init", "Object",
  ]

  static let operations = [
    "Data", "String", "Type", "fetch", "Query", "mutation_", "Operation", "Self_", "data", "URL", "Self", "mutation",
  ]
  static let arguments = [
    "self", "in", "default", "object", "value", "Type", "operationName", "variables", "init", "writer", "_self", "Self",
    "FieldTable", "OperationDocument", "JSONWriter", "Data", "SchemaMetadata", "_Class", "Int",
  ]
  static let enumValues = [
    "self", "init", "default", "none", "some", "unknown", "case", "Type", "allCases", "rawValue", "_PRIVATE", "XMLHttp",
  ]
}
