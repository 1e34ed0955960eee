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
      let owners = unwrapped.map { property in
        var owner = property
        (owner.condition, owner.type) = (nil, owner.unconditionalType)
        return owner
      }
      let selection = factors.map { ($0.isNegated ? "@skip" : "@include") + "(if: $" + $0.variable + ")" }
      return ConditionalPartPlan(
        name: names.property, flag: names.flag, type: names.type,
        documentation: ["/// `... " + selection.joined(separator: " ") + "`"], condition: position,
        unwrapped: unwrapped,
        // A part is a copy: nothing would come of setting it.
        forwarders: forwarders(of: owners, except: Set(plan.stored.map(\.name)).union(["__typename"])).map {
          forwarder in
          var forwarder = forwarder
          forwarder.setter = .none
          return forwarder
        })
    }
  }

  /// `asHumanIfDetailed`: what an inline fragment holds under a condition.
  func conditionalForwarders(
    _ fragment: InlineFragmentMember, _ property: PropertyPlan, nested: StructPlan, scope: StructScope
  ) -> [(forwarder: ForwarderPlan, alias: AliasPlan)] {
    var found: [(ForwarderPlan, AliasPlan)] = []
    func add(_ factors: [Condition.Factor], _ type: SwiftType, member: String?) {
      let suffix = types.names.conditionalType(factors), name = property.name + suffix, typeName = nested.name + suffix
      guard !scope.takenProperties.contains(name), !scope.takenTypes.contains(typeName) else { return }
      let forwarder = ForwarderPlan(
        key: property.key, name: name, type: .optional(type), owner: property.name, member: member,
        hasOptionalOwner: true)
      found.append((forwarder, AliasPlan(name: typeName, type: type)))
    }
    if let factors = fragment.condition.factors, !factors.isEmpty {
      add(factors, .named(nested.name), member: nil)
    }
    for (condition, part) in zip(fragment.shape.conditions, nested.conditionalParts) {
      guard let factors = condition.factors else { continue }
      add(factors, .member(part.type, of: .named(nested.name)), member: part.name)
    }
    return found
  }
}
