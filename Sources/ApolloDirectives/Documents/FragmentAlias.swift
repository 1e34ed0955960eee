import GraphQLSchema
package import GraphQLSyntax

/// The name that `@alias(as:)` gives the member for a fragment.
enum FragmentAlias {
  /// The name of the directive.
  static let directive = "alias"
}

extension SchemaDirectives {
  /// The name of the member for a fragment, by its directives; nil if they give it none.
  package func alias(_ directives: [Directive]) -> String? {
    guard !directives.isEmpty, ownsAlias else { return nil }
    return directives.first(named: FragmentAlias.directive)?.text("as")
  }

  /// Whether `@alias` is the generator's: the schema declares none.
  var ownsAlias: Bool { schema.directive(named: FragmentAlias.directive) == nil }
}
