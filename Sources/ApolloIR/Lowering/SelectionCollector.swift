import ApolloDirectives
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
    /// What the operation says about the age of a field: the first of the selections that say something.
    var age: DeclaredAge?
    /// Whether all selections of a field are local.
    var isLocal = false
    /// The name that a document gives the member for a fragment.
    var alias: String?
    /// The values of the variables of a named fragment.
    var arguments: [Argument] = []

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
  let directives: SchemaDirectives
  /// Whether named fragments that always apply are merged as inline fragments are, and are not groups.
  let entersFragments: Bool
  private(set) var groups: [Group] = []
  private(set) var hasTypename = false
  /// The conditions of fragments that apply to every object.
  private(set) var conditions: [Condition] = []
  /// The keys of the objects, where they depend on their types.
  private(set) var keys = TypeKeys()
  private var positions: [MemberKey: Int] = [:]
  /// The named fragments that were merged, with their conditions.
  private(set) var enteredFragments: [String: Condition] = [:]
  /// How many named fragments are around the selections that are being collected.
  private var depth = 0
  private var isMerged = false

  init(
    known: KnownTypes, fragments: [String: FragmentDefinition], directives: SchemaDirectives,
    entersFragments: Bool = false
  ) {
    self.known = known
    self.fragments = fragments
    self.directives = directives
    self.entersFragments = entersFragments
  }

  func group(_ key: MemberKey) -> Group? { positions[key].map { groups[$0] } }

  mutating func collect(_ source: SelectionSource) {
    isMerged = source.isMerged
    let position = Position(
      source: source, condition: source.condition,
      enclosing: source.enclosingTypes.map { KnownTypes($0, schema: known.schema) }, types: known)
    noteCondition(at: position)
    collect(source.selections, at: position)
  }

  /// What is known where selections are.
  private struct Position {
    let source: SelectionSource
    /// The condition of the selections.
    var condition: Condition
    /// The types that the enclosing shape knows, as long as these selections are also part of that shape.
    var enclosing: KnownTypes?
    /// The types that are known inside of the inline fragments around the selections.
    var types: KnownTypes

    /// Whether the selections come from the enclosing shape.
    var isInherited: Bool { source.enclosingTypes != nil }

    /// The position in a fragment on a type.
    func inside(_ type: NamedType) -> Position {
      var position = self
      // (Fragments nest deep, and mostly on few types.)
      if !types.types.contains(where: { $0.name == type.name }) { position.types.types.insert(type, at: 0) }
      position.enclosing = enclosing.flatMap { $0.satisfies(type) ? $0 : nil }
      return position
    }
  }

  private mutating func collect(_ selections: [Selection], at position: Position) {
    for selection in selections where !selection.isAdded {
      var position = position
      position.condition = position.condition && Condition(selection.directives)
      if position.condition.isNever { continue }
      switch selection {
      case .field(let field): add(field, at: position)
      case .fragmentSpread(let spread): add(spread, at: position)
      case .inlineFragment(let fragment): add(fragment, at: position)
      }
    }
  }

  private mutating func add(_ field: Field, at position: Position) {
    if field.name.value == "__typename", field.alias == nil {
      hasTypename = true
      return
    }
    let contribution = field.selectionSet.map { part($0.selections, position.condition) }
    add(
      Group(
        kind: .field(field, definition: position.types.field(named: field.name.value)), condition: position.condition,
        contributions: contribution.map { [$0] } ?? [], isInherited: position.isInherited,
        age: directives.age(of: field), isLocal: field.isLocal))
  }

  private mutating func add(_ spread: FragmentSpread, at position: Position) {
    let name = spread.name.value, condition = position.condition, isInherited = position.isInherited
    guard let fragment = fragments[name], let type = known.schema.type(named: fragment.typeCondition.value),
      known.canSatisfy(type), !isInherited || known.satisfies(type)
    else { return }
    if let deferral = Deferral(spread.directives), let label = deferral.label {
      return add(
        Group(
          kind: .deferred(label: label, deferral, name: name, on: type), condition: condition, contributions: [],
          isInherited: isInherited, alias: directives.alias(spread.directives)))
    }
    let alias = directives.alias(spread.directives)
    let arguments = FragmentVariables.arguments(of: spread, for: fragment)
    if known.satisfies(type) {
      noteCondition(at: position)
      if entersFragments { return enter(fragment, with: arguments, on: type, at: position) }
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
      Group(
        kind: .fragment(name: name, on: type), condition: condition, contributions: [], isInherited: isInherited,
        alias: alias, arguments: arguments))
  }

  private mutating func enter(
    _ fragment: FragmentDefinition, with arguments: [Argument], on type: NamedType, at position: Position
  ) {
    let name = fragment.name.value, entered = enteredFragments[name] ?? .never
    guard (entered || position.condition) != entered else { return }
    enteredFragments[name] = entered || position.condition
    depth += 1
    let selectionSet = FragmentVariables.selections(of: fragment, with: arguments)
    collect(selectionSet.selections, at: position.inside(type))
    depth -= 1
  }

  /// The selections on a member's value.
  private func part(_ selections: [Selection], _ condition: Condition) -> SelectionSource {
    SelectionSource(selections: selections, condition: condition, isMerged: isMerged || depth > 0)
  }

  /// Fragments under a condition are a group, and their members have the condition as well.
  private mutating func noteCondition(at position: Position) {
    let condition = position.condition
    guard !position.isInherited, condition.factors?.isEmpty == false, !conditions.contains(condition) else { return }
    conditions.append(condition)
  }

  private mutating func add(_ fragment: InlineFragment, at position: Position) {
    if let keys = TypeKeys(fragment) {
      if !position.isInherited { self.keys.merge(keys) }
      return
    }
    let selections = fragment.selectionSet.selections, condition = position.condition
    if let deferral = Deferral(fragment.directives), let label = deferral.label {
      let type = fragment.typeCondition.map { known.schema.type(named: $0.value) } ?? position.types.types.last
      guard let type, known.canSatisfy(type), !position.isInherited || known.satisfies(type) else { return }
      return add(
        Group(
          kind: .deferred(label: label, deferral, name: nil, on: type), condition: condition,
          contributions: [SelectionSource(selections: selections)], isInherited: position.isInherited,
          alias: directives.alias(fragment.directives)))
    }
    guard let name = fragment.typeCondition?.value else {
      noteCondition(at: position)
      return collect(selections, at: position)
    }
    guard let type = known.schema.type(named: name), known.canSatisfy(type) else { return }
    if position.enclosing != nil, name == position.source.skippedType { return }
    if known.satisfies(type) {
      noteCondition(at: position)
      return collect(selections, at: position.inside(type))
    }
    // The enclosing shape has this member itself.
    if position.isInherited { return }
    let contribution = part(selections, condition)
    add(
      Group(
        kind: .inlineFragment(on: type), condition: condition, contributions: [contribution], isInherited: false,
        alias: directives.alias(fragment.directives)))
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
    groups[position].age = groups[position].age ?? group.age
    groups[position].isLocal = groups[position].isLocal && group.isLocal
    groups[position].alias = groups[position].alias ?? group.alias
  }
}
