public import GraphQLSyntax

/// What [`@deprecated`](https://spec.graphql.org/September2025/#sec--deprecated) can be applied to.
public protocol Deprecatable {
  var directives: [Directive] { get }
}

extension Deprecatable {
  /// Why it should not be used, or `nil` when it may be.
  public var deprecationReason: String? {
    guard let directive = directives.first(named: "deprecated") else { return nil }
    guard case .string(let reason)? = directive.argument("reason")?.kind else { return "No longer supported" }
    return reason.value
  }

  public var isDeprecated: Bool { directives.first(named: "deprecated") != nil }
}

extension FieldDefinition: Deprecatable {}
extension InputValueDefinition: Deprecatable {}
extension EnumValueDefinition: Deprecatable {}

extension InputValueDefinition {
  /// Whether a value must be given: the type is non-null, and there is no default.
  public var isRequired: Bool { type.isNonNull && defaultValue == nil }
}
