extension Parser {
  /// `Value[Const]` — [spec](https://spec.graphql.org/September2025/#Value)
  mutating func parseValue(isConst: Bool) throws(SyntaxError) -> Value {
    let start = token
    switch token.kind {
    case .name:
      let kind = nameValue()
      try advance()
      return Value(kind, span: span(of: start))
    case .int, .float:
      let text = String(decoding: lexer.bytes(of: token), as: UTF8.self)
      try advance()
      return Value(start.kind == .int ? .int(text) : .float(text), span: span(of: start))
    case .string, .blockString:
      let string = stringValue(token)
      try advance()
      return Value(.string(string), span: span(of: start))
    case .leftBracket:
      return try nested { (parser) throws(SyntaxError) in try parser.parseList(isConst: isConst) }
    case .leftBrace:
      return try nested { (parser) throws(SyntaxError) in try parser.parseObject(isConst: isConst) }
    case .dollar:
      return isConst ? try rejectVariable() : Value(.variable(try parseVariable()), span: span(from: start.start))
    default:
      throw unexpected()
    }
  }

  /// A string token, to be decoded when it is asked for.
  @inline(__always)
  func stringValue(_ token: Token) -> StringValue {
    StringValue(source: source, isBlock: token.kind == .blockString, span: span(of: token))
  }

  /// `BooleanValue`, `NullValue` or `EnumValue` — [spec](https://spec.graphql.org/September2025/#EnumValue)
  private mutating func nameValue() -> Value.Kind {
    if lexer.matches(token, "true") { return .boolean(true) }
    if lexer.matches(token, "false") { return .boolean(false) }
    if lexer.matches(token, "null") { return .null }
    return .enum(names.name(token, in: lexer))
  }

  /// `ListValue : [ Value* ]` — [spec](https://spec.graphql.org/September2025/#ListValue)
  private mutating func parseList(isConst: Bool) throws(SyntaxError) -> Value {
    let start = token.start
    try expect(.leftBracket)
    var values: [Value] = []
    while try !skip(.rightBracket) { values.append(try parseValue(isConst: isConst)) }
    return Value(.list(values), span: span(from: start))
  }

  /// `ObjectValue : { ObjectField* }` — [spec](https://spec.graphql.org/September2025/#ObjectValue)
  private mutating func parseObject(isConst: Bool) throws(SyntaxError) -> Value {
    let start = token.start
    try expect(.leftBrace)
    var fields: [ObjectField] = []
    while try !skip(.rightBrace) {
      let start = token.start
      let name = try parseName()
      try expect(.colon)
      let value = try parseValue(isConst: isConst)
      fields.append(ObjectField(name: name, value: value, span: span(from: start)))
    }
    return Value(.object(fields), span: span(from: start))
  }

  private mutating func rejectVariable() throws(SyntaxError) -> Value {
    let start = token
    try advance()
    guard token.kind == .name else { throw unexpected(start) }
    let name = String(decoding: lexer.bytes(of: token), as: UTF8.self)
    report(
      .variableInConstant, "Unexpected variable \"$\(name)\" in constant value.", from: start.start, to: token.end)
    throw SyntaxError()
  }
}
