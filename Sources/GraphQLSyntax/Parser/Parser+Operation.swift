extension Parser {
  /// `{ Selection+ }` alone is a query — [spec](https://spec.graphql.org/September2025/#OperationDefinition)
  mutating func parseShorthandQuery() throws(SyntaxError) -> OperationDefinition {
    let selectionSet = try parseSelectionSet()
    return OperationDefinition(operation: .query, selectionSet: selectionSet, span: selectionSet.span)
  }

  /// `OperationDefinition : Description? OperationType Name? VariablesDefinition? Directives? SelectionSet`
  /// — [spec](https://spec.graphql.org/September2025/#OperationDefinition)
  mutating func parseOperation(
    _ operation: OperationType, description: StringValue?, from start: UInt32
  ) throws(SyntaxError) -> OperationDefinition {
    try advance()
    let name = token.kind == .name ? try parseName() : nil
    let variables = try parseVariableDefinitions()
    let directives = try parseDirectives(isConst: false)
    let selectionSet = try parseSelectionSet()
    return OperationDefinition(
      description: description, operation: operation, name: name, variableDefinitions: variables,
      directives: directives, selectionSet: selectionSet, span: span(from: start))
  }

  /// The current token as an `OperationType` — [spec](https://spec.graphql.org/September2025/#OperationType)
  func peekOperationType() -> OperationType? {
    if peekKeyword("query") { return .query }
    if peekKeyword("mutation") { return .mutation }
    return peekKeyword("subscription") ? .subscription : nil
  }

  /// `VariablesDefinition : ( VariableDefinition+ )`
  /// — [spec](https://spec.graphql.org/September2025/#VariablesDefinition)
  mutating func parseVariableDefinitions() throws(SyntaxError) -> [VariableDefinition] {
    try optionalMany(between: .leftParenthesis, and: .rightParenthesis) { (parser) throws(SyntaxError) in
      try parser.parseVariableDefinition()
    }
  }

  /// `VariableDefinition : Description? Variable : Type DefaultValue? Directives[Const]?`
  /// — [spec](https://spec.graphql.org/September2025/#VariableDefinition)
  private mutating func parseVariableDefinition() throws(SyntaxError) -> VariableDefinition {
    let start = token.start
    let description = try parseDescription()
    let name = try parseVariable()
    try expect(.colon)
    let type = try parseTypeReference()
    let defaultValue = try skip(.equals) ? try parseValue(isConst: true) : nil
    let directives = try parseDirectives(isConst: true)
    return VariableDefinition(
      description: description, name: name, type: type, defaultValue: defaultValue, directives: directives,
      span: span(from: start))
  }

  /// `Variable : $ Name` — [spec](https://spec.graphql.org/September2025/#Variable)
  mutating func parseVariable() throws(SyntaxError) -> Name {
    try expect(.dollar)
    return try parseName()
  }
}
