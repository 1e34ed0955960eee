import ApolloIR

extension Planner {
  /// What a struct holds under each condition of its fragments.
  func conditionalParts(of plan: StructPlan, shape: Shape, scope: StructScope, table: inout FieldTableText)
    -> [ConditionalPartPlan]
  {
    shape.conditions.compactMap { condition in
      guard let factors = condition.factors, let names = scope.conditions[condition],
        let position = table.add(condition)
      else { return nil }
      let unwrapped = plan.stored.filter { property in
        property.isConditional && property.typeSet == nil && !property.unconditionalType.isOptional
          && property.presence.given(factors).isAlways
      }
      let keys = Set(unwrapped.map(\.key))
      // What the properties are under the condition.
      let stored = plan.stored.map { property in
        var property = property
        if keys.contains(property.key) { (property.condition, property.type) = (nil, property.unconditionalType) }
        return property
      }
      let selection = factors.map { ($0.isNegated ? "@skip" : "@include") + "(if: $" + $0.variable + ")" }
      var part = ConditionalPartPlan(
        name: names.property, flag: names.flag, type: names.type,
        documentation: ["/// `... " + selection.joined(separator: " ") + "`"], condition: position,
        unwrapped: unwrapped, forwarders: forwarders(of: stored.filter { keys.contains($0.key) }, inPartOf: plan))
      addFragmentContainer(to: &part, of: plan, stored: stored, shape: shape, scope: scope)
      return part
    }
  }

  /// The computed properties of a part.
  ///
  /// - Parameters:
  ///   - owners: The fragments that the part has and the object has as optionals.
  ///   - plan: The struct of the object.
  /// - Returns: Properties for members of the fragments, and for members of the object whose names the part has itself.
  private func forwarders(of owners: [PropertyPlan], inPartOf plan: StructPlan) -> [ForwarderPlan] {
    let visible = plan.forwarders.filter { !$0.isHidden }
    var found = forwarders(of: owners, except: Set(plan.stored.map(\.name)).union(["__typename"]))
    // Where the object has another member with the name, the part has that one as well.
    found.removeAll { forwarder in visible.contains { $0.name == forwarder.name && $0.key != forwarder.key } }
    let known = Set(owners.map(\.name) + found.map(\.name))
    let shadowed = (plan.stored.map(\.export) + visible.map(\.export)).filter { member in
      ReservedNames.membersOfParts.contains(member.name) && !known.contains(member.name)
    }
    // A part is a copy: nothing would come of setting it.
    return (found + shadowed.map { $0.forwarder(owner: "__whole") }).map { forwarder in
      var forwarder = forwarder
      forwarder.setter = .none
      return forwarder
    }
  }

  /// Adds `asHumanIfDetailed`: what an inline fragment holds under a condition.
  ///
  /// The fragment may have the condition itself, and fragments in it may have it again, or another one of that name:
  /// the first one has the name.
  func addConditionalForwarders(
    _ fragment: InlineFragmentMember, nested: StructPlan, scope: StructScope, to plan: inout StructPlan
  ) {
    guard let property = plan.properties.first(where: { $0.key == .inlineFragment(fragment.typeCondition) }) else {
      return
    }
    func add(_ suffix: String, _ type: SwiftType, member: String?) {
      let name = property.name + suffix, typeName = nested.name + suffix
      let isTaken =
        scope.takenProperties.contains(name) || scope.takenTypes.contains(typeName)
        || plan.forwarders.contains { $0.name == name } || plan.aliases.contains { $0.name == typeName }
      guard !isTaken else { return }
      plan.forwarders.append(
        ForwarderPlan(
          key: property.key, name: name, type: .optional(type), owner: property.name, member: member,
          hasOptionalOwner: true))
      plan.aliases.append(AliasPlan(name: typeName, type: type))
    }
    if let factors = fragment.condition.factors, !factors.isEmpty {
      add(types.names.conditionalType(factors), .named(nested.name), member: nil)
    }
    for part in nested.conditionalParts {
      add(part.type, .member(part.type, of: .named(nested.name)), member: part.name)
    }
  }
}
