extension Parser {
  /// `TypeSystemDefinition` or `TypeSystemExtension`, from its keyword on
  /// — [spec](https://spec.graphql.org/September2025/#TypeSystemDefinition)
  mutating func parseTypeSystem(
    isExtension: Bool, description: StringValue?, from start: UInt32
  ) throws(SyntaxError) -> Definition {
    if try skipKeyword("schema") {
      return .schema(try parseSchema(isExtension: isExtension, description: description, from: start))
    }
    if try skipKeyword("directive") {
      return .directive(
        isExtension
          ? try parseDirectiveExtension(from: start)
          : try parseDirectiveDefinition(description: description, from: start))
    }
    guard token.kind == .name, let keyword = peekTypeKeyword() else { throw unexpected() }
    try advance()
    let name = try parseName()
    let interfaces = keyword.canImplement ? try parseImplementedInterfaces() : []
    let directives = try parseDirectives(isConst: true)
    let body = try parseBody(keyword, interfaces: interfaces)
    if isExtension, directives.isEmpty, interfaces.isEmpty, body.isEmpty { throw unexpected() }
    return .type(
      TypeDefinition(
        isExtension: isExtension, description: description, name: name, directives: directives, body: body,
        span: span(from: start)))
  }

  /// `SchemaDefinition`, `SchemaExtension` — [spec](https://spec.graphql.org/September2025/#SchemaDefinition)
  private mutating func parseSchema(
    isExtension: Bool, description: StringValue?, from start: UInt32
  ) throws(SyntaxError) -> SchemaDefinition {
    let directives = try parseDirectives(isConst: true)
    let isOptional = isExtension && token.kind != .leftBrace
    if isOptional, directives.isEmpty { throw unexpected() }
    let operationTypes =
      isOptional
      ? []
      : try many(between: .leftBrace, and: .rightBrace) { (parser) throws(SyntaxError) in
        try parser.parseRootOperationType()
      }
    return SchemaDefinition(
      isExtension: isExtension, description: description, directives: directives, operationTypes: operationTypes,
      span: span(from: start))
  }

  /// `RootOperationTypeDefinition : OperationType : NamedType`
  /// — [spec](https://spec.graphql.org/September2025/#RootOperationTypeDefinition)
  private mutating func parseRootOperationType() throws(SyntaxError) -> RootOperationTypeDefinition {
    let keyword = token
    let operation = peekOperationType()
    try expect(.name)
    guard let operation else { throw unexpected(keyword) }
    try expect(.colon)
    let type = try parseName()
    return RootOperationTypeDefinition(operation: operation, type: type, span: span(from: keyword.start))
  }

  /// `DirectiveDefinition : Description? directive @ Name ArgumentsDefinition? Directives[Const]? repeatable? on
  /// DirectiveLocations` — [draft](https://spec.graphql.org/draft/#DirectiveDefinition)
  private mutating func parseDirectiveDefinition(
    description: StringValue?, from start: UInt32
  ) throws(SyntaxError) -> DirectiveDefinition {
    try expect(.at)
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    let directives = try parseDirectives(isConst: true)
    let isRepeatable = try skipKeyword("repeatable")
    try expectKeyword("on")
    let locations = try separated(by: .pipe) { (parser) throws(SyntaxError) in try parser.parseDirectiveLocation() }
    return DirectiveDefinition(
      description: description, name: name, arguments: arguments, directives: directives, isRepeatable: isRepeatable,
      locations: locations, span: span(from: start))
  }

  /// `DirectiveExtension : extend directive @ Name Directives[Const]`
  /// — [draft](https://spec.graphql.org/draft/#DirectiveExtension)
  private mutating func parseDirectiveExtension(from start: UInt32) throws(SyntaxError) -> DirectiveDefinition {
    try expect(.at)
    let name = try parseName()
    let directives = try parseDirectives(isConst: true)
    if directives.isEmpty { throw unexpected() }
    return DirectiveDefinition(
      isExtension: true, name: name, directives: directives, locations: [], span: span(from: start))
  }

  /// `DirectiveLocation` — [spec](https://spec.graphql.org/September2025/#DirectiveLocation)
  private mutating func parseDirectiveLocation() throws(SyntaxError) -> DirectiveLocation {
    let start = token
    let name = try parseName()
    guard let location = DirectiveLocation(rawValue: name.value) else { throw unexpected(start) }
    return location
  }
}
