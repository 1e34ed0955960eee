extension Parser {
  /// `Directives[Const]` — [spec](https://spec.graphql.org/September2025/#Directives)
  @inline(__always)
  mutating func parseDirectives(isConst: Bool) throws(SyntaxError) -> [Directive] {
    token.kind == .at ? try parseSomeDirectives(isConst: isConst) : []
  }

  private mutating func parseSomeDirectives(isConst: Bool) throws(SyntaxError) -> [Directive] {
    var directives: [Directive] = []
    while token.kind == .at {
      let start = token.start
      try advance()
      let name = try parseName()
      let arguments = try parseArguments(isConst: isConst)
      directives.append(Directive(name: name, arguments: arguments, span: span(from: start)))
    }
    return directives
  }

  /// `Arguments[Const] : ( Argument+ )` — [spec](https://spec.graphql.org/September2025/#Arguments)
  @inline(__always)
  mutating func parseArguments(isConst: Bool) throws(SyntaxError) -> [Argument] {
    try optionalMany(between: .leftParenthesis, and: .rightParenthesis) { (parser) throws(SyntaxError) in
      let start = parser.token.start
      let name = try parser.parseName()
      try parser.expect(.colon)
      let value = try parser.parseValue(isConst: isConst)
      return Argument(name: name, value: value, span: parser.span(from: start))
    }
  }
}
