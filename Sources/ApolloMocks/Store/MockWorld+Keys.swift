import ApolloAPI
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

// Which object is meant: by values that name it, or by a number.

extension MockWorld {
  /// From how many keys those are taken that should not meet.
  static let manyKeys = 1_000_000_000

  // MARK: Keys in values

  /// The object that the arguments of a place name, of one of several types: `user(id: 7)`, `user(userId: 7)`,
  /// `user(user: 7)`.
  func named(_ types: [ObjectType], by place: Place) -> ObjectID? {
    place.index == nil ? id(of: types, sent: place.named) : nil
  }

  /// The object of one of several types whose key is in what was sent.
  func id(of types: [ObjectType], sent values: GraphQLValue.Object) -> ObjectID? {
    meant(types.compactMap { id(of: $0.name, sent: values) })
  }

  private func id(of type: String, sent values: GraphQLValue.Object) -> ObjectID? {
    let fields = facts.keyFields(of: type), name = type.lowerCamelCase
    return id(of: type) { field in
      // (The name of the type alone says one value.)
      let names = [field, name + field.upperCamelCase] + (fields.count == 1 ? [name] : [])
      return names.lazy.compactMap { values[$0]?.keyText }.first
    }
  }

  /// The object whose key fields are among its members.
  func id(of type: String, members: GraphQLValue.Object) -> ObjectID? { id(of: type) { members[$0]?.keyText } }

  private func id(of type: String, part: (String) -> String?) -> ObjectID? {
    let fields = facts.keyFields(of: type), parts = fields.compactMap(part)
    return fields.isEmpty || parts.count < fields.count ? nil : ObjectID(type: type, key: KeyText.join(parts))
  }

  /// Of objects of different types that a key may mean, the one that it means: one whose key has the name of its type, or
  /// one that has been changed. Otherwise the key alone decides, so that all fields lead to one object.
  func meant(_ ids: [ObjectID]) -> ObjectID? {
    func rank(_ id: ObjectID) -> UInt64 {
      var draw = Draw(rules.seed, "\(id.type):\(id.key)")
      return draw.next()
    }
    return ids.first(where: isKnown) ?? ids.min { rank($0) < rank($1) }
  }

  private func isKnown(_ id: ObjectID) -> Bool {
    if facts.hasGlobalKeys(id.type), id.key.hasPrefix(id.type + "-") { return true }
    return state.contents.withLock { $0.values[id] != nil }
  }

  // MARK: Keys of numbers

  /// The object with a number; nil if its type has no key.
  ///
  /// - Throws: What the function of the app for the scalar of a key throws.
  func key(of type: String, number: Int) throws -> ObjectID? {
    let fields = facts.keyFields(of: type)
    guard !fields.isEmpty else { return nil }
    let id = ObjectID(type: type, key: "\(number)")
    let key = KeyText.join(try fields.map { try part($0, of: id, number) })
    guard facts.hasGlobalKeys(type), fields.count == 1,
      ["ID", "String"].contains(facts.field(fields[0], of: type)?.type.namedType.value)
    else { return ObjectID(type: type, key: key) }
    return ObjectID(type: type, key: "\(type)-\(key)")
  }

  private func part(_ name: String, of id: ObjectID, _ number: Int) throws -> String {
    let field = facts.field(name, of: id.type)?.type.namedType.value ?? "ID"
    switch facts.schema.type(named: field) {
    case .enum(let type): return type.values[number % type.values.count].name.value
    case .scalar where !["ID", "Int", "String", "Float", "Boolean"].contains(field):
      guard let value = try keyScalar(field, name, id) else { return "\(number)" }
      guard rules.scalars[field] != nil else {
        // The examples of `@mock` are fewer than the objects: they tell of what kind keys are.
        return facts.mock(ofScalar: field)?.hasValues == true ? "\(number)" : value.keyText ?? "\(number)"
      }
      // A function of the app that says the same of all objects does not make keys.
      let next = ObjectID(type: id.type, key: "\(number + 1)")
      return try keyScalar(field, name, next) == value ? "\(number)" : value.keyText ?? "\(number)"
    default: return field == "Boolean" ? "\(number % 2 == 0)" : "\(number)"
    }
  }

  /// What the rule of a scalar makes for a key field of an object; nil if nothing is known of the scalar.
  private func keyScalar(_ scalar: String, _ field: String, _ id: ObjectID) throws -> GraphQLValue? {
    try scalarValue(scalar, at: "\(id.type).\(field)", id, [:], place: "\(id.type) \(id.key)") { id.key }
  }

  /// Whether a field is a part of the key of an object. Then it has that part, and cannot be given another value, but
  /// null where its type allows it: an object without a key.
  ///
  /// - Throws: ``MockSchemaError`` if the value is another one.
  @discardableResult
  func checkKey(_ name: String, of id: ObjectID, against value: GraphQLValue) throws(MockSchemaError) -> Bool {
    guard let position = facts.keyFields(of: id.type).firstIndex(of: name), let field = facts.field(name, of: id.type)
    else { return false }
    if value == .null, !field.type.isNonNull { return false }
    guard keyValue(of: id, position, field).keyText == value.keyText else {
      throw MockSchemaError(
        "\(id.type).\(name) is the key of \(id): it cannot be set to \(value). Say in the field that leads to the object "
          + "which one it is: .resolving(\"Query.…\") { _ in [\"\(name)\": …] }")
    }
    return true
  }

  /// The value of a key field, which is a part of the key.
  func keyValue(of id: ObjectID, _ position: Int, _ field: FieldDefinition) -> GraphQLValue {
    let parts = KeyText.split(id.key, into: facts.keyFields(of: id.type).count)
    let text = parts.indices.contains(position) ? parts[position] : id.key
    let type = field.type.namedType.value
    switch type {
    case "Int": return Int(text).map { .int($0) } ?? .string(text)
    case "Float": return Double(text).map { .double($0) } ?? .string(text)
    case "Boolean": return .bool(text == "true")
    case "ID", "String": return .string(text)
    default:
      guard let number = Self.number(text), case .scalar? = facts.schema.type(named: type),
        (try? keyScalar(type, field.name.value, id))?.double != nil
      else { return .string(text) }
      return number
    }
  }

  private static func number(_ text: String) -> GraphQLValue? {
    if let number = Int(text) { return .int(number) }
    return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
  }

  /// The key of an object as a value of a type; nil if values of the type are not keys of the object.
  func key(of id: ObjectID, as type: TypeReference) -> GraphQLValue? {
    guard type.element == nil else { return nil }
    let name = type.namedType.value, keys = facts.keyFields(of: id.type)
    if name == "ID" { return .string(id.key) }
    guard keys.count == 1, let field = facts.field(keys[0], of: id.type), field.type.namedType.value == name else {
      return nil
    }
    return keyValue(of: id, 0, field)
  }
}

extension String {
  var lowerCamelCase: String { prefix(1).lowercased() + dropFirst() }
  var upperCamelCase: String { prefix(1).uppercased() + dropFirst() }
}

extension GraphQLValue {
  /// The value as a part of a key; nil for what cannot be one.
  var keyText: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .double: canonicalText
    default: nil
    }
  }
}
