import ApolloIR

/// How types of the schema are written in Swift.
struct SwiftTypes {
  let names: TopLevelNames
  let options: RenderingOptions

  /// The type of a field, where objects are of a type with this name.
  func output(_ type: ValueType, object: String = "") -> String {
    switch type {
    case .nullable(let type): output(type, object: object) + "?"
    case .list(let element): "[" + output(element, object: object) + "]"
    case .object: object
    default: leaf(type)
    }
  }

  /// The type of a variable or an input field.
  func input(_ type: ValueType) -> String {
    guard case .nullable(let type) = type else { return inputElement(type) }
    return "GraphQLNullable<" + inputElement(type) + ">"
  }

  /// In lists, null is an ordinary `nil`: an element cannot be absent.
  private func inputElement(_ type: ValueType) -> String {
    switch type {
    case .nullable(let type): inputElement(type) + "?"
    case .list(let element): "[" + inputElement(element) + "]"
    default: leaf(type)
    }
  }

  private func leaf(_ type: ValueType) -> String {
    switch type {
    case .scalar(.int): "Int"
    case .scalar(.float): "Double"
    case .scalar(.boolean): "Bool"
    case .scalar(.string), .scalar(.id): "String"
    case .enum(let name): "GraphQLEnum<" + schemaType(name) + ">"
    case .customScalar(let name), .inputObject(let name): schemaType(name)
    case .object, .list, .nullable: ""
    }
  }

  /// A type of the schema file, as operations refer to it.
  func schemaType(_ name: String) -> String {
    let type = names.schemaTypes[name] ?? name
    // A user's type that has the scalar's name stands in no namespace.
    if let mapping = options.customScalars[name], mapping.module == nil, mapping.type == type { return type }
    return schemaPrefix + type
  }

  var schemaPrefix: String {
    if case .outsideOfNamespace(let name) = options.surroundings { name + "." } else { "" }
  }

  /// The type that describes the schema; nil if there is none.
  var schemaMetadata: String? { options.hasSchemaMetadata ? schemaPrefix + "SchemaMetadata" : nil }

  func typeSet(_ typeCondition: String) -> String {
    schemaPrefix + "PossibleTypes." + Identifier.escaped(typeSetName(typeCondition))
  }

  func typeSetName(_ typeCondition: String) -> String {
    names.typeSets[typeCondition] ?? Identifier.lowercasedFirst(typeCondition)
  }

  /// Whether a custom scalar is certain to be a `String`.
  func isString(_ scalar: String) -> Bool {
    options.customScalars[scalar] == nil && options.passthroughScalarPrefix == nil && !options.writesEditableFiles
  }

  /// Whether values of this type can be hashed.
  func isHashable(_ type: ValueType) -> Bool {
    guard case .customScalar(let name) = type.leaf else { return true }
    return options.customScalars[name]?.isHashable ?? true
  }

  /// Whether values of this type can be sent to other threads.
  func isSendable(_ type: ValueType) -> Bool {
    guard case .customScalar(let name) = type.leaf else { return true }
    return options.customScalars[name]?.isSendable ?? true
  }
}
