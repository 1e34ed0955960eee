import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@alias(as:)` gives a member a name that no other member has, and the fragment has a member.
  static let validAliases = DirectiveRule { context in
    guard context.directives.ownsAlias else { return [] }
    var check = AliasCheck(schema: context.schema)
    for operation in context.document.operations {
      check.visit(operation.selectionSet, on: context.schema.rootType(for: operation.operation).map { .object($0) })
    }
    for fragment in context.document.fragments {
      check.visit(fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.value))
    }
    return check.diagnostics
  }
}

private struct AliasCheck {
  let schema: Schema
  private(set) var diagnostics: [Diagnostic] = []

  init(schema: Schema) { self.schema = schema }

  mutating func visit(_ selectionSet: SelectionSet, on type: NamedType?) {
    /// The alias of each fragment, by what makes it a member of its own.
    var members: [String: (alias: String, span: SourceSpan)] = [:]
    var names: [String: SourceSpan] = [:]
    for case .field(let field) in selectionSet.selections { names[field.responseKey] = field.span }
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let definition = type.flatMap { schema.field(named: field.name.value, on: $0) }
        field.selectionSet.map { visit($0, on: definition.flatMap { schema.type(of: $0.type) }) }
      case .fragmentSpread(let spread):
        check(spread.directives, of: "..." + spread.name.value, &members, &names)
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
        visit(fragment.selectionSet, on: inner)
        let isNarrower =
          fragment.typeCondition.map { condition in type.map { !schema.isSubtype($0.name, of: condition.value) } ?? true
          }
          ?? false
        guard isNarrower || Deferral(fragment.directives) != nil else {
          noteMissingMember(fragment.directives)
          continue
        }
        // (A deferred fragment is not merged with another one.)
        let key = Deferral(fragment.directives) == nil ? fragment.typeCondition?.value ?? "" : "\(fragment.span)"
        check(fragment.directives, of: key, &members, &names)
      }
    }
  }

  private mutating func noteMissingMember(_ directives: [Directive]) {
    guard let directive = directives.first(named: FragmentAlias.directive) else { return }
    diagnostics.append(
      Diagnostic(
        .invalidAlias, "The fields of this fragment are members of the object itself, so there is nothing to name.",
        at: directive.span, help: "Write them into a named fragment, and give its spread the alias."))
  }

  private mutating func check(
    _ directives: [Directive], of key: String, _ members: inout [String: (alias: String, span: SourceSpan)],
    _ names: inout [String: SourceSpan]
  ) {
    guard let directive = directives.first(named: FragmentAlias.directive), let alias = directive.text("as") else {
      return
    }
    if !alias.isName {
      diagnostics.append(
        Diagnostic(
          .invalidAlias, "\"\(alias)\" is not a name.", at: directive.span,
          help: "A name has letters, digits and underscores, and does not begin with a digit."))
    } else if let other = members[key] {
      if other.alias != alias {
        report("The same fragment is called \"\(other.alias)\" elsewhere in the selection.", directive, other.span)
      }
      return
    } else if let other = names[alias] {
      report("Another member is called \"\(alias)\".", directive, other)
    }
    members[key] = (alias, directive.span)
    names[alias] = directive.span
  }

  private mutating func report(_ message: String, _ directive: Directive, _ other: SourceSpan) {
    diagnostics.append(
      Diagnostic(
        .invalidAlias, message, at: directive.span, labels: [.init("it is here", at: other)],
        help: "Choose another name."))
  }
}

extension String {
  /// Whether it is a name of GraphQL.
  fileprivate var isName: Bool { if case .type? = SchemaCoordinate(self) { true } else { false } }
}
