import GraphQLSchema
import GraphQLSyntax

/// A field of an operation or a fragment, and what the schema says of it.
struct SelectedField {
  let field: Field
  /// The type on which the field is selected.
  let type: NamedType
  /// The definition of the field; nil if the type has no field of this name.
  let definition: FieldDefinition?
  /// The type of the field without lists; nil if it is not known.
  let fieldType: NamedType?
  /// Whether a fragment has the field, and not an operation itself.
  let isOfFragment: Bool
  /// The kinds of operations that have the field: of a fragment, those that spread it.
  let operations: Set<OperationType>
  /// Those of them that have it on their root.
  let roots: Set<OperationType>

  /// The fields of all operations, then those of all fragments, each before the fields of its objects. Fields on types that
  /// are not known, or that have no fields, are left out: other rules report them.
  static func all(in document: Document, _ schema: Schema) -> [SelectedField] {
    var fields: [SelectedField] = []
    func collect(
      _ selectionSet: SelectionSet, on type: NamedType?, isOfFragment: Bool, of operations: Set<OperationType>,
      roots: Set<OperationType>
    ) {
      guard let type else { return }
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field):
          let definition = schema.field(named: field.name.value, on: type)
          let fieldType = definition.flatMap { schema.type(of: $0.type) }
          fields.append(
            SelectedField(
              field: field, type: type, definition: definition, fieldType: fieldType, isOfFragment: isOfFragment,
              operations: operations, roots: roots))
          if let inner = field.selectionSet {
            collect(inner, on: fieldType, isOfFragment: isOfFragment, of: operations, roots: [])
          }
        case .inlineFragment(let fragment):
          let type = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
          collect(fragment.selectionSet, on: type, isOfFragment: isOfFragment, of: operations, roots: roots)
        case .fragmentSpread: break
        }
      }
    }
    for operation in document.operations {
      let root = schema.rootType(for: operation.operation).map { NamedType.object($0) }
      collect(
        operation.selectionSet, on: root, isOfFragment: false, of: [operation.operation],
        roots: [operation.operation])
    }
    let uses = FragmentUses(document)
    for fragment in document.fragments {
      let name = fragment.name.value
      collect(
        fragment.selectionSet, on: schema.type(named: fragment.typeCondition.value), isOfFragment: true,
        of: uses.operations(of: name), roots: uses.operations(of: name, isAtRoot: true))
    }
    return fields
  }
}
