extension Parser {
  /// `Type : NamedType | ListType | NonNullType` — [spec](https://spec.graphql.org/September2025/#Type)
  mutating func parseTypeReference() throws(SyntaxError) -> TypeReference {
    let start = token.start
    let kind: TypeReference.Kind
    if token.kind == .leftBracket {
      let element = try nested { (parser) throws(SyntaxError) in
        try parser.advance()
        let element = try parser.parseTypeReference()
        try parser.expect(.rightBracket)
        return element
      }
      kind = .list(element)
    } else {
      kind = .named(try parseName())
    }
    let isNonNull = try skip(.bang)
    return TypeReference(kind, isNonNull: isNonNull, span: span(from: start))
  }
}
