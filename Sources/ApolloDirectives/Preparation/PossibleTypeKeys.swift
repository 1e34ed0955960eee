import GraphQLSchema
import GraphQLSyntax

/// Selects the key fields of the objects that a union or an interface stands for, where its possible types do not share
/// them: `... on Book { isbn }`, or `isbn` itself if the interface has the field.
///
/// What is added is marked (``KeyMark``), so that it is sent and does not become a member of a model.
final class PossibleTypeKeys {
  private let schema: Schema
  private let keyFields: KeyFields
  /// The named fragments, to which nothing is added yet.
  private let written: [String: FragmentDefinition]
  /// Directives of fields that change nothing about the response.
  private let harmless: Set<String>
  private let isCompatibleWithLegacySafelists: Bool
  /// The fields that are not added, because others have their names in responses.
  private let conflicts: Set<KeyFieldPlace>
  private var completed: [String: FragmentDefinition] = [:]
  private var identified: [String: [IdentifiedType]] = [:]
  private var selected: [String: [String: Set<String>]] = [:]
  /// The fields that were added.
  private(set) var added = AddedFields()

  /// An object type, and key fields of it.
  private struct IdentifiedType {
    var type: ObjectType
    var fields: [String]

    var name: String { type.name }
  }

  init(
    _ preparation: DocumentPreparation, fragments: [FragmentDefinition], conflicts: Set<KeyFieldPlace>
  ) {
    schema = preparation.directives.schema
    keyFields = preparation.directives.keyFields
    harmless = preparation.directives.cacheControl.names.union([KeyMark.added])
      .union(preparation.directives.nullability.fieldNames)
    isCompatibleWithLegacySafelists = preparation.isCompatibleWithLegacySafelists
    written = Dictionary(fragments.map { ($0.name.value, $0) }) { first, _ in first }
    self.conflicts = conflicts
  }

  // MARK: - Definitions

  func complete(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation
    let root = schema.rootType(for: operation.operation).map { NamedType.object($0) }
    operation.selectionSet = complete(operation.selectionSet, on: root, isObject: false)
    return operation
  }

  func complete(_ fragment: FragmentDefinition) -> FragmentDefinition {
    if let known = completed[fragment.name.value] { return known }
    var fragment = fragment
    let type = schema.type(named: fragment.typeCondition.value)
    fragment.selectionSet = complete(fragment.selectionSet, on: type, isObject: true)
    completed[fragment.name.value] = fragment
    return fragment
  }

  private func complete(_ selectionSet: SelectionSet, on type: NamedType?, isObject: Bool) -> SelectionSet {
    var copy = selectionSet
    for index in copy.selections.indices {
      switch copy.selections[index] {
      case .field(var field):
        guard let inner = field.selectionSet, let type else { continue }
        let fieldType = schema.field(named: field.name.value, on: type).flatMap { schema.type(of: $0.type) }
        field.selectionSet = complete(inner, on: fieldType, isObject: true)
        copy.selections[index] = .field(field)
      case .inlineFragment(var fragment):
        let type = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
        fragment.selectionSet = complete(fragment.selectionSet, on: type, isObject: false)
        copy.selections[index] = .inlineFragment(fragment)
      case .fragmentSpread: break
      }
    }
    if isObject, let type, type.isAbstract { addKeys(to: &copy, on: type) }
    return copy
  }

  // MARK: - Keys

  /// The possible types with key fields. Empty if all possible types share them: then they are selected already.
  private func identifiedTypes(of type: NamedType) -> [IdentifiedType] {
    if let known = identified[type.name] { return known }
    var types: [IdentifiedType] = []
    if keyFields.of(type).isEmpty {
      types = schema.possibleTypes(of: type).compactMap { object in
        let fields = keyFields.of(.object(object))
        return fields.isEmpty ? nil : IdentifiedType(type: object, fields: fields)
      }
    }
    identified[type.name] = types
    return types
  }

  private func addKeys(to selectionSet: inout SelectionSet, on type: NamedType) {
    let types = identifiedTypes(of: type)
    if types.isEmpty { return }
    var keys = TypeKeys(), missing: [IdentifiedType] = []
    for object in types {
      let known = selected(on: object.name, in: selectionSet.selections)
      let fields = object.fields.filter { !known.contains($0) }
      let place = selectionSet.span
      if fields.contains(where: { conflicts.contains(KeyFieldPlace(name: $0, selectionSet: place)) }) { continue }
      keys.merge(TypeKeys(keys: [TypeKey(types: [object.name], fields: object.fields)]))
      if !fields.isEmpty { missing.append(IdentifiedType(type: object.type, fields: fields)) }
    }
    add(missing, to: &selectionSet, on: type, &keys)
    if !keys.keys.isEmpty { selectionSet.selections.append(keys.selection) }
  }

