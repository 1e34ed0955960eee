import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// Two statements about a type that contradict each other. If those about one of its interfaces do, they are reported
  /// there only.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - schema: The schema.
  ///   - value: What has to be equal.
  ///   - statements: What counts for a type.
  /// - Returns: The two; nil if there are none.
  static func contradiction<Statement, Value: Equatable>(
    about type: NamedType, in schema: Schema, by value: (Statement) -> Value, _ statements: (NamedType) -> [Statement]
  ) -> (Statement, Statement)? {
    func contradiction(_ type: NamedType) -> (Statement, Statement)? {
      let found = statements(type)
      guard let first = found.first, let other = found.first(where: { value($0) != value(first) }) else { return nil }
      return (first, other)
    }
    guard let found = contradiction(type) else { return nil }
    let interfaces = type.interfaces.compactMap { schema.type(named: $0.value) }
    return interfaces.contains { contradiction($0) != nil } ? nil : found
  }
}
