/// A schema definition or extension: `SchemaDefinition` and `SchemaExtension` —
/// [spec](https://spec.graphql.org/September2025/#SchemaDefinition)
public struct SchemaDefinition: Sendable, Hashable {
  /// Whether it is an extension of a definition, which begins with `extend`.
  public var isExtension: Bool
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The root types of operations, in order.
  public var operationTypes: [RootOperationTypeDefinition]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
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

/// The root type of one kind of operation, such as `query: Query`: `RootOperationTypeDefinition : OperationType :
/// NamedType` — [spec](https://spec.graphql.org/September2025/#RootOperationTypeDefinition)
public struct RootOperationTypeDefinition: Sendable, Hashable {
  /// The kind of operation.
  public var operation: OperationType
  /// The name of the object type at which such operations begin.
  public var type: Name
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(operation: OperationType, type: Name, span: SourceSpan = .none) {
    self.operation = operation
    self.type = type
    self.span = span
  }
}

/// The definition or extension of a type: `TypeDefinition` and `TypeExtension` —
/// [spec](https://spec.graphql.org/September2025/#TypeDefinition)
public struct TypeDefinition: Sendable, Hashable {
  /// The kind of the type, with the parts that only this kind has.
  public enum Body: Sendable, Hashable {
    /// A scalar.
    case scalar
    /// An object type.
    case object(interfaces: [Name], fields: [FieldDefinition])
    /// An interface.
    case interface(interfaces: [Name], fields: [FieldDefinition])
    /// A union.
    case union(members: [Name])
    /// An enum.
    case `enum`(values: [EnumValueDefinition])
    /// An input object type.
    case inputObject(fields: [InputValueDefinition])
  }

  /// Whether it is an extension of a definition, which begins with `extend`.
  public var isExtension: Bool
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the type.
  public var name: Name
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The kind of the type, with the parts that only this kind has.
  public var body: Body
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
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

/// The definition of a field of an object type or interface: `FieldDefinition` —
/// [spec](https://spec.graphql.org/September2025/#FieldDefinition)
public struct FieldDefinition: Sendable, Hashable {
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the field.
  public var name: Name
  /// The arguments that the field takes, in order.
  public var arguments: [InputValueDefinition]
  /// The type of the field's value.
  public var type: TypeReference
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
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

/// The definition of an argument or of an input field: `InputValueDefinition` —
/// [spec](https://spec.graphql.org/September2025/#InputValueDefinition)
public struct InputValueDefinition: Sendable, Hashable {
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the argument or input field.
  public var name: Name
  /// The type of its value.
  public var type: TypeReference
  /// The default value; nil if there is none. A default value may be `null`.
  public var defaultValue: Value?
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
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

/// The definition of a value of an enum: `EnumValueDefinition` —
/// [spec](https://spec.graphql.org/September2025/#EnumValueDefinition)
public struct EnumValueDefinition: Sendable, Hashable {
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the value.
  public var name: Name
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    description: StringValue? = nil, name: Name, directives: [Directive] = [], span: SourceSpan = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.span = span
  }
}

/// The definition or extension of a directive: `DirectiveDefinition` —
/// [spec](https://spec.graphql.org/September2025/#DirectiveDefinition) — and `DirectiveExtension`, which is in the
/// [draft](https://spec.graphql.org/draft/#DirectiveExtension). An extension has a name and directives only.
public struct DirectiveDefinition: Sendable, Hashable {
  /// Whether it is an extension of a definition, which begins with `extend`.
  public var isExtension: Bool
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the directive without its `@`.
  public var name: Name
  /// The arguments that the directive takes, in order.
  public var arguments: [InputValueDefinition]
  /// The directives that are applied to the definition, in the order in which they are written.
  public var directives: [Directive]
  /// Whether the directive may be written several times at one place.
  public var isRepeatable: Bool
  /// The places where the directive may be written.
  public var locations: [DirectiveLocation]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    isExtension: Bool = false, description: StringValue? = nil, name: Name, arguments: [InputValueDefinition] = [],
    directives: [Directive] = [], isRepeatable: Bool = false, locations: [DirectiveLocation],
    span: SourceSpan = .none
  ) {
    self.isExtension = isExtension
    self.description = description
    self.name = name
    self.arguments = arguments
    self.directives = directives
    self.isRepeatable = isRepeatable
    self.locations = locations
    self.span = span
  }
}

/// A kind of place where a directive may be written: `DirectiveLocation` —
/// [spec](https://spec.graphql.org/September2025/#DirectiveLocation)
public enum DirectiveLocation: String, Sendable, Hashable, CaseIterable {
  case query = "QUERY"
  case mutation = "MUTATION"
  case subscription = "SUBSCRIPTION"
  case field = "FIELD"
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  case fragmentSpread = "FRAGMENT_SPREAD"
  case inlineFragment = "INLINE_FRAGMENT"
  case variableDefinition = "VARIABLE_DEFINITION"
  /// A variable of a fragment, see ``Parser/Options/allowsFragmentArguments``. The specification does not have it yet.
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
  /// The definition of a directive, which is in the [draft](https://spec.graphql.org/draft/#DirectiveLocation).
  case directiveDefinition = "DIRECTIVE_DEFINITION"
}
