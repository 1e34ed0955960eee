import ApolloIR
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// `@cacheControl` in operations and fragments gives one age to fields that are read from the cache.
  static let validCacheControlInOperations = ClientRule { context in
    let cacheControl = CacheControl(schema: context.schema)
    guard context.document.hasField(withDirectives: cacheControl.names) else { return [] }
    var check = OperationAgeCheck(schema: context.schema, cacheControl: cacheControl)
    for operation in context.document.operations {
      check.visit(
        operation.selectionSet, on: context.schema.rootType(for: operation.operation).map { .object($0) })
    }
    for fragment in context.document.fragments {
      check.visit(fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.value))
    }
    return check.diagnostics
  }
}

private struct OperationAgeCheck {
  let schema: Schema
  let cacheControl: CacheControl
  var diagnostics: [Diagnostic] = []

  /// Visits selections. Those on types that there are not, or that have no fields, are reported by other rules.
  mutating func visit(_ selectionSet: SelectionSet, on type: NamedType?) {
    guard let type else { return }
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let fieldType = schema.field(named: field.name.value, on: type).flatMap { schema.type(of: $0.type) }
        check(field, of: fieldType, on: type)
        if let selectionSet = field.selectionSet { visit(selectionSet, on: fieldType) }
      case .inlineFragment(let fragment):
        visit(fragment.selectionSet, on: fragment.typeCondition.map { schema.type(named: $0.value) } ?? type)
      case .fragmentSpread: break
      }
    }
  }

  private mutating func check(_ field: Field, of fieldType: NamedType?, on type: NamedType) {
    let directives = field.directives.filter { cacheControl.names.contains($0.name.value) }
    guard let directive = directives.first else { return }
    for directive in directives {
      guard let problem = AgeProblem(directive, isInOperation: true) else { continue }
      diagnostics.append(Diagnostic(.invalidCacheControl, problem.message, at: directive.span, help: problem.help))
    }
    // Two directives of one name are an error of GraphQL.
    if let other = directives.first(where: { $0.name != directive.name }) {
      diagnostics.append(
        Diagnostic(
          .invalidCacheControl, "\"\(field.responseKey)\" has more than one age.", at: other.span,
          labels: [.init("the first is here", at: directive.span)], help: "Remove one of them."))
    }
    if let fieldType, let age = DeclaredAge(directive), let reason = ineffective(age, field, of: fieldType, on: type) {
      diagnostics.append(Diagnostic(ineffective: directive, because: reason))
    }
  }

  /// Why an age has no effect; nil if it has one.
  private func ineffective(
    _ age: DeclaredAge, _ field: Field, of fieldType: NamedType, on type: NamedType
  ) -> String? {
    let name = field.name.value
    if !cacheControl.isCached(type) {
      let root = type.name == schema.mutationType?.name ? "mutation" : "subscription"
      return "What a \(root) returns is not read from the cache."
    }
    if name.hasPrefix("__") { return "\"\(name)\" is a part of every schema, and does not grow old." }
    guard age == .inherited, fieldType.isLeaf, cacheControl.age(ofField: name, on: [type]) == nil else { return nil }
    return "\"\(name)\" is a leaf, which has the age of its object anyway."
  }
}
