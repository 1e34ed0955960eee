import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Something that the schema says should not be used any more.
  public static let deprecated = Self("deprecated")
}

extension Rule {
  /// Nothing that is deprecated is used. Best reported as a warning.
  public static let noDeprecated = Rule("NoDeprecated", section: nil, reports: .deprecated) {
    NoDeprecatedVisitor()
  }
}

private final class NoDeprecatedVisitor: RuleVisitor {
  func enter(_ field: Field, _ context: ValidationContext) {
    guard let reason = context.field?.deprecationReason, let parent = context.parentType else { return }
    context.report(
      .deprecated, "The field \(parent.name).\(field.name) is deprecated. \(reason)", at: field.span)
  }

  func enter(_ arguments: [Argument], of owner: ArgumentOwner?, _ context: ValidationContext) {
    guard let owner else { return }
    for argument in arguments {
      guard let reason = owner.definitions[argument.name.value]?.deprecationReason else { continue }
      context.report(
        .deprecated, "The argument \"\(owner.coordinate(of: argument.name.value))\" is deprecated. \(reason)",
        at: argument.span)
    }
  }

  func enter(_ value: Value, at position: InputPosition, _ context: ValidationContext) {
    guard let type = position.type.flatMap({ context.schema.type(of: $0) }) else { return }
    switch (value.kind, type) {
    case (.enum(let name), .enum(let type)):
      guard let reason = type.values[name]?.deprecationReason else { return }
      context.report(.deprecated, "The enum value \"\(type.name).\(name)\" is deprecated. \(reason)", at: value.span)
    case (.object(let fields), .inputObject(let type)):
      for field in fields {
        guard let reason = type.fields[field.name.value]?.deprecationReason else { continue }
        context.report(
          .deprecated, "The input field \(type.name).\(field.name) is deprecated. \(reason)", at: field.span)
      }
    default: return
    }
  }
}
