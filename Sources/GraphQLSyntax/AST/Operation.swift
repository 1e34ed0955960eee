/// The three kinds of operation: `OperationType` — [spec](https://spec.graphql.org/September2025/#OperationType)
public enum OperationType: String, Sendable, Hashable, CaseIterable {
  case query, mutation, subscription
}

/// An operation with its selection set: `OperationDefinition` —
/// [spec](https://spec.graphql.org/September2025/#OperationDefinition)
public struct OperationDefinition: Sendable, Hashable {
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// Whether it is a query, a mutation or a subscription.
  public var operation: OperationType
  /// The name of the operation; nil for an anonymous operation.
  public var name: Name?
  /// The variables that the operation declares, in order.
  public var variableDefinitions: [VariableDefinition]
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The fields that the operation selects.
  public var selectionSet: SelectionSet
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    description: StringValue? = nil, operation: OperationType, name: Name? = nil,
    variableDefinitions: [VariableDefinition] = [], directives: [Directive] = [], selectionSet: SelectionSet,
    span: SourceSpan = .none
  ) {
    self.description = description
    self.operation = operation
    self.name = name
    self.variableDefinitions = variableDefinitions
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}

/// The declaration of a variable: `VariableDefinition` —
/// [spec](https://spec.graphql.org/September2025/#VariableDefinition)
public struct VariableDefinition: Sendable, Hashable {
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the variable without its `$`.
  public var name: Name
  /// The type of the variable.
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
