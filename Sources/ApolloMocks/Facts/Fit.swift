import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// Whether values fit the types of a schema.
enum Fit {
  /// Checks a value. Objects may have some of their fields, and what is an `Error` fits everywhere.
  ///
  /// - Throws: ``MockSchemaError`` that names the place.
  static func check(
    _ value: GraphQLValue, as type: TypeReference, _ facts: SchemaFacts, at place: String
  ) throws(MockSchemaError) {
    if case .opaque = value { return }
    if value.isNull {
      if type.isNonNull { throw MockSchemaError("\(place) cannot be null: its type is \(type).") }
      return
    }
    if let element = type.element {
      guard let elements = value.list else { throw unfit(value, type, place) }
      for (index, member) in elements.enumerated() { try check(member, as: element, facts, at: "\(place)[\(index)]") }
      return
    }
    switch facts.schema.type(of: type) {
    case .scalar(let scalar):
      guard fits(value, scalar.name) else { throw unfit(value, type, place) }
    case .enum(let type):
      guard let name = value.string, type.values.contains(name) else {
        throw MockSchemaError(
          "\(place) cannot be \(value): the enum \(type.name) has \(type.values.map(\.name.value).joined(separator: ", "))."
        )
      }
    case let named?:
      // (The nodes of a connection may stand in place of it.)
      if let shape = facts.connection(named.name), let nodes = value.list {
        for (index, node) in nodes.enumerated() { try check(node, as: shape.node, facts, at: "\(place)[\(index)]") }
        return
      }
      guard let members = value.object else { throw unfit(value, type, place) }
      try check(members, of: named, facts, at: place)
    case nil: throw MockSchemaError("\(place): the schema has no type \"\(type.namedType)\".")
    }
  }

  private static func check(
    _ members: GraphQLValue.Object, of named: NamedType, _ facts: SchemaFacts, at place: String
  ) throws(MockSchemaError) {
    let possible = facts.schema.possibleTypes(of: named)
    var types = possible
    if let name = members["__typename"] {
      types = possible.filter { $0.name == name.string }
      guard !types.isEmpty else {
        throw MockSchemaError("\(place): \(name) is not an object type that a \(named.name) can be.")
      }
    }
    for (name, value) in members where name != "__typename" {
      let fields = types.compactMap { type in type.fields[name].map { (type.name, $0) } }
      guard let (type, field) = fields.first else {
        let names = types.flatMap { $0.fields.map(\.name.value) }
        throw MockSchemaError(unknown: "\(named.name).\(name)", among: names.map { "\(named.name).\($0)" }, "field")
      }
      try check(value, as: field.type, facts, at: "\(type).\(name)")
    }
  }

  private static func fits(_ value: GraphQLValue, _ scalar: String) -> Bool {
    switch scalar {
    case "Int": value.int.map { Int(Int32.min)...Int(Int32.max) ~= $0 } ?? false
    case "Float": value.double?.isFinite ?? false
    case "Boolean": value.bool != nil
    case "String": value.string != nil
    case "ID": value.string != nil || value.int != nil
    default: true
    }
  }

  private static func unfit(_ value: GraphQLValue, _ type: TypeReference, _ place: String) -> MockSchemaError {
    MockSchemaError("\(place) cannot be \(value): its type is \(type).")
  }
}
