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
  /// The key fields that are selected wherever the type of an object is known.
  private let added: AddedFields
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
    var preparation = DocumentPreparation(
      directives: directives, isCompatibleWithLegacySafelists: isCompatibleWithLegacySafelists)
    let labels = DeferLabels(document)
    let operations = document.operations.map { preparation.prepare(labels.label($0)) }
    let fragments = document.fragments.map { preparation.prepare(labels.label($0)) }
    let unsentDirectives = directives.cacheControl.names.union(directives.nullability.fieldNames)
      .union(directives.ownsAlias ? [FragmentAlias.directive] : [])
    let sent = SentSelections(unsentDirectives: unsentDirectives)
    added = preparation.added
    schema = directives.schema
    var excluded: Set<KeyFieldPlace> = []
    while true {
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
      let new = keyConflicts(of: keys.added)
      if new.isEmpty { return }
      conflicts += new
      excluded.formUnion(new.map(\.field.place))
    }
  }

  /// The key fields that are selected although other selections have their names in the response. A server refuses such
  /// an operation.
  var refusedFields: [KeyConflict] { keyConflicts(of: added) }

  /// The fields among these whose names in the response other selections have.
  private func keyConflicts(of fields: AddedFields) -> [KeyConflict] {
    if fields.isEmpty { return [] }
    var options = Validator.Options()
    options.rules = [.overlappingFieldsCanBeMerged]
    // The document has been found to be within the limit.
    options.maximumDepth = .max
    let document = Document(
      definitions: sentOperations.map { .operation($0) } + sentFragments.map { .fragment($0) })
    var conflicts: [KeyConflict] = [], known: Set<KeyFieldPlace> = []
    for diagnostic in Validator.validate(document, against: schema, options: options).diagnostics {
      let places = [diagnostic.span] + diagnostic.labels.map(\.span)
      for (index, place) in places.enumerated() {
        guard let field = fields[place], known.insert(field.place).inserted else { continue }
        // The first half are the fields on the way to one of the selections, the second those to the other.
        let other = places[(index + places.count / 2) % places.count]
        let otherKey = fields[other] ?? added[other]
        conflicts.append(
          KeyConflict(
            field: field, other: otherKey?.place.selectionSet ?? other, isBetweenKeys: otherKey != nil))
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
