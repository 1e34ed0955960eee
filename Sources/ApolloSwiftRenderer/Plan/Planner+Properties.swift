import ApolloIR

extension Planner {
  /// - Parameter nested: The struct of the objects, where the field has some.
  func property(
    _ field: FieldMember, nested: StructPlan?, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    let type = types.output(field.type, object: .named(nested?.name ?? ""))
    var property = PropertyPlan(
      key: .field(field.responseKey), name: name, type: type, unconditionalType: type, source: .field(table.add(field)))
    property.condition = table.add(field.presence)
    if !field.condition.isAlways { property.type = type.asOptional }
    property.documentation = documentation(field.description)
    property.deprecation = field.deprecationReason
    property.isPlainScalar =
      field.condition.isAlways && !field.type.isNullable && !field.type.isList && nested == nil
    property.isHashable = nested?.isHashable ?? types.isHashable(field.type)
    property.isSendable = nested?.isSendable ?? types.isSendable(field.type)
    return property
  }

  func property(_ fragment: FragmentMember, name: String, table: inout FieldTableText) -> PropertyPlan {
    let type = SwiftType.named(types.names.fragment(fragment.name))
    var property = PropertyPlan(
      key: .fragment(fragment.name), name: name, type: type, unconditionalType: type, source: .fragment)
    property.condition = table.add(fragment.condition)
    property.typeSet = fragment.typeCondition.map(types.typeSet)
    if property.isConditional { property.type = .optional(type) }
    note(types.names.fragments[fragment.name].map(plan), of: &property)
    return property
  }

  func property(
    _ fragment: InlineFragmentMember, nested: StructPlan, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    let type = SwiftType.named(nested.name)
    var property = PropertyPlan(
      key: .inlineFragment(fragment.typeCondition), name: name, type: .optional(type), unconditionalType: type,
      source: .inlineFragment(nested.inherited.map(\.key)))
    if case .stored = nested.typename { property.handsTypename = true }
    property.condition = table.add(fragment.condition)
    property.typeSet = types.typeSet(fragment.typeCondition)
    note(nested, of: &property)
    return property
  }

  /// - Parameter nested: The struct of an inline fragment.
  func property(
    _ fragment: DeferredMember, nested: StructPlan?, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    var nested = nested
    if case .named(let name) = fragment.fragment { nested = types.names.fragments[name].map(plan) }
    let type = SwiftType.named(nested?.name ?? "")
    var property = PropertyPlan(
      key: .deferred(fragment.label), name: name, type: .generic("Deferred", type), unconditionalType: type,
      source: .deferred(
        .init(
          label: fragment.label, marks: table.addDeferMarks(),
          switchedOff: fragment.deferral.variable.map { table.addSwitchedOff(by: $0) },
          isSwitchedOff: fragment.deferral.isSwitchedOff)))
    property.condition = table.add(fragment.condition)
    property.typeSet = fragment.typeCondition.map(types.typeSet)
    note(nested, of: &property)
    return property
  }

  /// - Parameter plan: The struct that the property holds.
  private func note(_ plan: StructPlan?, of property: inout PropertyPlan) {
    property.isHashable = plan?.isHashable ?? true
    property.isSendable = plan?.isSendable ?? true
  }

  // MARK: - Forwarders

  /// Computed properties for what the fragments of a struct have and the struct itself has not.
  ///
  /// Where two fragments have different things under one name there is none.
  func forwarders(for plan: StructPlan, shape: Shape) -> [ForwarderPlan] {
    var found: [String: ForwarderPlan] = [:]
    var order: [String] = []
    var ambiguous: Set<String> = Set(plan.stored.map(\.name)).union(["__typename"])
    for member in shape.inherited + shape.members {
      guard case .fragment(let reference) = member, let fragment = types.names.fragments[reference.name],
        let owner = plan.stored.first(where: { $0.key == member.key }), !owner.isConditional
      else { continue }
      for var forwarder in exports(of: fragment) where !ambiguous.contains(forwarder.name) {
        forwarder.owner = owner.value
        if let other = found[forwarder.name] {
          if other.type != forwarder.type || other.key != forwarder.key { ambiguous.insert(forwarder.name) }
        } else {
          found[forwarder.name] = forwarder
          order.append(forwarder.name)
        }
      }
    }
    return order.filter { !ambiguous.contains($0) }.compactMap { found[$0] }
  }

  private func exports(of fragment: Fragment) -> [ForwarderPlan] {
    if let exports = exports[fragment.name] { return exports }
    let plan = self.plan(fragment)
    let nestedNames = Set(plan.nested.map(\.name))
    let own = plan.properties.map { property in
      ForwarderPlan(
        key: property.key, name: property.name,
        type: Self.seenFromOutside(property.type, of: plan.name, nested: nestedNames), owner: "",
        deprecation: property.deprecation, isPlainScalar: property.isPlainScalar)
    }
    let all = own + plan.forwarders
    exports[fragment.name] = all
    return all
  }

  /// A type as it is written outside of the struct that declares some of its names.
  private static func seenFromOutside(_ type: SwiftType, of scope: String, nested names: Set<String>) -> SwiftType {
    guard case .named(let name) = type.leaf, names.contains(name) else { return type }
    return type.replacingLeaf(.member(name, of: .named(scope)))
  }
}
