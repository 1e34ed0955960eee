package import GraphQLSchema
package import GraphQLSyntax

/// What the directives of the client say in the operations and fragments of a document.
package struct DocumentDirectives {
  private let fragments: [String: FragmentDefinition]
  private let listDirectives: ListDirectives
  private let localVariables: LocalVariables

  /// Reads the directives of the fragments, so that each is looked at once, however often it is spread.
  ///
  /// - Parameters:
  ///   - document: The operations and fragments.
  ///   - schema: The schema that they are for.
  package init(_ document: Document, _ schema: Schema) {
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    listDirectives = ListDirectives(fragments, schema)
    localVariables = LocalVariables(fragments: fragments)
  }

  /// What the fields of an operation, and of the fragments that it spreads, do to lists of the cache.
  /// Those of a query do nothing.
  package func listDirectives(of operation: OperationDefinition) -> [ListDirective] {
    listDirectives.directives(of: operation)
  }

  /// The variables that only the directives for lists use. Their values do not belong to the variables of the operation.
  package func variablesForLists(in operation: OperationDefinition) -> Set<String> {
    localVariables.ofListDirectives(in: operation)
  }

  /// Whether an operation selects local fields, also in a fragment that it spreads.
  package func hasLocalFields(_ operation: OperationDefinition) -> Bool { LocalFields.exist(in: operation, fragments) }
}

extension [Directive] {
  /// The modules that `@import` names.
  package var importedModules: [String] {
    filter { $0.name.value == importModule }.compactMap { $0.text("module") }
  }

  /// Whether they say that an operation or a fragment is for changes of the cache, and never sent.
  package var areOfLocalCacheMutation: Bool { first(named: localCacheMutation) != nil }

}

extension SchemaDirectives {
  /// Those of the directives on an operation or a fragment that are sent: no server knows the others.
  func sent(_ directives: [Directive]) -> [Directive] {
    directives.filter { directive in
      let name = directive.name.value
      return name != importModule && name != localCacheMutation && !nullability.definitionNames.contains(name)
    }
  }
}

private let localCacheMutation = "apollo_client_ios_localCacheMutation"

/// The name of the directive that imports a module into generated code.
let importModule = "import"
