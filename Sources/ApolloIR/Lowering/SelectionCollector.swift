import GraphQLSchema
import GraphQLSyntax

/// Merges the selections on one object by response key (specification, section 6.3.2, CollectFields). The values of
/// variables are not known: instead of dropping a selection, it notes the condition of the selection.
struct SelectionCollector {
  /// The selections of one field, one fragment, or the inline fragments on one type.
  struct Group {
    enum Kind {
      case field(Field, definition: FieldDefinition?)
      case fragment(name: String, on: NamedType)
      case inlineFragment(on: NamedType)
      /// A fragment with `@defer`, and its name if it has one.
      case deferred(label: String, Deferral, name: String?, on: NamedType)
    }

    var kind: Kind
    var condition: Condition
    /// The selections on the member's own value, each with its condition.
    var contributions: [SelectionSource]
    /// Whether all of it comes from the enclosing shape.
    var isInherited: Bool
    /// Whether all of it comes from named fragments on an enclosing object.
    var isMerged = false

    var key: MemberKey {
      switch kind {
      case .field(let field, _): .field(field.responseKey)
      case .fragment(let name, _): .fragment(name)
      case .inlineFragment(let type): .inlineFragment(type.name)
      case .deferred(let label, _, _, _): .deferred(label)
      }
    }
  }

  let known: KnownTypes
  let fragments: [String: FragmentDefinition]
  /// Whether named fragments that always apply are merged as inline fragments are, and are not groups.
  let entersFragments: Bool
  private(set) var groups: [Group] = []
  private(set) var hasTypename = false
  /// The conditions of fragments that apply to every object.
  private(set) var conditions: [Condition] = []
  private var positions: [MemberKey: Int] = [:]
  /// The named fragments that were merged, with their conditions.
  private(set) var enteredFragments: [String: Condition] = [:]
  /// How many named fragments are around the selections that are being collected.
  private var depth = 0
  private var isMerged = false

  init(known: KnownTypes, fragments: [String: FragmentDefinition], entersFragments: Bool = false) {
    self.known = known
    self.fragments = fragments
    self.entersFragments = entersFragments
  }

  func group(_ key: MemberKey) -> Group? { positions[key].map { groups[$0] } }

  mutating func collect(_ source: SelectionSource) {
    note(source.condition, source)
    let enclosing = source.enclosingTypes.map { KnownTypes($0, schema: known.schema) }
    isMerged = source.isMerged
    collect(source.selections, source.condition, source, enclosing: enclosing, types: known)
  }

  /// Collects selections.
  ///
  /// - Parameters:
  ///   - selections: The selections.
  ///   - condition: The condition of all of them.
  ///   - source: Where they come from.
  ///   - enclosing: The types that the enclosing shape knows, as long as these selections are also part of that shape.
  ///   - types: The types that are known inside of the inline fragments around the selections.
  private mutating func collect(
    _ selections: [Selection], _ condition: Condition, _ source: SelectionSource, enclosing: KnownTypes?,
    types: KnownTypes
  ) {
    for selection in selections {
      let condition = condition && Condition(selection.directives)
      if condition.isNever { continue }
      switch selection {
      case .field(let field): add(field, condition, isInherited: source.enclosingTypes != nil, types: types)
      case .fragmentSpread(let spread): add(spread, condition, source, enclosing: enclosing, types: types)
      case .inlineFragment(let fragment):
        add(fragment, condition, source, enclosing: enclosing, types: types)
      }
    }
  }

  private mutating func add(
    _ field: Field, _ condition: Condition, isInherited: Bool, types: KnownTypes
  ) {
    if field.name.value == "__typename", field.alias == nil {
      hasTypename = true
      return
    }
    let contribution = field.selectionSet.map { part($0.selections, condition) }
    add(
      Group(
        kind: .field(field, definition: types.field(named: field.name.value)), condition: condition,
        contributions: contribution.map { [$0] } ?? [], isInherited: isInherited))
  }

