extension Document {
  /// An error for each name, and each number, that no text can have. A document that was parsed has none.
  package var invalidNames: [Diagnostic] { isParsed ? [] : definitions.flatMap(\.invalidNames) }
}

extension Definition {
  /// An error for each name, and each number, that no text can have.
  package var invalidNames: [Diagnostic] {
    var check = NameCheck()
    switch self {
    case .operation(let operation): SyntaxNode.operation(operation).walk(&check)
    case .fragment(let fragment): SyntaxNode.fragment(fragment).walk(&check)
    case .schema(let schema): check.check(schema)
    case .type(let type): check.check(type)
    case .directive(let directive): check.check(directive)
    }
    return check.diagnostics
  }
}

/// Looks at names and numbers. Definitions of schemas, of which there are many, are gone through without a visitor.
private struct NameCheck: SyntaxVisitor {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func enter(_ node: SyntaxNode) -> VisitStep {
    switch node {
    case .name(let name): check(name)
    case .value(let value): checkLeaf(value)
    default: break
    }
    return .intoChildren
  }

  mutating func check(_ schema: SchemaDefinition) {
    check(schema.directives)
    for root in schema.operationTypes { check(root.type) }
  }

  mutating func check(_ directive: DirectiveDefinition) {
    check(directive.name)
    for argument in directive.arguments { check(argument) }
    check(directive.directives)
  }

  mutating func check(_ type: TypeDefinition) {
    check(type.name)
    check(type.directives)
    switch type.body {
    case .scalar: break
    case .object(let interfaces, let fields), .interface(let interfaces, let fields):
      for name in interfaces { check(name) }
      for field in fields { check(field) }
    case .union(let members): for name in members { check(name) }
    case .enum(let values):
      for value in values {
        if let problem = value.name.problemAsEnumValue { report(problem, at: value.name.span) }
        check(value.directives)
      }
    case .inputObject(let fields): for field in fields { check(field) }
    }
  }

  private mutating func check(_ field: FieldDefinition) {
    check(field.name)
    check(field.type.namedType)
    check(field.directives)
    for argument in field.arguments { check(argument) }
  }

  private mutating func check(_ input: InputValueDefinition) {
    check(input.name)
    check(input.type.namedType)
    check(input.directives)
    if let value = input.defaultValue { SyntaxNode.value(value).walk(&self) }
  }

  private mutating func check(_ directives: [Directive]) {
    for directive in directives { SyntaxNode.directive(directive).walk(&self) }
  }

  private mutating func check(_ name: Name) {
    if let problem = name.problem { report(problem, at: name.span) }
  }

  private mutating func checkLeaf(_ value: Value) {
    switch value.kind {
    case .enum(let name):
      if let problem = Name(name).problemAsEnumValue { report(problem, at: value.span) }
    case .int(let digits), .float(let digits):
      guard !Self.isNumeral(digits) else { return }
      report("Expected a number, but \"\(digits)\" is not one.", at: value.span)
    default: break
    }
  }

  private static func isNumeral(_ text: String) -> Bool {
    let isPart = { (byte: UInt8) in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.eE".utf8.contains(byte)
    }
    return text.utf8.allSatisfy(isPart) && text.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private mutating func report(_ problem: String, at span: SourceSpan) {
    diagnostics.append(Diagnostic(.invalidName, problem, at: span))
  }
}
