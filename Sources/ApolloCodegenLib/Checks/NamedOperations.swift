import GraphQLSyntax

extension ClientRule {
  /// A type needs a name.
  static let namedOperations = ClientRule { context in
    context.document.operations.filter { $0.name == nil }.map { operation in
      // An operation's span is all of it; what matters is where it begins.
      var span = operation.span
      span.end = min(span.end, span.start + UInt32(operation.operation.rawValue.utf8.count))
      return Diagnostic(
        .anonymousOperation, "This \(operation.operation.rawValue) has no name, so no type can be generated for it.",
        at: span, help: "Write \"\(operation.operation.rawValue) SomeName { … }\".")
    }
  }
}
