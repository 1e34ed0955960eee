import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An application of `@link` from which nothing can be imported, or which imports under a name that is taken.
  public static let invalidLink = Self("invalid-link")
}

extension Rule {
  /// Applications of `@link` can be read, and import under names of their own
  /// — [spec](https://specs.apollo.dev/link/v1.0/)
  public static let linkImports = Rule("LinkImports", section: nil, reports: .invalidLink) { LinkImportsVisitor() }
}

private final class LinkImportsVisitor: RuleVisitor {
  /// Where each name was imported first.
  private var imported: [String: SourceSpan] = [:]

  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {
    guard place.location == .schema else { return }
    for directive in directives where isLink(directive, context.schema) {
      guard SchemaLink(directive) != nil else {
        context.report(
          .invalidLink, "@\(directive.name) needs the URL of a specification.", at: directive.span,
          help: "It looks like @link(url: \"https://specs.apollo.dev/cache/v0.4\", import: [\"@typePolicy\"]).")
        continue
      }
      guard let value = directive.argument("import") else { continue }
      guard case .list(let items) = value.kind else {
        context.report(.invalidLink, "The imports of @\(directive.name) must be a list.", at: value.span)
        continue
      }
      for item in items { check(item, context) }
    }
  }

  /// A schema may define a directive of this name that means something else.
  private func isLink(_ directive: Directive, _ schema: Schema) -> Bool {
    guard let definition = schema.directive(named: directive.name.value) else { return false }
    return definition.arguments["import"] != nil && definition.arguments["url"] != nil
  }

  private func check(_ item: Value, _ context: ValidationContext) {
    guard let element = SchemaLink.Import(item) else {
      context.report(
        .invalidLink, "Cannot import \(Printer.print(item)).", at: item.span,
        help:
          "An import is \"@directive\", \"Type\", or an object { name: \"@directive\", as: \"@other\" } whose names are both of directives or both of types."
      )
      return
    }
    if let first = imported.updateValue(item.span, forKey: element.localName) {
      context.report(
        .invalidLink, "\"\(element.localName)\" is imported more than once.", at: item.span,
        labels: [.init("first imported here", at: first)],
        help: "Import one of them under another name: { name: \"\(element.name)\", as: \"…\" }.")
    }
  }
}
