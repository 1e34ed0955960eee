/// `OperationType` — [spec](https://spec.graphql.org/September2025/#OperationType)
public enum OperationType: String, Sendable, Hashable, CaseIterable {
  case query, mutation, subscription
}

/// `OperationDefinition` — [spec](https://spec.graphql.org/September2025/#OperationDefinition)
public struct OperationDefinition: Sendable, Hashable {
  public var description: StringValue?
  public var operation: OperationType
  /// `nil` for an anonymous operation.
  public var name: Name?
  public var variableDefinitions: [VariableDefinition]
  public var directives: [Directive]
  public var selectionSet: SelectionSet
  @Uncompared public var span: SourceSpan

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

/// `VariableDefinition` — [spec](https://spec.graphql.org/September2025/#VariableDefinition)
public struct VariableDefinition: Sendable, Hashable {
  public var description: StringValue?
  /// The name without its `$`.
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
