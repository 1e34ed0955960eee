import GraphQLSyntax

extension DirectiveProblem {
  /// Finds what is wrong with one `@cacheControl` or `@cacheControlField`.
  ///
  /// - Parameters:
  ///   - directive: The directive.
  ///   - isInOperation: Whether it is in an operation or fragment. There, values of wrong types and variables are
  ///     reported by rules for all values; and a scope alone, which is for servers, has no meaning.
  init?(ofAge directive: Directive, isInOperation: Bool) {
    let maxAge = directive.argument("maxAge").flatMap { $0.kind == .null ? nil : $0 }
    if let maxAge {
      guard let problem = Self.problem(of: maxAge, isInOperation: isInOperation) else {
        guard DeclaredAge.inherits(directive) else { return nil }
        message = "@\(directive.name) has both a maxAge and inheritMaxAge: true, which contradict each other."
        help = "Remove one of them."
        return
      }
      if problem.isEmpty { return nil }
      message = problem
      return
    }
    switch directive.argument("inheritMaxAge")?.kind {
    case .boolean(true): return nil
    case nil, .null, .boolean(false):
      if !isInOperation, directive.argument("scope") != nil { return nil }
      message = "@\(directive.name) has neither a maxAge nor inheritMaxAge: true."
      let name = directive.argument("name").map { "name: \(Printer.print($0)), " } ?? ""
      help = "Write a number of seconds: @\(directive.name)(\(name)maxAge: 60)."
    case let kind?:
      if isInOperation { return nil }
      message = "\(Printer.print(Value(kind))) is neither true nor false."
    }
  }

  /// nil for a number of seconds; empty if another rule reports it.
  private static func problem(of maxAge: Value, isInOperation: Bool) -> String? {
    guard case .int(let digits) = maxAge.kind else {
      return isInOperation ? "" : "\(Printer.print(maxAge)) is not an age: a maxAge is a whole number of seconds."
    }
    if Int32(digits) == nil, isInOperation { return "" }
    if digits.hasPrefix("-"), Int(digits) != 0 { return "A maxAge cannot be negative, as \(digits) is." }
    if Int32(digits) == nil { return "\(digits) is too large: a maxAge is at most \(DeclaredAge.greatest) seconds." }
    return nil
  }
}