  private mutating func add(
    _ spread: FragmentSpread, _ condition: Condition, _ source: SelectionSource, enclosing: KnownTypes?,
    types: KnownTypes
  ) {
    let isInherited = source.enclosingTypes != nil, name = spread.name.value
    guard let fragment = fragments[name], let type = known.schema.type(named: fragment.typeCondition.value),
      known.canSatisfy(type), !isInherited || known.satisfies(type)
    else { return }
    if let deferral = Deferral(spread.directives), let label = deferral.label {
      return add(
        Group(
          kind: .deferred(label: label, deferral, name: name, on: type), condition: condition, contributions: [],
          isInherited: isInherited))
    }
    if known.satisfies(type) {
      note(condition, source)
      if entersFragments { return enter(fragment, on: type, condition, source, enclosing: enclosing, types: types) }
    } else {
      // The fragment is part of the selections on its type.
      var spread = spread
      spread.directives = []
      add(
        Group(
          kind: .inlineFragment(on: type), condition: condition,
          contributions: [part([.fragmentSpread(spread)], condition)],
          isInherited: false))
    }
    add(
      Group(kind: .fragment(name: name, on: type), condition: condition, contributions: [], isInherited: isInherited))
  }

  private mutating func enter(
    _ fragment: FragmentDefinition, on type: NamedType, _ condition: Condition, _ source: SelectionSource,
    enclosing: KnownTypes?, types: KnownTypes
  ) {
    let name = fragment.name.value, entered = enteredFragments[name] ?? .never
    guard (entered || condition) != entered else { return }
    enteredFragments[name] = entered || condition
    var types = types
    types.types.insert(type, at: 0)
    depth += 1
    collect(
      fragment.selectionSet.selections, condition, source,
      enclosing: enclosing.flatMap { $0.satisfies(type) ? $0 : nil }, types: types)
    depth -= 1
  }

  /// The selections on a member's value.
  private func part(_ selections: [Selection], _ condition: Condition) -> SelectionSource {
    SelectionSource(selections: selections, condition: condition, isMerged: isMerged || depth > 0)
  }

  /// Fragments under a condition are a group, and their members have the condition as well.
  private mutating func note(_ condition: Condition, _ source: SelectionSource) {
    guard source.enclosingTypes == nil, condition.factors?.isEmpty == false, !conditions.contains(condition) else {
      return
    }
    conditions.append(condition)
  }

  private mutating func add(
    _ fragment: InlineFragment, _ condition: Condition, _ source: SelectionSource, enclosing: KnownTypes?,
    types: KnownTypes
  ) {
    let selections = fragment.selectionSet.selections
    if let deferral = Deferral(fragment.directives), let label = deferral.label {
      let type = fragment.typeCondition.map { known.schema.type(named: $0.value) } ?? types.types.last
      let isInherited = source.enclosingTypes != nil
      guard let type, known.canSatisfy(type), !isInherited || known.satisfies(type) else { return }
      return add(
        Group(
          kind: .deferred(label: label, deferral, name: nil, on: type), condition: condition,
          contributions: [SelectionSource(selections: selections)], isInherited: isInherited))
    }
    guard let name = fragment.typeCondition?.value else {
      note(condition, source)
      return collect(selections, condition, source, enclosing: enclosing, types: types)
    }
    guard let type = known.schema.type(named: name), known.canSatisfy(type) else { return }
    if enclosing != nil, name == source.skippedType { return }
    if known.satisfies(type) {
      var types = types
      types.types.insert(type, at: 0)
      let enclosing = enclosing.flatMap { $0.satisfies(type) ? $0 : nil }
      note(condition, source)
      return collect(selections, condition, source, enclosing: enclosing, types: types)
    }
    // The enclosing shape has this member itself.
    if source.enclosingTypes != nil { return }
    let contribution = part(selections, condition)
    add(
      Group(kind: .inlineFragment(on: type), condition: condition, contributions: [contribution], isInherited: false))
  }

  private mutating func add(_ group: Group) {
    var group = group
    group.isMerged = isMerged
    guard let position = positions[group.key] else {
      positions[group.key] = groups.count
      groups.append(group)
      return
    }
    groups[position].condition = groups[position].condition || group.condition
    groups[position].contributions += group.contributions
    groups[position].isInherited = groups[position].isInherited && group.isInherited
    groups[position].isMerged = groups[position].isMerged && group.isMerged
  }
}
