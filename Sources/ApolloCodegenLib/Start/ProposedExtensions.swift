import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax

/// What an app may say of a server's schema in a file of its own: key fields, and types for scalars.
struct ProposedExtensions {
  /// The types for which key fields are proposed.
  let keyedTypes: [String]
  /// The scalars that are `String` in Swift unless the app says otherwise.
  let scalars: [String]

  private let statements: [String]
  private let scalarStatements: [String]

  init(_ schema: Schema) {
    let directives = SchemaDirectives(schema)
    // What is said of an interface holds for the types that implement it.
    let interfaces = schema.definedTypes.filter { type in
      guard case .interface = type else { return false }
      return Self.canBeKeyed(type, in: schema)
    }
    let covering = interfaces.filter { type in
      !type.interfaces.contains { name in interfaces.contains { $0.name == name.value } }
    }
    let objects = schema.definedTypes.filter { type in
      guard case .object = type, Self.canBeKeyed(type, in: schema), !directives.declareKeyFields(of: type) else {
        return false
      }
      return !type.interfaces.contains { name in covering.contains { $0.name == name.value } }
    }
    keyedTypes = (covering + objects).map(\.name)
    statements =
      covering.map { "extend interface \($0.name) @typePolicy(keyFields: \"id\")" }
      + objects.map { "extend type \($0.name) @typePolicy(keyFields: \"id\")" }
    scalars = schema.definedTypes.compactMap { type in
      guard case .scalar = type, !Schema.isBuiltIn(typeNamed: type.name) else { return nil }
      return type.name
    }
    scalarStatements = scalars.map { name in
      let (type, module) = Self.usual[name] ?? ("String", nil)
      return "# extend scalar \(name) @map(to: \"\(type)\"\(module.map { ", module: \"\($0)\"" } ?? ""))"
    }
  }

  /// The file.
  var text: String {
    var text = "# What the app says of the server's schema. This file is yours to change.\n"
    text +=
      "\n# What tells objects apart: two objects of one type with equal key fields are one object for the cache.\n"
    if statements.isEmpty {
      text += "# No type has a field \"id\". For a type with another field of this kind:\n"
      text += "# extend type Book @typePolicy(keyFields: \"isbn\")\n"
    } else {
      text += statements.map { $0 + "\n" }.joined()
    }
    guard !scalarStatements.isEmpty else { return text }
    text +=
      "\n# Scalars are \"String\" in Swift, unless they have another type. Date is for texts in ISO 8601 with a time zone.\n"
    return text + scalarStatements.map { $0 + "\n" }.joined()
  }

  private static func canBeKeyed(_ type: NamedType, in schema: Schema) -> Bool {
    guard let id = type.fields?["id"], id.type.isNonNull, case .named = id.type.kind, id.arguments.isEmpty else {
      return false
    }
    return schema.type(of: id.type)?.isLeaf == true
  }

  /// Types that scalars of these names usually have.
  private static let usual: [String: (type: String, module: String?)] = [
    "DateTime": ("Date", "Foundation"), "ISO8601DateTime": ("Date", "Foundation"), "Timestamp": ("Date", "Foundation"),
    "URI": ("URL", "Foundation"), "URL": ("URL", "Foundation"), "UUID": ("UUID", "Foundation"),
    "Decimal": ("Decimal", "Foundation"), "BigDecimal": ("Decimal", "Foundation"),
    "JSON": ("JSONScalar", "ApolloAPI"), "JSONObject": ("JSONScalar", "ApolloAPI"),
  ]
}
