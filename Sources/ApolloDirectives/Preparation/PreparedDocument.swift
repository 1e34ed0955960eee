import GraphQLSchema
package import GraphQLSyntax
import GraphQLValidation

/// The operations and fragments of a document with what the client needs: labels for `@defer`, `__typename`, the key
/// fields of `@typePolicy`, and names for the variables of fragments (``FragmentVariables``).
package struct PreparedDocument {
  /// The operations, in the order of the document.
  package private(set) var operations: [OperationDefinition] = []
  /// The fragments, in the order of the document.
  package private(set) var fragments: [FragmentDefinition] = []
  /// What is sent of the operations: in place of a fragment with variables, its selections with the values.
  package private(set) var sentOperations: [OperationDefinition] = []
  /// What is sent of the fragments. (Those with variables are not sent.)
  package private(set) var sentFragments: [FragmentDefinition] = []
  /// The key fields that cannot be selected.
  private(set) var conflicts: [KeyConflict] = []

  /// A key field of some types that cannot be selected, because another selection has its name in the response.
  struct KeyConflict {
    /// The field, and the selection set in which it is missing.
    var field: PossibleTypeKeys.AddedField
    /// The other selection.
    var other: SourceSpan
  }

  /// Prepares a valid document.
  ///
  /// - Parameters:
  ///   - document: The operations and fragments.
  ///   - directives: What the schema says that they were validated against.
  ///   - isCompatibleWithLegacySafelists: Whether `__typename` is selected in inline fragments as well. The default is
  ///     false.
  package init(_ document: Document, directives: SchemaDirectives, isCompatibleWithLegacySafelists: Bool = false) {
    let preparation = DocumentPreparation(
      directives: directives, isCompatibleWithLegacySafelists: isCompatibleWithLegacySafelists)
    let labels = DeferLabels(document)
    let operations = document.operations.map { preparation.prepare(labels.label($0)) }
    let fragments = document.fragments.map { preparation.prepare(labels.label($0)) }
    let unsentDirectives = directives.cacheControl.names.union(directives.nullability.fieldNames)
      .union(directives.ownsAlias ? [FragmentAlias.directive] : [])
    let localVariables = LocalVariables(
      fragments: Dictionary(document.withFragmentArgumentsInPlace.fragments.map { ($0.name.value, $0) }) {
        first, _ in first
      })
    let sent = SentSelections(unsentDirectives: unsentDirectives, localVariables: localVariables)
    var excluded: Set<SourceSpan> = []
    while true {
      let keys = PossibleTypeKeys(preparation, fragments: fragments, conflicts: excluded)
      self.operations = operations.map(keys.complete)
      let complete = fragments.map(keys.complete)
      self.fragments = complete.map(FragmentVariables.named)
      let whole = Document(
        definitions: self.operations.map { .operation($0) } + complete.map { .fragment($0) }
      ).withFragmentArgumentsInPlace
      sentOperations = whole.operations.map(sent.sent)
      sentFragments = (whole.fragments + complete.filter { !$0.variableDefinitions.isEmpty }).map(sent.sent)
      let new = newConflicts(keys.added, directives.schema)
      if new.isEmpty { return }
      conflicts += new.values
      excluded.formUnion(new.keys)
    }
  }

  /// The fields among those that were added whose names in the response others have.
  private func newConflicts(
    _ added: [SourceSpan: PossibleTypeKeys.AddedField], _ schema: Schema
  ) -> [SourceSpan: KeyConflict] {
    if added.isEmpty { return [:] }
    var options = Validator.Options()
    options.rules = [.overlappingFieldsCanBeMerged]
    // The document has been found to be within the limit.
    options.maximumDepth = .max
    let document = Document(
      definitions: sentOperations.map { .operation($0) } + sentFragments.map { .fragment($0) })
    var conflicts: [SourceSpan: KeyConflict] = [:]
    for diagnostic in Validator.validate(document, against: schema, options: options).diagnostics {
      let places = [diagnostic.span] + diagnostic.labels.map(\.span)
      for (index, place) in places.enumerated() {
        guard let field = added[place] else { continue }
        // The first half are the fields on the way to one of the selections, the second those to the other.
        let other = places[(index + places.count / 2) % places.count]
        conflicts[place] = KeyConflict(field: field, other: added[other]?.selectionSet ?? other)
      }
    }
    return conflicts
  }
}

extension Document {
  /// The document with the selections of fragments with variables in place of their spreads. (A document for which they
  /// would be too many has been refused.)
  package var withFragmentArgumentsInPlace: Document { inliningFragmentArguments() ?? self }
}
