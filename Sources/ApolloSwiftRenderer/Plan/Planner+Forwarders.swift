import ApolloIR

extension Planner {
  /// Computed properties for members of the fragments of a struct that the struct itself does not have.
  ///
  /// If two fragments have different members with one name, there is no property. If they have one member under two
  /// conditions, the property is that of the fragment that has it whenever the other has it, or that of either.
  func forwarders(of members: [PropertyPlan], except taken: Set<String>) -> [ForwarderPlan] {
    var found: [String: ForwarderPlan] = [:]
    var order: [String] = []
    var ambiguous = taken
    for owner in members where !owner.isConditional {
      guard case .fragment(let name) = owner.key, let fragment = types.names.fragments[name] else { continue }
      for export in exports(of: fragment) where !ambiguous.contains(export.name) {
        var forwarder = export.forwarder(owner: owner.name)
        forwarder.isHidden = !types.options.mergesNamedFragments
        if let other = found[forwarder.name] {
          // A field has its name before a fragment has it.
          switch (other.key, forwarder.key) {
          case (.fragment, .field):
            found[forwarder.name] = forwarder
            continue
          case (.field, .fragment): continue
          default: break
          }
          let isSame =
            other.type == forwarder.type
            || other.presence != forwarder.presence && other.type.unwrapped == forwarder.type.unwrapped
          if other.key != forwarder.key || !isSame {
            ambiguous.insert(forwarder.name)
          } else {
            found[forwarder.name] = other.orElse(forwarder)
          }
        } else {
          found[forwarder.name] = forwarder
          order.append(forwarder.name)
        }
      }
    }
    return order.filter { !ambiguous.contains($0) }.compactMap { found[$0] }
  }

  /// The names of the fields that a struct has, or one of its parts, itself or from fragments. No fragment has one of these
  /// names.
  func fieldNames(in shape: Shape) -> Set<String> {
    var names: Set<String> = [], found: [String: SwiftType] = [:], ambiguous: Set<String> = []
    for member in shape.inherited + shape.members {
      switch member {
      case .field(let field): names.insert(types.names.field(field.responseKey))
      case .fragment(let reference) where reference.typeCondition == nil && types.options.mergesNamedFragments:
        guard let fragment = types.names.fragments[reference.name] else { continue }
        for export in exports(of: fragment) {
          guard case .field = export.key else { continue }
          let type = export.type.unwrapped
          if found.updateValue(type, forKey: export.name) ?? type != type { ambiguous.insert(export.name) }
        }
      case .inlineFragment(let fragment): names.formUnion(fieldNames(in: fragment.shape))
      default: break
      }
    }
    return names.union(found.keys.filter { !ambiguous.contains($0) })
  }

  /// The members to which a struct that holds the fragment with this plan and this key can forward.
  func exports(of plan: StructPlan, key: MemberKey) -> [ExportPlan] {
    let scope = SwiftType.named(plan.name)
    let nested = Set(plan.nested.map(\.name) + plan.conditionalParts.map(\.type))
    var exported = plan.properties.map(\.export) + plan.forwarders.map(\.export)
    exported += plan.conditionalParts.map { part in
      ExportPlan(
        key: key, name: part.name, type: .optional(.named(part.type)),
        member: Identifier.escaped(part.name), isSettable: false)
    }
    for index in exported.indices {
      exported[index].type = exported[index].type.nested(in: scope, declaring: nested)
    }
    return exported
  }

  /// Forwards to a named fragment on a type that not every object has: the inline fragment on that type holds it.
  func forwarder(_ fragment: FragmentMember, name: String, in plan: StructPlan) -> ForwarderPlan? {
    guard let type = fragment.typeCondition,
      let owner = plan.properties.first(where: { $0.key == .inlineFragment(type) }),
      let member = plan.nested.first(where: { .named($0.name) == owner.unconditionalType })?.stored
        .first(where: { $0.key == .fragment(fragment.name) })
    else { return nil }
    return ForwarderPlan(
      key: member.key, name: name, type: member.type.asOptional, owner: owner.name, member: member.path,
      hasOptionalOwner: true, setter: member.type.isOptional ? .throughOwner : .throughOwnerOrRemovingIt)
  }

  // MARK: - Types of other structs

  /// The types of members that another struct declares, so that `Hero.Friend` exists wherever `hero.friend` does.
  func aliases(of plan: StructPlan, in enclosing: StructPlan?, scope: StructScope) -> [AliasPlan] {
    var taken = scope.takenTypes.union(plan.forwarders.map(\.name)).union(plan.aliases.map(\.name))
    if let enclosing { taken.insert(enclosing.name) }
    var aliases: [AliasPlan] = []
    func add(_ name: String, _ type: SwiftType) {
      if taken.insert(name).inserted { aliases.append(AliasPlan(name: name, type: type)) }
    }
    for forwarder in plan.forwarders where !forwarder.isHidden {
      if case .member(let name, let owner) = forwarder.type.leaf, isStruct(name, of: owner) {
        add(name, forwarder.type.leaf)
      }
    }
    if let enclosing {
      let declared = Set(enclosing.nested.map(\.name) + enclosing.aliases.map(\.name))
      for property in plan.inherited {
        guard case .named(let name) = property.unconditionalType.leaf, declared.contains(name) else { continue }
        add(name, .member(name, of: .named(enclosing.name)))
      }
    }
    return aliases
  }

  /// Whether a name is a nested struct. Types of the schema may be members of their namespace as well.
  private func isStruct(_ name: String, of owner: SwiftType) -> Bool {
    if case .named(let owner) = owner { structNames.contains(owner) } else { false }
  }
}
