extension Parser {
  /// `Document : Definition+` — [spec](https://spec.graphql.org/September2025/#Document)
  mutating func parseDocument() -> Document {
    var definitions: [Definition] = []
    guard checkSource() else { return Document(definitions: [], source: source) }
    var isAtDefinition = begin()
    repeat {
      let start = token
      if isAtDefinition, let definition = recovering({ (parser) throws(SyntaxError) in try parser.parseDefinition() }) {
        definitions.append(definition)
      } else {
        skipToDefinition(after: start)
      }
      isAtDefinition = true
    } while token.kind != .endOfFile
    return Document(definitions: definitions, source: source, isParsed: true)
  }

  /// Reads the first token. False when it is not one.
  private mutating func begin() -> Bool {
    recovering { (parser) throws(SyntaxError) in try parser.advance() } != nil
  }

  private mutating func recovering<Node>(_ production: (inout Parser) throws(SyntaxError) -> Node) -> Node? {
    do throws(SyntaxError) {
      return try production(&self)
    } catch {
      depth = 0
      return nil
    }
  }

  /// `Definition` — [spec](https://spec.graphql.org/September2025/#Definition)
  private mutating func parseDefinition() throws(SyntaxError) -> Definition {
    let start = token
    if token.kind == .leftBrace { return .operation(try parseShorthandQuery()) }
    let description = try parseDescription()
    guard token.kind == .name else {
      if description != nil, token.kind == .leftBrace {
        let message = "Unexpected description, descriptions are not supported on shorthand queries."
        throw fail(.misplacedDescription, message, at: start)
      }
      throw unexpected()
    }
    if let operation = peekOperationType() {
      return .operation(try parseOperation(operation, description: description, from: start.start))
    }
    if peekKeyword("fragment") { return .fragment(try parseFragment(description: description, from: start.start)) }
    guard description == nil || peekTypeKeyword() != nil || peekKeyword("schema") || peekKeyword("directive") else {
      let message = "Unexpected description, descriptions are supported only on definitions."
      throw fail(.misplacedDescription, message, at: start)
    }
    if try skipKeyword("extend") {
      return try parseTypeSystem(isExtension: true, description: nil, from: start.start)
    }
    return try parseTypeSystem(isExtension: false, description: description, from: start.start)
  }

  /// `Description : StringValue` — [spec](https://spec.graphql.org/September2025/#Description)
  @inline(__always)
  mutating func parseDescription() throws(SyntaxError) -> StringValue? {
    guard token.kind == .string || token.kind == .blockString else { return nil }
    let description = stringValue(token)
    try advance()
    return description
  }
}
