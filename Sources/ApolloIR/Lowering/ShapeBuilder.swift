import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax

/// Makes shapes of selections.
struct ShapeBuilder {
  let schema: Schema
  let directives: SchemaDirectives
  let fragments: [String: FragmentDefinition]
  /// Whether operations or fragments say how old fields may be.
  let hasAgesInOperations: Bool
  private let fragmentMembers = FragmentMembers()

  /// The shape of an operation's root, of a fragment, or of a field's objects.
  func shape(_ type: NamedType, _ sources: [SelectionSource], isRoot: Bool = false) -> Shape {
    build(Scope(known: KnownTypes([type], schema: schema), sources: sources, isRoot: isRoot))
  }

  /// The position at which a shape is built, with the enclosing shape.
  private struct Scope {
    var known: KnownTypes
    /// The selections at this position.
    var sources: [SelectionSource]
    /// The selections of the enclosing shapes.
    var enclosingSources: [SelectionSource] = []
    /// The members that the enclosing shape has read before its inline fragments.
    var enclosingMembers: [MemberKey: AvailableMember] = [:]
    /// The age that types say of the object: the type of this shape, or else that of the enclosing one.
    var age: Int?
    /// Whether it is the root of an operation, where `__typename` is read only if the document selects it.
    var isRoot = false

    var type: NamedType { known.types[known.types.count - 1] }
  }

  private struct AvailableMember {
    var member: Member
    var condition: Condition
    var contributionCount: Int

    init(_ member: Member, of group: SelectionCollector.Group) {
      self.member = member
      condition = group.condition
      contributionCount = group.contributions.count
    }
  }

  private func build(_ scope: Scope) -> Shape {
    var scope = scope
    let maxAge: Int? = if case .seconds(let seconds)? = directives.maxAge(of: scope.type) { seconds } else { nil }
    scope.age = maxAge ?? scope.age
    var collector = self.collector(scope.known)
    for source in scope.enclosingSources + scope.sources { collector.collect(source) }
    var shape = Shape(
      parentType: ParentType(name: scope.type.name, isAbstract: scope.type.isAbstract),
      conditions: collector.conditions, hasTypename: collector.hasTypename || !scope.isRoot, maxAge: maxAge,
      isPrivate: directives.isPrivate(scope.type), keys: collector.keys.keys)
    let groups = withoutRepetition(merged(collector.groups, in: scope), in: scope)
    let keys = scope.isRoot ? [] : keys(of: scope.type, in: groups)
    var available: [MemberKey: AvailableMember] = [:]
    for group in groups {
      if let read = scope.enclosingMembers[group.key], isComplete(read, for: group, in: scope) {
        let member = inherited(read.member, of: group, keys: keys)
        shape.inherited.append(member)
        available[group.key] = AvailableMember(member, of: group)
      } else if let member = member(of: group, keys: keys, scope: scope) {
        shape.members.append(member)
        available[group.key] = AvailableMember(member, of: group)
      }
    }
    shape.keyFields = keyFields(collector.keys, beside: shape.members)
    for group in groups {
      guard case .inlineFragment(let type) = group.kind else { continue }
      let inner = inlineShape(on: type, group, in: scope, available: available)
      shape.members.append(
        .inlineFragment(
          InlineFragmentMember(
            typeCondition: type.name, condition: group.condition, shape: inner, alias: group.alias)))
    }
    return shape
  }

  /// The fields that identify the object; none if one of them is not selected, because another selection has its name.
  private func keys(of type: NamedType, in groups: [SelectionCollector.Group]) -> [String] {
    let keys = directives.keyFields(of: type)
    let isWhole = keys.allSatisfy { key in groups.contains { $0.isField(named: key) } }
    return isWhole ? keys : []
  }

  /// The fields that are read for the keys of objects only. One selection of an object may lack a field that another
  /// selection of it has; then it is a member.
  private func keyFields(_ keys: TypeKeys, beside members: [Member]) -> [FieldMember] {
    keys.added.compactMap { name in
      if members.contains(where: { $0.isAlways(name) }) { return nil }
      let owner = keys.keys.first { $0.fields.contains(name) }?.types.first.flatMap { schema.type(named: $0) }
      guard let definition = owner.flatMap({ schema.field(named: name, on: $0) }) else { return nil }
      return FieldMember(
        responseKey: name, name: name, type: ValueType(definition.type, in: schema), condition: .always,
        schemaType: definition.type.description)
    }
  }

  private func collector(_ known: KnownTypes, entersFragments: Bool = false) -> SelectionCollector {
    SelectionCollector(
      known: known, fragments: fragments, directives: directives, entersFragments: entersFragments)
  }

