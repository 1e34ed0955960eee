import ApolloIR

/// An input object type as a Swift struct, or as an enum if it has `@oneOf`.
struct InputObjectPlan {
  struct Property {
    /// The name of the field in the schema.
    var key: String
    var name: String
    var type: SwiftType
    /// The type of a value that is neither absent nor null.
    var valueType: SwiftType
    var parameter: InitializerParameter
    /// The stored property, if this one is computed: a box, because a struct cannot contain itself.
    var box: String?
    var isNullable: Bool
    /// Whether a non-null field may be left out, because it has a default. It is an optional in Swift.
    var isDefaulted: Bool
    /// Whether it is deprecated in Swift.
    var isDeprecated: Bool
    var documentation: [String]

    /// `__Indirect` is not applied as a property wrapper; see `PropertyPlan.storage`.
    var boxType: String { isNullable ? "__IndirectNullable" : "__Indirect" }

    /// The value of a field that is not sent; nil if the field must be sent.
    var absence: String? { isNullable ? ".none" : isDefaulted ? "nil" : nil }

    /// Whether there is an initializer without the parameter.
    var isDeprecatedParameter: Bool { isDeprecated && absence != nil }
  }

  var name: String
  /// The type, as it is written outside of any namespace.
  var type: SwiftType
  var documentation: [String]
  var properties: [Property]
  /// Whether exactly one field is given (`@oneOf`).
  var isOneOf: Bool
  /// Whether a value may contain another value of the type.
  var isRecursive: Bool
  /// Whether the values of all fields can be compared.
  var isHashable: Bool
}

extension Planner {
  func plan(_ type: InputObjectType, types: SwiftTypes) -> InputObjectPlan {
    let name = types.names.schemaType(type.name), fields = types.names.inputFields(type)
    var taken = Set(fields.map(\.name))
    return InputObjectPlan(
      name: name, type: types.seen(from: .outside).inSchema(name), documentation: documentation(type.description),
      properties: fields.map { field, name in
        var property = property(field, name: name, types: types)
        guard field.isRecursive, property.absence != nil else { return property }
        property.box = taken.claimHidden(name)
        return property
      },
      isOneOf: type.isOneOf, isRecursive: type.fields.contains(where: \.isRecursive),
      isHashable: type.fields.allSatisfy { types.isHashable($0.type, isInput: true) })
  }

  private func property(
    _ field: InputObjectType.Field, name: String, types: SwiftTypes
  ) -> InputObjectPlan.Property {
    let type = types.input(field.type), hasDefault = field.defaultValue != nil
    let isDefaulted = !field.type.isNullable && hasDefault
    return InputObjectPlan.Property(
      key: field.name, name: name, type: isDefaulted ? type.asOptional : type,
      valueType: types.input(field.type.unwrapped),
      parameter: InitializerParameter(inputField: field.type, hasDefault: hasDefault, types: types),
      isNullable: field.type.isNullable, isDefaulted: isDefaulted,
      isDeprecated: deprecation(field.deprecationReason) != nil,
      documentation: documentation(field.description, deprecated: field.deprecationReason))
  }
}
