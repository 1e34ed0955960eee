import ApolloIR
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension ClientRule {
  /// Local fields may be null, because the cache need not have a value, and belong to objects of the cache.
  static let validLocalFields = ClientRule { context in LocalFieldCheck(context).diagnostics }

  /// Adds to the errors about unknown fields what to write for those with `@client`.
  static func explaining(_ diagnostics: [Diagnostic], in context: Context) -> [Diagnostic] {
    guard diagnostics.contains(where: { $0.code == .unknownField }) else { return diagnostics }
    let declarations = LocalFieldCheck(context).missingDeclarations
    return diagnostics.map { finding in
      guard finding.code == .unknownField, let declaration = declarations[finding.span] else { return finding }
      var finding = finding
      finding.help = "A local field is declared in a .graphqls file beside the schema: \(declaration)"
      return finding
    }
  }
}

extension LocalFieldCheck {
  fileprivate init(_ context: ClientRule.Context) {
    var check = LocalFieldCheck(schema: context.schema)
    for operation in context.document.operations {
      check.visit(
        operation.selectionSet, on: context.schema.rootType(for: operation.operation).map { .object($0) },
        isRoot: operation.operation != .query)
    }
    for fragment in context.document.fragments {
      check.visit(fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.value))
    }
    self = check
  }
}

private struct LocalFieldCheck {
  let schema: Schema
  private(set) var diagnostics: [Diagnostic] = []
  /// What would declare the fields that the schema does not have, by the places where they are selected.
  private(set) var missingDeclarations: [SourceSpan: String] = [:]

  init(schema: Schema) { self.schema = schema }

  /// Visits selections. Those on types that there are not, or that have no fields, are reported by other rules.
  ///
  /// - Parameters:
  ///   - selectionSet: The selections.
  ///   - type: The type they are on.
  ///   - isRoot: Whether they are on the root of a mutation or a subscription. The default is false.
  mutating func visit(_ selectionSet: SelectionSet, on type: NamedType?, isRoot: Bool = false) {
    guard let type else { return }
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        guard let definition = schema.field(named: field.name.value, on: type) else {
          if field.directives.first(named: LocalFields.directive) != nil { noteMissing(field, on: type) }
          continue
        }
        if let directive = field.directives.first(named: LocalFields.directive) {
          check(field, of: definition, with: directive, isRoot: isRoot)
        }
        if let inner = field.selectionSet { visit(inner, on: schema.type(of: definition.type)) }
      case .inlineFragment(let fragment):
        visit(
          fragment.selectionSet, on: fragment.typeCondition.map { schema.type(named: $0.value) } ?? type,
          isRoot: isRoot)
      case .fragmentSpread: break
      }
    }
  }

  private mutating func noteMissing(_ field: Field, on type: NamedType) {
    let keyword = if case .interface = type { "interface" } else { "type" }
    missingDeclarations[field.span] =
      "extend \(keyword) \(type.name) { \(field.name.value): \(field.selectionSet == nil ? "Boolean" : "…") }"
  }

  private mutating func check(
    _ field: Field, of definition: FieldDefinition, with directive: Directive, isRoot: Bool
  ) {
    let name = field.name.value
    if isRoot {
      diagnostics.append(
        Diagnostic(
          .invalidLocalField, "\"\(name)\" is what a mutation or a subscription asks its server for.",
          at: directive.span, help: "Put @client on fields of queries, or on fields of objects."))
    } else if definition.type.isNonNull {
      diagnostics.append(
        Diagnostic(
          .invalidLocalField,
          "\"\(name)\" is of the type \(definition.type.description), and the cache need not have a value for it.",
          at: directive.span, help: "Declare it without \"!\". It is nil until the app has written it."))
    }
  }
}