  /// Adds the selections of named fragments to the fields and inline fragments beside them, because a response has one
  /// object for all of them.
  private func merged(_ groups: [SelectionCollector.Group], in scope: Scope) -> [SelectionCollector.Group] {
    guard groups.contains(where: { $0.isFragment(on: scope.known) }),
      hasAgesInOperations || groups.contains(where: \.canBeMerged)
    else { return groups }
    var all = collector(scope.known, entersFragments: true)
    for source in scope.enclosingSources + scope.sources { all.collect(source) }
    return groups.map { group in
      guard let complete = all.group(group.key) else { return group }
      var group = group
      group.age = group.age ?? complete.age
      guard group.canBeMerged else { return group }
      (group.condition, group.contributions) = (complete.condition, complete.contributions)
      return group
    }
  }

  /// Removes selections of named fragments on an enclosing object that named fragments on this object contain as well,
  /// because they can be read there.
  private func withoutRepetition(_ groups: [SelectionCollector.Group], in scope: Scope) -> [SelectionCollector.Group] {
    guard groups.contains(where: { $0.isMerged && $0.canBeRepeated }) else { return groups }
    let spread = groups.compactMap { group -> Set<MemberKey>? in
      guard group.condition.isAlways, group.isFragment(on: scope.known), case .fragment(let name, _) = group.kind
      else { return nil }
      return members(ofFragment: name)
    }
    return groups.filter { group in
      guard group.isMerged, group.canBeRepeated else { return true }
      return !spread.contains { $0.contains(group.key) }
    }
  }

  /// What the struct of a named fragment has for every object, with what the structs of the fragments in it have: each is of
  /// the type of its own fragment, whatever else is known of the object.
  private func members(ofFragment name: String) -> Set<MemberKey> {
    if let known = fragmentMembers.byName[name] { return known }
    guard let fragment = fragments[name], let type = schema.type(named: fragment.typeCondition.value) else { return [] }
    var collector = collector(KnownTypes([type], schema: schema))
    collector.collect(SelectionSource(selections: fragment.selectionSet.selections))
    var keys: Set<MemberKey> = []
    for group in collector.groups where group.condition.isAlways {
      switch group.kind {
      case .field: keys.insert(group.key)
      case .fragment(let name, let type) where collector.known.satisfies(type):
        keys.insert(group.key)
        keys.formUnion(members(ofFragment: name))
      default: break
      }
    }
    fragmentMembers.byName[name] = keys
    return keys
  }

  private func inlineShape(
    on type: NamedType, _ group: SelectionCollector.Group, in scope: Scope, available: [MemberKey: AvailableMember]
  ) -> Shape {
    let siblings = scope.sources.map { source in
      var source = source
      source.enclosingTypes = scope.known.types
      source.skippedType = type.name
      return source
    }
    return build(
      Scope(
        known: KnownTypes(scope.known.types + [type], schema: schema),
        sources: relative(group.contributions, to: group.condition),
        enclosingSources: scope.enclosingSources + siblings, enclosingMembers: available, age: scope.age))
  }

  /// A member that the enclosing shape has read. Only here it may be known that the member is a part of the cache key.
  private func inherited(_ member: Member, of group: SelectionCollector.Group, keys: [String]) -> Member {
    guard case .field(var member) = member, case .field(let field, _) = group.kind else { return member }
    member.keyPosition = keyPosition(of: field, in: keys)
    return .field(member)
  }

  private func keyPosition(of field: Field, in keys: [String]) -> Int? {
    field.alias == nil ? keys.firstIndex(of: field.name.value) : nil
  }

  /// Whether the member that the enclosing shape has read contains everything that is selected here.
  private func isComplete(_ read: AvailableMember, for group: SelectionCollector.Group, in scope: Scope) -> Bool {
    guard read.condition == group.condition, read.contributionCount == group.contributions.count else { return false }
    // In the enclosing shape it is under a type condition.
    if case .fragment(let fragment) = read.member, fragment.typeCondition != nil { return false }
    guard !group.isInherited, case .field(let field) = read.member, case .field(_, let definition) = group.kind else {
      return true
    }
    guard let definition, field.schemaType == definition.type.description else { return false }
    // A result has one type, whatever is known of the object.
    if case .field(let selected, _) = group.kind, !field.type.hasResults,
      let nulls = directives.nullForms(of: selected, definition, on: scope.known.types),
      valueType(of: selected, definition, nulls) != field.type
    {
      return false
    }
    return field.age == age(of: group, definition, in: scope)
  }

