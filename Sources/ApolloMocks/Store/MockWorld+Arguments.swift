import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

// Arguments that a test names: they become what an operation has.

extension MockWorld {
  /// The arguments of a field as functions of it are given them.
  ///
  /// - Throws: ``MockSchemaError`` for an argument that the field does not have, or that does not fit.
  func arguments(
    _ given: GraphQLValue.Object, of field: FieldDefinition, on type: String, fillsDefaults: Bool = true
  ) throws(MockSchemaError) -> GraphQLValue.Object {
    try coerced(given, to: field.arguments, "argument", fillsDefaults) { "\(type).\(field.name)(\($0):)" }
  }

  /// The values of arguments or input fields. `defaults` are the coordinates whose default values are being completed.
  private func coerced(
    _ given: GraphQLValue.Object, to definitions: [InputValueDefinition], _ kind: String, _ fillsDefaults: Bool,
    in defaults: [String] = [], coordinate: (String) -> String
  ) throws(MockSchemaError) -> GraphQLValue.Object {
    let names = definitions.map(\.name.value)
    for name in given.keys where !names.contains(name) {
      throw MockSchemaError(unknown: coordinate(name), among: names.map(coordinate), kind)
    }
    var values = GraphQLValue.Object()
    for definition in definitions {
      let name = definition.name.value, place = coordinate(name)
      if let value = given[name] {
        values[name] = try coerced(value, to: definition.type, at: place, in: defaults)
      } else if fillsDefaults, let literal = definition.defaultValue, let value = GraphQLValue(untyped: literal) {
        if defaults.contains(place) { throw MockSchemaError("The default value of \"\(place)\" needs itself.") }
        values[name] = try coerced(value, to: definition.type, at: place, in: defaults + [place])
      }
    }
    return values
  }

  private func coerced(
    _ value: GraphQLValue, to type: TypeReference, at place: String, in defaults: [String]
  ) throws(MockSchemaError) -> GraphQLValue {
    if let element = type.element, !value.isNull {
      // One element may stand for a list of one.
      var elements: [GraphQLValue] = []
      for value in value.list ?? [value] { elements.append(try coerced(value, to: element, at: place, in: defaults)) }
      return .list(elements)
    }
    if case .inputObject(let type)? = facts.schema.type(of: type), let members = value.object {
      return .object(
        try coerced(members, to: Array(type.fields), "input field", true, in: defaults) { "\(type.name).\($0)" })
    }
    try Fit.check(value, as: type, facts, at: place)
    if type.namedType.value == "ID", let number = value.int { return .string("\(number)") }
    return value
  }
}
