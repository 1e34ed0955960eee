import ApolloDirectives
import ApolloIR

extension Planner {
  /// Plans the property of a field.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - nested: The struct of the field's objects; nil if it has none.
  ///   - name: The name of the property.
  ///   - table: The field table, to which the field is added.
  /// - Returns: The plan.
  func property(
    _ field: FieldMember, nested: StructPlan?, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    let type = nested.map { types.output(field.type, object: .named($0.name)) } ?? types.output(field.type)
    var property = PropertyPlan(
      key: .field(field.responseKey), name: name, type: type, unconditionalType: type, source: .field(table.add(field)))
    property.presence = field.condition
    property.age = field.age
    property.condition = table.add(field.condition)
    if !field.condition.isAlways { property.type = type.asOptional }
    property.documentation = documentation(field.description)
    property.deprecation = deprecation(field.deprecationReason)
    property.isHashable = nested?.isHashable ?? types.isHashable(field.type)
    property.canIdentify =
      field.condition.isAlways && !field.type.isNullable && !field.type.isResult && !field.type.isList && nested == nil
      && property.isHashable
    property.isSendable = nested?.isSendable ?? types.isSendable(field.type)
    return property
  }

  func property(_ fragment: FragmentMember, name: String, table: inout FieldTableText) -> PropertyPlan {
    let type = SwiftType.named(types.names.fragment(fragment.name))
    var property = PropertyPlan(
      key: .fragment(fragment.name), name: name, type: type, unconditionalType: type,
      source: .fragment(arguments: table.add(fragment)))
    property.presence = fragment.condition
    property.condition = table.add(fragment.condition)
    if property.isConditional { property.type = .optional(type) }
    note(types.names.fragments[fragment.name].map(data), of: &property)
    return property
  }

  func property(
    _ fragment: InlineFragmentMember, nested: StructPlan, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    let type = SwiftType.named(nested.name)
    var property = PropertyPlan(
      key: .inlineFragment(fragment.typeCondition), name: name, type: .optional(type), unconditionalType: type,
      source: .inlineFragment(nested.inherited.map(\.key)))
    switch nested.typename {
    case .none: break
    case .constant: property.typeCase = TypeCase(type: fragment.typeCondition, isObject: true)
    case .stored, .forwarded: property.typeCase = TypeCase(type: fragment.typeCondition, isObject: false)
    }
    if case .stored = nested.typename { property.handsTypename = true }
    property.condition = table.add(fragment.condition)
    property.typeSet = types.typeSet(fragment.typeCondition)
    note(nested, of: &property)
    return property
  }

  /// Plans the property of a fragment with `@defer`.
  ///
  /// - Parameters:
  ///   - fragment: The fragment.
  ///   - nested: The struct of an inline fragment; nil for a named fragment.
  ///   - name: The name of the property.
  ///   - table: The field table, to which the fragment is added.
  /// - Returns: The plan.
  func property(
    _ fragment: DeferredMember, nested: StructPlan?, name: String, table: inout FieldTableText
  ) -> PropertyPlan {
    var nested = nested
    if case .named(let name) = fragment.fragment { nested = types.names.fragments[name].map(data) }
    let type = SwiftType.named(nested?.name ?? "Never")
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

  /// Plans the fields that are read for the keys of objects only.
  func keyFields(of shape: Shape, _ role: StructPlan.Role, _ table: inout FieldTableText) -> [KeyFieldPlan] {
    // The key of an object is looked for in the table of its field. A fragment needs it to find its own fields.
    if role != .namedFragment || !shape.keyFields.isEmpty { table.add(shape.keys) }
    return shape.keyFields.map { field in
      // No field of a schema begins with two underscores.
      KeyFieldPlan(
        name: "__key_" + field.name, type: types.output(field.type).asOptional, position: table.add(field))
    }
  }

  /// Notes whether the property's type can be hashed and sent.
  ///
  /// - Parameters:
  ///   - plan: The struct that the property holds; nil if it holds none.
  ///   - property: The property.
  private func note(_ plan: StructPlan?, of property: inout PropertyPlan) {
    property.isHashable = plan?.isHashable ?? true
    property.isSendable = plan?.isSendable ?? true
  }
}