  /// The type of a field, of which a document may say what stands for its nulls.
  private func valueType(of field: Field, _ definition: FieldDefinition, _ nulls: [NullForm]?) -> ValueType {
    let type = nulls.map { ValueType(definition.type, $0[...], in: schema) } ?? ValueType(definition.type, in: schema)
    return directives.requiredAction(of: field) == nil ? type : type.unwrapped
  }

  private func age(
    of group: SelectionCollector.Group, _ definition: FieldDefinition, in scope: Scope
  ) -> FieldAge {
    directives.age(of: definition, on: scope.known.types, operationAge: group.age, parentAge: scope.age)
  }

  private func fieldPolicy(
    of field: FieldDefinition, leadingTo type: NamedType, on types: [NamedType]
  ) -> FieldPolicy? {
    directives.keyArguments(of: field, on: types).map {
      FieldPolicy(keyArguments: $0, types: schema.possibleTypes(of: type).map(\.name))
    }
  }

  /// nil for inline fragments, which are added last.
  private func member(
    of group: SelectionCollector.Group, keys: [String], scope: Scope
  ) -> Member? {
    switch group.kind {
    case .field(let field, let definition):
      guard let definition, let type = schema.type(of: definition.type) else { return nil }
      let sources = relative(group.contributions, to: group.condition)
      let nulls = directives.nullForms(of: field, definition, on: scope.known.types)
      return .field(
        FieldMember(
          responseKey: field.responseKey, name: field.name.value, arguments: ArgumentText.text(field.arguments),
          type: valueType(of: field, definition, nulls), shape: type.isComposite ? shape(type, sources) : nil,
          policy: field.arguments.isEmpty ? nil : fieldPolicy(of: definition, leadingTo: type, on: scope.known.types),
          pagination: directives.pagination(of: definition, on: scope.known.types),
          isEmbedded: type.isComposite && directives.isEmbedded(definition, on: scope.known.types),
          isLocal: group.isLocal,
          thrownLevels: (nulls ?? []).indices.filter { nulls?[$0].throwsErrors ?? false },
          required: directives.requiredAction(of: field),
          age: group.isLocal ? FieldAge() : age(of: group, definition, in: scope), condition: group.condition,
          keyPosition: keyPosition(of: field, in: keys),
          description: definition.description?.value, deprecationReason: definition.deprecationReason,
          schemaType: definition.type.description))
    case .fragment(let name, let type):
      return .fragment(
        FragmentMember(
          name: name, typeCondition: scope.known.satisfies(type) ? nil : type.name, condition: group.condition,
          alias: group.alias, arguments: ArgumentText.text(group.arguments)))
    case .inlineFragment: return nil
    case .deferred(let label, let deferral, let name, let type):
      return .deferred(
        DeferredMember(
          label: label, deferral: deferral,
          fragment: name.map { .named($0) } ?? .inline(shape(type, group.contributions, isRoot: scope.isRoot)),
          typeCondition: scope.known.satisfies(type) ? nil : type.name, condition: group.condition,
          alias: group.alias))
    }
  }

  /// Conditions of the parts of a selection, given that the selection is there.
  private func relative(_ contributions: [SelectionSource], to condition: Condition) -> [SelectionSource] {
    contributions.map { source in
      var source = source
      if source.condition == condition { source.condition = .always }
      return source
    }
  }
}

extension SelectionCollector.Group {
  /// Whether it is a named fragment that applies to every object with the known types.
  fileprivate func isFragment(on known: KnownTypes) -> Bool {
    if case .fragment(_, let type) = kind { known.satisfies(type) } else { false }
  }

  /// Whether it is a field under its own name.
  fileprivate func isField(named name: String) -> Bool {
    if case .field(let field, _) = kind { field.alias == nil && field.name.value == name } else { false }
  }

  /// Whether it has one form wherever it is read: a leaf or a named fragment.
  fileprivate var canBeRepeated: Bool {
    switch kind {
    case .field: contributions.isEmpty
    case .fragment: true
    case .inlineFragment, .deferred: false
    }
  }

  /// Whether selections of named fragments may belong to it: it has selections, or a condition.
  fileprivate var canBeMerged: Bool {
    switch kind {
    case .field: !contributions.isEmpty || !condition.isAlways
    case .inlineFragment: true
    case .fragment, .deferred: false
    }
  }
}

extension Member {
  /// Whether it is a field that is in every response under its own name.
  fileprivate func isAlways(_ name: String) -> Bool {
    guard case .field(let field) = self else { return false }
    return field.name == name && field.responseKey == name && field.condition.isAlways
  }
}

/// What the structs of named fragments have for every object. It does not depend on where they are spread.
private final class FragmentMembers {
  var byName: [String: Set<MemberKey>] = [:]
}
