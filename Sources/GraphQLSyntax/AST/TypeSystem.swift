/// `SchemaDefinition` and `SchemaExtension` — [spec](https://spec.graphql.org/September2025/#SchemaDefinition)
public struct SchemaDefinition: Sendable, Hashable {
  public var isExtension: Bool
  public var description: StringValue?
  public var directives: [Directive]
  public var operationTypes: [RootOperationTypeDefinition]
  @Uncompared public var span: SourceSpan

  public init(
    isExtension: Bool = false, description: StringValue? = nil, directives: [Directive] = [],
    operationTypes: [RootOperationTypeDefinition], span: SourceSpan = .none
  ) {
    self.isExtension = isExtension
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.span = span
  }
}

/// `RootOperationTypeDefinition : OperationType : NamedType`
/// — [spec](https://spec.graphql.org/September2025/#RootOperationTypeDefinition)
public struct RootOperationTypeDefinition: Sendable, Hashable {
  public var operation: OperationType
  public var type: Name
  @Uncompared public var span: SourceSpan

  public init(operation: OperationType, type: Name, span: SourceSpan = .none) {
    self.operation = operation
    self.type = type
    self.span = span
  }
}

/// `TypeDefinition` and `TypeExtension` — [spec](https://spec.graphql.org/September2025/#TypeDefinition)
public struct TypeDefinition: Sendable, Hashable {
  /// What follows the directives, by the keyword that began the definition.
  public enum Body: Sendable, Hashable {
    case scalar
    case object(interfaces: [Name], fields: [FieldDefinition])
    case interface(interfaces: [Name], fields: [FieldDefinition])
    case union(members: [Name])
    case `enum`(values: [EnumValueDefinition])
    case inputObject(fields: [InputValueDefinition])
  }

  public var isExtension: Bool
  public var description: StringValue?
  public var name: Name
  public var directives: [Directive]
  public var body: Body
  @Uncompared public var span: SourceSpan

  public init(
    isExtension: Bool = false, description: StringValue? = nil, name: Name, directives: [Directive] = [],
    body: Body, span: SourceSpan = .none
  ) {
    self.isExtension = isExtension
    self.description = description
    self.name = name
    self.directives = directives
    self.body = body
    self.span = span
  }
}

/// `FieldDefinition` — [spec](https://spec.graphql.org/September2025/#FieldDefinition)
public struct FieldDefinition: Sendable, Hashable {
  public var description: StringValue?
  public var name: Name
  public var arguments: [InputValueDefinition]
  public var type: TypeReference
  public var directives: [Directive]
  @Uncompared public var span: SourceSpan

  public init(
    description: StringValue? = nil, name: Name, arguments: [InputValueDefinition] = [], type: TypeReference,
    directives: [Directive] = [], span: SourceSpan = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.type = type
    self.directives = directives
    self.span = span
  }
}

/// `InputValueDefinition`: an argument or an input field
/// — [spec](https://spec.graphql.org/September2025/#InputValueDefinition)
public struct InputValueDefinition: Sendable, Hashable {
  public var description: StringValue?
  public var name: Name
  public var type: TypeReference
  /// `nil` where there is none; `null` is a default value too.
  public var defaultValue: Value?
  public var directives: [Directive]
  @Uncompared public var span: SourceSpan

  public init(
    description: StringValue? = nil, name: Name, type: TypeReference, defaultValue: Value? = nil,
    directives: [Directive] = [], span: SourceSpan = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.span = span
  }
}

/// `EnumValueDefinition` — [spec](https://spec.graphql.org/September2025/#EnumValueDefinition)
public struct EnumValueDefinition: Sendable, Hashable {
  public var description: StringValue?
  public var name: Name
  public var directives: [Directive]
  @Uncompared public var span: SourceSpan

  public init(
    description: StringValue? = nil, name: Name, directives: [Directive] = [], span: SourceSpan = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.span = span
  }
}

/// `DirectiveDefinition` — [spec](https://spec.graphql.org/September2025/#DirectiveDefinition)
public struct DirectiveDefinition: Sendable, Hashable {
  public var description: StringValue?
  /// The name without its `@`.
  public var name: Name
  public var arguments: [InputValueDefinition]
  public var isRepeatable: Bool
  public var locations: [DirectiveLocation]
  @Uncompared public var span: SourceSpan

  public init(
    description: StringValue? = nil, name: Name, arguments: [InputValueDefinition] = [],
    isRepeatable: Bool = false, locations: [DirectiveLocation], span: SourceSpan = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.isRepeatable = isRepeatable
    self.locations = locations
    self.span = span
  }
}

/// `DirectiveLocation` — [spec](https://spec.graphql.org/September2025/#DirectiveLocation)
public enum DirectiveLocation: String, Sendable, Hashable, CaseIterable {
  case query = "QUERY"
  case mutation = "MUTATION"
  case subscription = "SUBSCRIPTION"
  case field = "FIELD"
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  case fragmentSpread = "FRAGMENT_SPREAD"
  case inlineFragment = "INLINE_FRAGMENT"
  case variableDefinition = "VARIABLE_DEFINITION"
  /// Not in the specification: read only when ``Parser/Options/allowsFragmentArguments`` is set.
  case fragmentVariableDefinition = "FRAGMENT_VARIABLE_DEFINITION"
  case schema = "SCHEMA"
  case scalar = "SCALAR"
  case object = "OBJECT"
  case fieldDefinition = "FIELD_DEFINITION"
  case argumentDefinition = "ARGUMENT_DEFINITION"
  case interface = "INTERFACE"
  case union = "UNION"
  case `enum` = "ENUM"
  case enumValue = "ENUM_VALUE"
  case inputObject = "INPUT_OBJECT"
  case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}
