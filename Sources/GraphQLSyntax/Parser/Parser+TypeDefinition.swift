/// The keyword that a type definition begins with.
enum TypeKeyword {
  case scalar, type, interface, union, `enum`, input

  var canImplement: Bool { self == .type || self == .interface }
}

extension Parser {
  func peekTypeKeyword() -> TypeKeyword? {
    if peekKeyword("type") { return .type }
    if peekKeyword("input") { return .input }
    if peekKeyword("enum") { return .enum }
    if peekKeyword("interface") { return .interface }
    if peekKeyword("union") { return .union }
    return peekKeyword("scalar") ? .scalar : nil
  }

  /// What follows the directives of a type definition
  /// — [spec](https://spec.graphql.org/September2025/#TypeDefinition)
  mutating func parseBody(
    _ keyword: TypeKeyword, interfaces: [Name]
  ) throws(SyntaxError) -> TypeDefinition.Body {
    switch keyword {
    case .scalar: .scalar
    case .type: .object(interfaces: interfaces, fields: try parseFieldDefinitions())
    case .interface: .interface(interfaces: interfaces, fields: try parseFieldDefinitions())
    case .union: .union(members: try parseUnionMembers())
    case .enum: .enum(values: try parseEnumValueDefinitions())
    case .input: .inputObject(fields: try parseInputFieldDefinitions())
    }
  }

  /// `ImplementsInterfaces : implements &? NamedType (& NamedType)*`
  /// — [spec](https://spec.graphql.org/September2025/#ImplementsInterfaces)
  mutating func parseImplementedInterfaces() throws(SyntaxError) -> [Name] {
    guard try skipKeyword("implements") else { return [] }
    return try separated(by: .ampersand) { (parser) throws(SyntaxError) in try parser.parseName() }
  }

  /// `FieldsDefinition : { FieldDefinition+ }` — [spec](https://spec.graphql.org/September2025/#FieldsDefinition)
  private mutating func parseFieldDefinitions() throws(SyntaxError) -> [FieldDefinition] {
    try optionalMany(between: .leftBrace, and: .rightBrace) { (parser) throws(SyntaxError) in
      let start = parser.token.start
      let description = try parser.parseDescription()
      let name = try parser.parseName()
      let arguments = try parser.parseArgumentDefinitions()
      try parser.expect(.colon)
      let type = try parser.parseTypeReference()
      let directives = try parser.parseDirectives(isConst: true)
      return FieldDefinition(
        description: description, name: name, arguments: arguments, type: type, directives: directives,
        span: parser.span(from: start))
    }
  }

  /// `ArgumentsDefinition : ( InputValueDefinition+ )`
  /// — [spec](https://spec.graphql.org/September2025/#ArgumentsDefinition)
  mutating func parseArgumentDefinitions() throws(SyntaxError) -> [InputValueDefinition] {
    try optionalMany(between: .leftParenthesis, and: .rightParenthesis) { (parser) throws(SyntaxError) in
      try parser.parseInputValueDefinition()
    }
  }

  /// `InputFieldsDefinition : { InputValueDefinition+ }`
  /// — [spec](https://spec.graphql.org/September2025/#InputFieldsDefinition)
  private mutating func parseInputFieldDefinitions() throws(SyntaxError) -> [InputValueDefinition] {
    try optionalMany(between: .leftBrace, and: .rightBrace) { (parser) throws(SyntaxError) in
      try parser.parseInputValueDefinition()
    }
  }

  /// `InputValueDefinition : Description? Name : Type DefaultValue? Directives[Const]?`
  /// — [spec](https://spec.graphql.org/September2025/#InputValueDefinition)
  private mutating func parseInputValueDefinition() throws(SyntaxError) -> InputValueDefinition {
    let start = token.start
    let description = try parseDescription()
    let name = try parseName()
    try expect(.colon)
    let type = try parseTypeReference()
    let defaultValue = try skip(.equals) ? try parseValue(isConst: true) : nil
    let directives = try parseDirectives(isConst: true)
    return InputValueDefinition(
      description: description, name: name, type: type, defaultValue: defaultValue, directives: directives,
      span: span(from: start))
  }

  /// `UnionMemberTypes : = |? NamedType (| NamedType)*`
  /// — [spec](https://spec.graphql.org/September2025/#UnionMemberTypes)
  private mutating func parseUnionMembers() throws(SyntaxError) -> [Name] {
    guard try skip(.equals) else { return [] }
    return try separated(by: .pipe) { (parser) throws(SyntaxError) in try parser.parseName() }
  }

  /// `EnumValuesDefinition : { EnumValueDefinition+ }`
  /// — [spec](https://spec.graphql.org/September2025/#EnumValuesDefinition)
  private mutating func parseEnumValueDefinitions() throws(SyntaxError) -> [EnumValueDefinition] {
    try optionalMany(between: .leftBrace, and: .rightBrace) { (parser) throws(SyntaxError) in
      let start = parser.token.start
      let description = try parser.parseDescription()
      if parser.peekKeyword("true") || parser.peekKeyword("false") || parser.peekKeyword("null") {
        let spelling = String(decoding: parser.lexer.bytes(of: parser.token), as: UTF8.self)
        let message = "Name \"\(spelling)\" is reserved and cannot be used for an enum value."
        throw parser.fail(.reservedName, message, at: parser.token)
      }
      let name = try parser.parseName()
      let directives = try parser.parseDirectives(isConst: true)
      return EnumValueDefinition(
        description: description, name: name, directives: directives, span: parser.span(from: start))
    }
  }
}

extension TypeDefinition.Body {
  /// Whether it adds nothing to the type.
  var isEmpty: Bool {
    switch self {
    case .scalar: true
    case .object(let interfaces, let fields), .interface(let interfaces, let fields):
      interfaces.isEmpty && fields.isEmpty
    case .union(let members): members.isEmpty
    case .enum(let values): values.isEmpty
    case .inputObject(let fields): fields.isEmpty
    }
  }
}
