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
  /// The key fields that are not selected, because other selections have their names in the response.
  private(set) var conflicts: [KeyConflict] = []
  /// The key fields that are selected although other selections have their names in the response. A server refuses such
  /// an operation.
  private(set) var refusedFields: [KeyConflict] = []
  private let schema: Schema

  /// A key field of some types, and another selection that has its name in the response.
  struct KeyConflict {
    /// The field, and the selection set in which it is missing.
    var field: AddedField
    /// The other selection, or the selection set to which it was added.
    var other: SourceSpan
    /// Whether the other selection was added as well, for another type.
    var isBetweenKeys: Bool
  }

  /// Prepares a valid document.
  ///
  /// - Parameters:
  ///   - document: The operations and fragments.
  ///   - directives: What the schema says that they were validated against.
  ///   - isCompatibleWithLegacySafelists: Whether `__typename` is selected in inline fragments as well. The default is
  ///     false.
  package init(_ document: Document, directives: SchemaDirectives, isCompatibleWithLegacySafelists: Bool = false) {
    let labels = DeferLabels(document)
    let labeledOperations = document.operations.map { labels.label($0) }
    let labeledFragments = document.fragments.map { labels.label($0) }
    let unsentDirectives = directives.cacheControl.names.union(directives.nullability.fieldNames)
      .union(directives.ownsAlias ? [FragmentAlias.directive] : [])
    let sent = SentSelections(unsentDirectives: unsentDirectives)
    schema = directives.schema
    var excluded: Set<KeyFieldPlace> = []
    while true {
      var preparation = DocumentPreparation(
        directives: directives, isCompatibleWithLegacySafelists: isCompatibleWithLegacySafelists, conflicts: excluded)
      let operations = labeledOperations.map { preparation.prepare($0) }
      let fragments = labeledFragments.map { preparation.prepare($0) }
      let keys = PossibleTypeKeys(preparation, fragments: fragments, conflicts: excluded)
      self.operations = operations.map(keys.complete)
      let complete = fragments.map(keys.complete)
      self.fragments = complete.map(FragmentVariables.named)
      let whole = Document(
        definitions: self.operations.map { .operation($0) } + complete.map { .fragment($0) }
      ).withFragmentArgumentsInPlace
      let ofWhole = whole.fragments.map { sent.sent($0) }
      sentFragments = ofWhole + complete.filter { !$0.variableDefinitions.isEmpty }.map { sent.sent($0) }
      let variables = LocalVariables(fragments: Dictionary(ofWhole.map { ($0.name.value, $0) }) { first, _ in first })
      sentOperations = whole.operations.map { variables.declaringUsed(sent.sent($0)) }
      let new = keyConflicts(of: preparation.added, and: keys.added)
      if new.unselected.isEmpty {
        refusedFields = new.refused
        return
      }
      conflicts += new.unselected
      excluded.formUnion(new.unselected.map(\.field.place))
    }
  }

  /// Finds the key fields whose names in the response other selections have.
  ///
  /// - Parameters:
  ///   - added: The fields that are selected wherever the type of an object is known.
  ///   - keys: The fields that are selected for possible types.
  /// - Returns: Those that can be left out, and those of which an alias or arguments of the document are in the way.
  private func keyConflicts(
    of added: AddedFields, and keys: AddedFields
  ) -> (unselected: [KeyConflict], refused: [KeyConflict]) {
    if added.isEmpty, keys.isEmpty { return ([], []) }
    var options = Validator.Options()
    options.rules = [.overlappingFieldsCanBeMerged]
    // The document has been found to be within the limit.
    options.maximumDepth = .max
    // A fragment with variables is looked at by itself as well. Its variables differ from all values.
    let fragments = sentFragments.map { fragment in
      var fragment = fragment
      fragment.variableDefinitions = []
      return fragment
    }
    let document = Document(
      definitions: sentOperations.map { .operation($0) } + fragments.map { .fragment($0) })
    let pairs = Validator.validate(document, against: schema, options: options).diagnostics.flatMap(Self.pairs)
    let ofPossibleTypes = Self.conflicts(pairs.filter { keys[$0.place] != nil }) { keys[$0] ?? added[$0] }
    if !ofPossibleTypes.isEmpty { return (ofPossibleTypes, []) }
    let found = Self.conflicts(pairs) { added[$0] }
    if found.isEmpty { return ([], []) }
    let keyFields = document.plainFields
    let unselected = found.filter { $0.isBetweenKeys || keyFields.contains($0.other) }
    let refused = found.filter { !$0.isBetweenKeys && !keyFields.contains($0.other) }
    return (unselected, refused)
  }

  /// The fields of a conflict: each with the field on the other side.
  private static func pairs(of diagnostic: Diagnostic) -> [(place: SourceSpan, other: SourceSpan)] {
    let places = [diagnostic.span] + diagnostic.labels.map(\.span)
    // The first half are the fields on the way to one of the selections, the second those to the other.
    return places.indices.map { (places[$0], places[($0 + places.count / 2) % places.count]) }
  }

  /// The conflicts among pairs of fields, one for each key field.
  private static func conflicts(
    _ pairs: [(place: SourceSpan, other: SourceSpan)], _ key: (SourceSpan) -> AddedField?
  ) -> [KeyConflict] {
    var known: Set<KeyFieldPlace> = []
    return pairs.compactMap { pair in
      guard let field = key(pair.place), known.insert(field.place).inserted else { return nil }
      let other = key(pair.other)
      return KeyConflict(
        field: field, other: other?.place.selectionSet ?? pair.other, isBetweenKeys: other != nil)
    }
  }
}

extension Document {
  /// The places of the fields without an alias and without arguments.
  fileprivate var plainFields: Set<SourceSpan> {
    var spans: Set<SourceSpan> = []
    func collect(_ selectionSet: SelectionSet) {
      for selection in selectionSet.selections {
        if case .field(let field) = selection, field.isKeyField(named: field.name.value) { spans.insert(field.span) }
        selection.selectionSet.map(collect)
      }
    }
    for operation in operations { collect(operation.selectionSet) }
    for fragment in fragments { collect(fragment.selectionSet) }
    return spans
  }

  /// The document with the selections of fragments with variables in place of their spreads. (A document for which they
  /// would be too many has been refused. What the client adds does not count.)
  package var withFragmentArgumentsInPlace: Document { inliningFragmentArguments(limit: .max) ?? self }
}