  /// Adds fields where the fewest selections are needed: to the selection set itself, to an inline fragment on an
  /// interface, or in a new fragment.
  private func add(
    _ missing: [IdentifiedType], to selectionSet: inout SelectionSet, on type: NamedType, _ keys: inout TypeKeys
  ) {
    var front: [Selection] = [], rest: [IdentifiedType] = [], fields: [String: Selection] = [:]
    for object in missing {
      var left: [String] = []
      for name in object.fields {
        let field = added.add(name, for: object.name, to: selectionSet)
        fields[name] = field
        if type.fields?.contains(name) ?? false {
          // A member that a condition may leave out is there always, as where all types share the key.
          let isMember = isMember(name, of: selectionSet.selections, on: type), field = isMember ? field : field.marked
          if !front.contains(field) { front.append(field) }
          if isMember { continue }
        } else if let host = host(of: name, for: object.name, in: selectionSet.selections) {
          selectionSet.selections.append(field.marked, toFragmentAt: host)
        } else {
          left.append(name)
        }
        keys.merge(TypeKeys(added: [name]))
      }
      if !left.isEmpty { rest.append(IdentifiedType(type: object.type, fields: left)) }
    }
    let typename = isCompatibleWithLegacySafelists ? [Selection.field(Field(name: "__typename"))] : []
    for (condition, names) in conditions(for: rest) {
      let selections = typename + names.compactMap { fields[$0]?.marked }
      let fragment = InlineFragment(typeCondition: Name(condition), selectionSet: SelectionSet(selections))
      front.append(Selection.inlineFragment(fragment).marked)
    }
    selectionSet.selections.insert(contentsOf: front, at: min(1, selectionSet.selections.count))
  }

  /// The fewest type conditions under which all of these types have their fields: an interface for several types, or a
  /// type itself.
  private func conditions(for types: [IdentifiedType]) -> [(condition: String, fields: [String])] {
    var conditions: [(condition: String, fields: [String])] = [], rest = types[...]
    while let first = rest.popFirst() {
      var condition = first.name, others: Set<String> = []
      for name in NamedType.object(first.type).interfaces {
        guard let interface = schema.type(named: name.value), let known = interface.fields,
          first.fields.allSatisfy({ known.contains($0) })
        else { continue }
        let alike = rest.filter { $0.fields == first.fields && schema.isPossibleType($0.name, of: interface) }
        if alike.count > others.count { (condition, others) = (name.value, Set(alike.map(\.name))) }
      }
      conditions.append((condition, first.fields))
      rest.removeAll { others.contains($0.name) }
    }
    return conditions
  }

  // MARK: - What is selected already

  /// The fields that are selected on objects of a type, under their own names and whatever the variables are.
  private func selected(on type: String, in selections: [Selection]) -> Set<String> {
    var names: Set<String> = []
    for selection in selections {
      switch selection {
      case .field(let field):
        guard field.isKeyField(named: field.name.value), isAlwaysSent(selection) else { continue }
        names.insert(field.name.value)
      case .inlineFragment(let fragment):
        guard applies(fragment.typeCondition, to: type), isAlwaysSent(selection) else { continue }
        names.formUnion(selected(on: type, in: fragment.selectionSet.selections))
      case .fragmentSpread(let spread):
        guard let fragment = written[spread.name.value], applies(fragment.typeCondition, to: type),
          isAlwaysSent(selection)
        else { continue }
        names.formUnion(selected(on: type, in: fragment))
      }
    }
    return names
  }

  private func selected(on type: String, in fragment: FragmentDefinition) -> Set<String> {
    let name = fragment.name.value
    if let known = selected[name]?[type] { return known }
    let names = selected(on: type, in: complete(fragment).selectionSet.selections)
    selected[name, default: [:]][type] = names
    return names
  }

  /// Whether a selection is a part of the first response under every condition.
  private func isAlwaysSent(_ selection: Selection) -> Bool {
    selection.directives.allSatisfy { harmless.contains($0.name.value) }
  }

  private func applies(_ condition: Name?, to type: String) -> Bool {
    guard let condition else { return true }
    return schema.type(named: condition.value).map { schema.isPossibleType(type, of: $0) } ?? false
  }

  /// The inline fragment on an interface with the field that all objects of a type satisfy.
  private func host(of field: String, for type: String, in selections: [Selection]) -> Int? {
    selections.firstIndex { selection in
      guard case .inlineFragment(let fragment) = selection, !selection.isAdded, isAlwaysSent(selection),
        let condition = fragment.typeCondition, applies(condition, to: type)
      else { return false }
      return schema.type(named: condition.value)?.fields?.contains(field) ?? false
    }
  }

  /// Whether the document selects a field on every object, under a condition.
  private func isMember(_ field: String, of selections: [Selection], on type: NamedType) -> Bool {
    selections.contains { selection in
      switch selection {
      case .field(let other): return other.isKeyField(named: field)
      case .inlineFragment(let fragment):
        let isOnEveryObject = fragment.typeCondition.map { schema.isSubtype(type.name, of: $0.value) } ?? true
        return isOnEveryObject && Deferral(fragment.directives) == nil
          && isMember(field, of: fragment.selectionSet.selections, on: type)
      case .fragmentSpread: return false
      }
    }
  }
}

extension [Selection] {
  /// Adds a field to an inline fragment.
  fileprivate mutating func append(_ field: Selection, toFragmentAt index: Int) {
    guard case .inlineFragment(var fragment) = self[index], !fragment.selectionSet.selections.contains(field) else {
      return
    }
    fragment.selectionSet.selections.append(field)
    self[index] = .inlineFragment(fragment)
  }
}
