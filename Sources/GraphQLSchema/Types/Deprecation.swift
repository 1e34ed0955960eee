public import GraphQLSyntax

/// A part of a schema that can be marked with [`@deprecated`](https://spec.graphql.org/September2025/#sec--deprecated).
public protocol Deprecatable {
  /// The directives applied to the part.
  var directives: [Directive] { get }
}

extension Deprecatable {
  /// Why the part should not be used; nil if it is not deprecated. If the schema gives no reason, the default is
  /// `No longer supported`.
  public var deprecationReason: String? {
    guard let directive = directives.first(named: "deprecated") else { return nil }
    guard case .string(let reason)? = directive.argument("reason")?.kind else { return "No longer supported" }
    return reason.value
  }

  /// Whether the part should not be used any more.
  public var isDeprecated: Bool { directives.first(named: "deprecated") != nil }
}

extension FieldDefinition: Deprecatable {}
extension InputValueDefinition: Deprecatable {}
extension EnumValueDefinition: Deprecatable {}
extension DirectiveDefinition: Deprecatable {}

extension InputValueDefinition {
  /// Whether a value must be given, because the type is non-null and there is no default value.
  public var isRequired: Bool { type.isNonNull && defaultValue == nil }
}
