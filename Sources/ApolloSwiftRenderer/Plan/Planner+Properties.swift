import ApolloIR

extension Planner {
  /// - Parameter nested: The struct of the objects, where the field has some.
  func property(
    _ field: FieldMember, nested: StructPlan?, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    let type = types.output(field.type, object: .named(nested?.name ?? ""))
    var property = PropertyPlan(
      key: .field(field.responseKey), name: name, type: type, unconditionalType: type, source: .field(table.add(field)))
    property.presence = field.condition
    property.condition = table.add(field.condition)
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
    property.presence = fragment.condition
    property.condition = table.add(fragment.condition)
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
      key: .deferred(fragment.label), name: name, type: .generic("DeferredFragment", type), unconditionalType: type,
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
}
