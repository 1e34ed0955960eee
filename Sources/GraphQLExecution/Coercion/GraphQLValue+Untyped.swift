public import GraphQLSyntax

extension GraphQLValue {
  /// What a literal means where no schema says what is expected: integers are numbers, enum values are strings.
  /// `nil` for a variable that has no value; in lists, that is null, and from objects it is left out.
  public init?(untyped literal: GraphQLSyntax.Value, variables: Object = [:]) {
    switch literal.kind {
    case .variable(let name):
      guard let value = variables[name.value] else { return nil }
      self = value
    case .int(let digits), .float(let digits): self = GraphQLValue(digits: digits)
    case .string(let string): self = .string(string.value)
    case .boolean(let value): self = .bool(value)
    case .null: self = .null
    case .enum(let name): self = .string(name)
    case .list(let items):
      self = .list(items.map { GraphQLValue(untyped: $0, variables: variables) ?? .null })
    case .object(let fields):
      var members = Object()
      for field in fields { members[field.name.value] = GraphQLValue(untyped: field.value, variables: variables) }
      self = .object(members)
    }
  }
}
