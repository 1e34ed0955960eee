public import GraphQLSyntax

/// A part of a schema that a schema coordinate names —
/// [spec](https://spec.graphql.org/September2025/#sec-Schema-Coordinates)
public enum SchemaElement: Sendable {
  case type(NamedType)
  /// A field of an object type or interface; it may be a meta-field.
  case field(FieldDefinition, of: NamedType)
  case inputField(InputValueDefinition, of: InputObjectType)
  case enumValue(EnumValueDefinition, of: EnumType)
  case argument(InputValueDefinition, of: FieldDefinition, on: NamedType)
  case directive(DirectiveDefinition)
  case directiveArgument(InputValueDefinition, of: DirectiveDefinition)

  /// The place of the definition; `SourceSpan.none` for built-in parts, and for a schema that was made of
  /// introspection.
  public var span: SourceSpan {
    switch self {
    case .type(let type): type.span
    case .field(let field, _): field.span
    case .inputField(let field, _): field.span
    case .enumValue(let value, _): value.span
    case .argument(let argument, _, _): argument.span
    case .directive(let directive): directive.span
    case .directiveArgument(let argument, _): argument.span
    }
  }

  /// The description in the schema; nil if there is none.
  public var description: String? {
    switch self {
    case .type(let type): type.description
    case .field(let field, _): field.description?.value
    case .inputField(let field, _): field.description?.value
    case .enumValue(let value, _): value.description?.value
    case .argument(let argument, _, _): argument.description?.value
    case .directive(let directive): directive.description?.value
    case .directiveArgument(let argument, _): argument.description?.value
    }
  }
}

extension Schema {
  /// The part that a coordinate names; nil if this schema has no such part.
  public func resolve(_ coordinate: SchemaCoordinate) -> SchemaElement? {
    switch coordinate {
    case .type(let name): return type(named: name).map { .type($0) }
    case .member(let typeName, let name): return member(name, of: typeName)
    case .argument(let type, let field, let name):
      guard case .field(let field, let type)? = member(field, of: type) else { return nil }
      return field.arguments.first { $0.name.value == name }.map { .argument($0, of: field, on: type) }
    case .directive(let name): return directive(named: name).map { .directive($0) }
    case .directiveArgument(let name, let argument):
      guard let directive = directive(named: name) else { return nil }
      return directive.arguments.first { $0.name.value == argument }.map { .directiveArgument($0, of: directive) }
    }
  }

  private func member(_ name: String, of typeName: String) -> SchemaElement? {
    guard let type = type(named: typeName) else { return nil }
    switch type {
    case .enum(let type): return type.values[name].map { .enumValue($0, of: type) }
    case .inputObject(let type): return type.fields[name].map { .inputField($0, of: type) }
    case .object, .interface, .union: return field(named: name, on: type).map { .field($0, of: type) }
    case .scalar: return nil
    }
  }
}
