import GraphQLSchema
import GraphQLSyntax

/// Adds the fields that the client needs to the selections of a document: `__typename` for each object, and the fields
/// of its cache key.
struct DocumentPreparation {
  let directives: SchemaDirectives
  /// Whether `__typename` is selected in inline fragments as well, and in fragments on the type of a subscription.
  let isCompatibleWithLegacySafelists: Bool
  /// The fields that are not added, because others have their names in responses.
  private let conflicts: Set<KeyFieldPlace>
  /// The key fields that were added.
  private(set) var added = AddedFields()

  init(
    directives: SchemaDirectives, isCompatibleWithLegacySafelists: Bool, conflicts: Set<KeyFieldPlace>
  ) {
    self.directives = directives
    self.conflicts = conflicts
    self.isCompatibleWithLegacySafelists = isCompatibleWithLegacySafelists
  }

  mutating func prepare(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation
    operation.description = nil
    for index in operation.variableDefinitions.indices {
      operation.variableDefinitions[index].description = nil
    }
    let own = operation.directives
    operation.directives = directives.sent(own)
    let root = directives.schema.rootType(for: operation.operation).map { NamedType.object($0) }
    let place: Place = operation.operation == .subscription ? .subscription(isFragment: false) : .root
    let prepared = LocalFields.marked(prepare(operation.selectionSet, on: root, place: place))
    operation.selectionSet = directives.nullability.marked(prepared, by: own)
    return operation
  }

  mutating func prepare(_ fragment: FragmentDefinition) -> FragmentDefinition {
    var fragment = fragment
    fragment.description = nil
    let own = fragment.directives
    fragment.directives = directives.sent(own)
    let type = directives.schema.type(named: fragment.typeCondition.value)
    // (One on an interface of the subscription's type has its `__typename`: it may be read elsewhere as well.)
    let isOfSubscription = type.map { $0.name == directives.schema.subscriptionType?.name } ?? false
    let place: Place = isOfSubscription ? .subscription(isFragment: true) : .object
    let prepared = LocalFields.marked(prepare(fragment.selectionSet, on: type, place: place))
    fragment.selectionSet = directives.nullability.marked(prepared, by: own)
    return fragment
  }

  private enum Place {
    /// The root of a query or of a mutation, which is not identified.
    case root
    /// The root of a subscription, and the fragments and inline fragments on it. It has one field, so nothing is added
    /// but what a safelist has.
    case subscription(isFragment: Bool)
    /// An object begins here: below a field, or in a fragment that is read on its own.
    case object
    /// An inline fragment, and whether what encloses it has key fields.
    case inlineFragment(hasKey: Bool)
  }

  private mutating func prepare(_ selectionSet: SelectionSet, on type: NamedType?, place: Place) -> SelectionSet {
    let keys: [String]
    /// The place of the inline fragments here.
    let inner: Place
    switch place {
    case .root:
      keys = []
      inner = .inlineFragment(hasKey: true)
    case .subscription:
      keys = []
      inner = .subscription(isFragment: true)
    case .object:
      keys = directives.keyFields.of(type)
      inner = .inlineFragment(hasKey: !keys.isEmpty)
    case .inlineFragment(let isKnown):
      keys = isKnown ? [] : directives.keyFields.of(type)
      inner = .inlineFragment(hasKey: isKnown || !keys.isEmpty)
    }
    var selections = selectionSet.selections.map { prepare($0, on: type, inlineFragments: inner) }
    let names = keys.filter { !selects($0, in: selections) }
    // A part of a key is of no use.
    let canBeAdded = !names.contains { conflicts.contains(KeyFieldPlace(name: $0, selectionSet: selectionSet.span)) }
    let missing = canBeAdded ? names.map { added.add($0, for: type?.name ?? "", to: selectionSet) } : []
    var needsTypename = isCompatibleWithLegacySafelists
    switch place {
    case .root, .subscription(isFragment: false): needsTypename = false
    case .object: needsTypename = true
    case .subscription(isFragment: true), .inlineFragment: break
    }
    if needsTypename {
      selections.removeAll(where: Self.isTypename)
      selections = [.field(Field(name: "__typename"))] + missing + selections
    } else {
      selections = missing + selections
    }
    return SelectionSet(selections, span: selectionSet.span)
  }

  private mutating func prepare(
    _ selection: Selection, on type: NamedType?, inlineFragments place: Place
  ) -> Selection {
    switch selection {
    case .field(var field):
      guard let selectionSet = field.selectionSet, let type else { return .field(field) }
      let schema = directives.schema
      let fieldType = schema.field(named: field.name.value, on: type).flatMap { schema.type(of: $0.type) }
      field.selectionSet = prepare(selectionSet, on: fieldType, place: .object)
      return .field(field)
    case .fragmentSpread: return selection
    case .inlineFragment(var fragment):
      let type = fragment.typeCondition.map { directives.schema.type(named: $0.value) } ?? type
      fragment.selectionSet = prepare(fragment.selectionSet, on: type, place: place)
      return .inlineFragment(fragment)
    }
  }

  private static func isTypename(_ selection: Selection) -> Bool {
    if case .field(let field) = selection { field.name.value == "__typename" && field.alias == nil } else { false }
  }

  private func selects(_ name: String, in selections: [Selection]) -> Bool {
    selections.contains { selection in
      guard case .field(let field) = selection else { return false }
      return field.isKeyField(named: name)
        && field.directives.allSatisfy {
          directives.cacheControl.names.contains($0.name.value)
            || directives.nullability.fieldNames.contains($0.name.value)
        }
    }
  }
}

extension Field {
  /// Whether it is the key field of this name, under its own name. With arguments, it is another value.
  func isKeyField(named name: String) -> Bool { self.name.value == name && responseKey == name && arguments.isEmpty }
}
