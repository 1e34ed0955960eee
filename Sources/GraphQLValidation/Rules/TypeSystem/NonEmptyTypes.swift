import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A type without the members that types of its kind consist of.
  public static let emptyType = Self("empty-type")
}

extension TypeSystemRule {
  /// Types have members.
  static let nonEmptyTypes = TypeSystemRule(
    "NonEmptyTypes", section: "sec-Types", reports: .emptyType
  ) { schema in
    schema.definedTypes.compactMap { type in
      let message: String
      switch type.definition.body {
      case .object(_, let fields) where fields.isEmpty, .interface(_, let fields) where fields.isEmpty:
        message = "Type \(type.name) must define one or more fields."
      case .union(let members) where members.isEmpty:
        message = "Union type \(type.name) must define one or more member types."
      case .enum(let values) where values.isEmpty:
        message = "Enum type \(type.name) must define one or more values."
      case .inputObject(let fields) where fields.isEmpty:
        message = "Input Object type \(type.name) must define one or more fields."
      default: return nil
      }
      return Diagnostic(.emptyType, message, at: type.span)
    }
  }
}
