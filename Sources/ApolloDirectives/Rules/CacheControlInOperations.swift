import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@cacheControl` in operations and fragments gives one age to fields that are read from the cache.
  static let validCacheControlInOperations = DirectiveRule { context in
    let cacheControl = context.directives.cacheControl
    guard cacheControl.isUsed(in: context.document) else { return [] }
    let check = OperationAgeCheck(schema: context.schema, cacheControl: cacheControl)
    return context.selectedFields.flatMap(check.diagnostics)
  }
}

private struct OperationAgeCheck {
  let schema: Schema
  let cacheControl: CacheControl

  func diagnostics(of selected: SelectedField) -> [Diagnostic] {
    let field = selected.field
    let directives = field.directives.filter { cacheControl.names.contains($0.name.value) }
    guard let directive = directives.first else { return [] }
    var diagnostics = directives.compactMap { directive in
      DirectiveProblem(ofAge: directive, isInOperation: true).map {
        Diagnostic(.invalidCacheControl, $0, at: directive)
      }
    }
    // Two directives of one name are an error of GraphQL.
    if let other = directives.first(where: { $0.name != directive.name }) {
      diagnostics.append(
        Diagnostic(
          .invalidCacheControl, "\"\(field.responseKey)\" has more than one age.", at: other.span,
          labels: [.init("the first is here", at: directive.span)], help: "Remove one of them."))
    }
    if let type = selected.fieldType, let age = DeclaredAge(directive),
      let reason = ineffective(age, field, of: type, on: selected.type)
    {
      diagnostics.append(Diagnostic(ineffective: directive, because: reason))
    }
    return diagnostics
  }

  /// Why an age has no effect; nil if it has one.
  private func ineffective(
    _ age: DeclaredAge, _ field: Field, of fieldType: NamedType, on type: NamedType
  ) -> String? {
    let name = field.name.value
    if !schema.isCached(type) {
      let root = type.name == schema.mutationType?.name ? "mutation" : "subscription"
      return "What a \(root) returns is not read from the cache."
    }
    if name.hasPrefix("__") { return "\"\(name)\" is a part of every schema, and does not grow old." }
    guard age == .inherited, fieldType.isLeaf, cacheControl.age(ofField: name, on: [type]) == nil else { return nil }
    return "\"\(name)\" is a leaf, which has the age of its object anyway."
  }
}
