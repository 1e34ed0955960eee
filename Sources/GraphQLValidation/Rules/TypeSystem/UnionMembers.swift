import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A member of a union is not an object type, or is listed twice.
  public static let invalidUnionMember = Self("invalid-union-member")
}

extension TypeSystemRule {
  /// Unions have object types for members, each once.
  static let unionMembers = TypeSystemRule(
    "UnionMembers", section: "sec-Unions.Type-Validation", reports: .invalidUnionMember
  ) { schema in
    schema.definedTypes.flatMap { type -> [Diagnostic] in
      guard case .union(let union) = type else { return [] }
      var names = UniqueNames()
      return union.members.compactMap { member in
        if let first = names.insert(member) {
          return Diagnostic(
            .invalidUnionMember, "Union type \(union.name) can only include type \(member) once.", at: member.span,
            labels: [.init("first included here", at: first)])
        }
        guard let type = schema.type(named: member.value) else { return nil }
        if case .object = type { return nil }
        return Diagnostic(
          .invalidUnionMember,
          "Union type \(union.name) can only include Object types, it cannot include \(member).", at: member.span)
      }
    }
  }
}
