import GraphQLSyntax

extension ClientRule {
  /// Every operation has a name, because its type needs one.
  static let namedOperations = ClientRule { context in
    context.document.operations.filter { $0.name == nil }.map { operation in
      // The diagnostic is about the beginning of the operation, not about all of its span.
      var span = operation.span
      span.end = min(span.end, span.start + UInt32(operation.operation.rawValue.utf8.count))
      return Diagnostic(
        .anonymousOperation, "This \(operation.operation.rawValue) has no name, so no type can be generated for it.",
        at: span, help: "Write \"\(operation.operation.rawValue) SomeName { … }\".")
    }
  }
}
