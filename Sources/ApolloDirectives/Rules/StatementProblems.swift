import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// An error for a directive on a field that is not there, or that does not lead to objects.
  ///
  /// - Parameters:
  ///   - directive: The directive.
  ///   - name: The name of the field.
  ///   - type: The type with the field.
  ///   - schema: The schema.
  ///   - code: The code of the error.
  ///   - unknown: What an unknown field cannot do, in words.
  ///   - leaf: What is wrong with a field that does not lead to objects, in words.
  /// - Returns: The error; nil for a field that leads to objects.
  static func problem(
    of directive: Directive, onField name: String, of type: NamedType, in schema: Schema, _ code: Diagnostic.Code,
    unknown: String, leaf: String
  ) -> Diagnostic? {
    guard let field = type.fields?[name] else {
      return Diagnostic(
        code, "The type \"\(type.name)\" has no field \"\(name)\" \(unknown).", at: directive.span,
        help: type.suggestion(for: name))
    }
    if schema.type(of: field.type)?.isComposite == true { return nil }
    return Diagnostic(
      code, "\"\(type.name).\(name)\" leads to no objects\(leaf).", at: directive.span,
      help: "Remove @\(directive.name).")
  }

  /// An error for the second of several directives of which there can be one.
  static func repetition(
    of directives: [Directive], _ code: Diagnostic.Code, _ message: @autoclosure () -> String
  ) -> Diagnostic? {
    guard directives.count > 1 else { return nil }
    return Diagnostic(
      code, message(), at: directives[1].span, labels: [.init("the first is here", at: directives[0].span)],
      help: "Remove one of them.")
  }

  /// An error for two statements about a type that contradict each other. If those about one of its interfaces do, they are
  /// reported there only.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - schema: The schema.
  ///   - code: The code of the error.
  ///   - advice: What the type can do, in words, and the directive that it needs for it.
  ///   - statements: What counts for a type.
  ///   - message: The message about two statements.
  /// - Returns: The error; nil if there are no such statements.
  static func contradiction<Value: Equatable>(
    about type: NamedType, in schema: Schema, _ code: Diagnostic.Code,
    advice: @autoclosure () -> (words: String, directive: String),
    _ statements: (NamedType) -> [Statement<Value>], message: (Statement<Value>, Statement<Value>) -> String
  ) -> Diagnostic? {
    func contradiction(_ type: NamedType) -> (Statement<Value>, Statement<Value>)? {
      let found = statements(type)
      return found.first.flatMap { first in found.first { $0.value != first.value }.map { (first, $0) } }
    }
    guard let (first, other) = contradiction(type) else { return nil }
    let interfaces = type.interfaces.compactMap { schema.type(named: $0.value) }
    if interfaces.contains(where: { contradiction($0) != nil }) { return nil }
    let keyword = if case .interface = type { "interface" } else { "type" }, advice = advice()
    return Diagnostic(
      code, message(first, other), at: type.definition.name.span,
      labels: [first, other].map { .init("as a \"\($0.type)\"", at: $0.directive.span) },
      help: "\(advice.words): extend \(keyword) \(type.name) \(advice.directive)")
  }
}
