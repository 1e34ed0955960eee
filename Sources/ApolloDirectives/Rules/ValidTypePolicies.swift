import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@typePolicy(keyFields:)` names fields whose values can be a part of a key.
  static let validTypePolicies = DirectiveRule { context in
    let keyFields = context.directives.keyFields
    return context.schema.definedTypes.flatMap { type -> [Diagnostic] in
      guard let directive = keyFields.directive(on: type) else { return [] }
      return (directive.text("keyFields")?.names ?? []).compactMap { name in
        problem(of: name, on: type, in: context.schema).map { Diagnostic(.invalidTypePolicy, $0, at: directive) }
      }
    } + contradictions(context.schema, keyFields)
  }

  /// A type without a policy has the policy of its interfaces. If several of them have one, they are equal.
  private static func contradictions(_ schema: Schema, _ keyFields: KeyFields) -> [Diagnostic] {
    schema.definedTypes.compactMap { type in
      guard !type.isAbstract, keyFields.policy(of: type) == nil else { return nil }
      let policies = type.interfaces.compactMap { name -> (NamedType, [String])? in
        guard let interface = schema.type(named: name.value), let policy = keyFields.policy(of: interface) else {
          return nil
        }
        return (interface, policy)
      }
      guard let (first, fields) = policies.first, let (other, others) = policies.first(where: { $0.1 != fields }) else {
        return nil
      }
      return Diagnostic(
        .invalidTypePolicy,
        "\"\(type.name)\" is identified by \"\(fields.joined(separator: " "))\" as a \"\(first.name)\", and by "
          + "\"\(others.joined(separator: " "))\" as a \"\(other.name)\".",
        at: type.definition.name.span,
        help: "Give it a policy of its own: extend type \(type.name) @typePolicy(keyFields: \"…\")")
    }
  }

  private static func problem(of name: String, on type: NamedType, in schema: Schema) -> DirectiveProblem? {
    guard let field = schema.field(named: name, on: type) else {
      return DirectiveProblem(
        "The type \"\(type.name)\" has no field \"\(name)\" to be a part of its key.", help: type.suggestion(for: name))
    }
    guard field.type.isNonNull, schema.type(of: field.type)?.isLeaf == true, case .named = field.type.kind else {
      return DirectiveProblem(
        "\"\(type.name).\(name)\" is of the type \"\(field.type)\", which cannot be a part of a key.",
        help: "Key fields are non-null scalars or enums.")
    }
    if let argument = field.arguments.first(where: \.isRequired) {
      return DirectiveProblem(
        "\"\(type.name).\(name)\" needs the argument \"\(argument.name)\", so it cannot be a part of a key.",
        help: "The key fields of objects are selected without arguments.")
    }
    return nil
  }
}
