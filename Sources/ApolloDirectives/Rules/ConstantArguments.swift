import GraphQLSyntax

extension DirectiveRule {
  /// What the generator reads in a directive is not a variable, because the generator has no values of variables. Only
  /// the lists of an edit may be one: the cache reads them.
  static let constantArguments = DirectiveRule { context in
    // A value that a spread gives to a directive for lists is known. (Other rules refuse a document with too many.)
    problems(in: context.document, context.directives.codesOfReadDirectives)
      + problems(in: context.document.inliningFragmentArguments() ?? context.document, codesOfListDirectives)
  }

  private static let codesOfListDirectives = Dictionary(
    uniqueKeysWithValues: ListDirectives.names.map { ($0, Diagnostic.Code.invalidListEdit) })

  /// - Parameters:
  ///   - document: The operations and fragments.
  ///   - codes: The codes of the errors, by the names of the directives.
  /// - Returns: One error for each place of a directive with a variable.
  private static func problems(in document: Document, _ codes: [String: Diagnostic.Code]) -> [Diagnostic] {
    var places: Set<SourceSpan> = []
    return document.executableDirectives.compactMap { directive -> Diagnostic? in
      guard let code = codes[directive.name.value] else { return nil }
      for argument in directive.arguments where argument.name.value != "connections" {
        guard let variable = argument.value.variables.first else { continue }
        // A fragment with variables is in the document as often as it is spread.
        guard places.insert(directive.span).inserted else { return nil }
        return Diagnostic(
          code, "\"\(argument.name)\" cannot be \"$\(variable)\": the generator reads it, and no server does.",
          at: directive.span)
      }
      return nil
    }
  }
}

extension SchemaDirectives {
  /// The directives that the generator reads and no server does, apart from those that change lists: the code of what
  /// is wrong with each, by its name in the schema.
  fileprivate var codesOfReadDirectives: [String: Diagnostic.Code] {
    var codes: [String: Diagnostic.Code] = [importModule: Diagnostic.Code("invalid-import")]
    for name in cacheControl.names { codes[name] = .invalidCacheControl }
    let ofNulls = nullability.catchNames.union(nullability.requiredNames).union(nullability.defaultNames)
    for name in ofNulls { codes[name] = .invalidCatch }
    if ownsAlias { codes[FragmentAlias.directive] = .invalidAlias }
    return codes
  }
}
