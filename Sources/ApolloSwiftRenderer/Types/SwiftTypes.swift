import ApolloIR

/// How types of the schema are written in Swift at one place in the generated code.
struct SwiftTypes {
  /// Where a type is mentioned.
  enum Place {
    /// In the file with the schema's types.
    case schema
    case operations
    /// In extensions of the schema's types, outside of any namespace.
    case outside
    /// In extensions of operations, outside of any namespace.
    case machinery
    /// In mocks, which are in a separate module.
    case mocks
  }

  let names: NameResolver
  var place = Place.operations

  var options: RenderingOptions { names.options }

  func seen(from place: Place) -> SwiftTypes { SwiftTypes(names: names, place: place) }

  /// The type of a field.
  ///
  /// - Parameters:
  ///   - type: The type in the schema.
  ///   - object: The type of objects. The default is for fields that are known to have none.
  /// - Returns: The type in Swift.
  func output(_ type: ValueType, object: SwiftType = .named("Never")) -> SwiftType {
    switch type {
    case .nullable(let type): .optional(output(type, object: object))
    case .list(let element): .array(output(element, object: object))
    case .result(let type): .generic(ReservedNames.result, output(type, object: object))
    case .object: object
    default: leaf(type)
    }
  }

  /// The type of a variable or an input field.
  func input(_ type: ValueType) -> SwiftType {
    guard case .nullable(let type) = type else { return inputElement(type) }
    return .generic("GraphQLNullable", inputElement(type))
  }

  /// In lists, null is an ordinary `nil`: an element cannot be absent.
  private func inputElement(_ type: ValueType) -> SwiftType {
    switch type {
    case .nullable(let type): .optional(inputElement(type))
    case .list(let element): .array(inputElement(element))
    default: leaf(type, isInput: true)
    }
  }

  /// The type of a value that is not an object, a list or an optional.
  ///
  /// - Parameters:
  ///   - type: The type in the schema.
  ///   - isInput: Whether it is a value of a variable or an input field. The default is false.
  /// - Returns: The type in Swift.
  func leaf(_ type: ValueType, isInput: Bool = false) -> SwiftType {
    switch type {
    case .scalar(let scalar): .named(builtIn(scalar, isInput: isInput))
    case .enum(let name): .generic("GraphQLEnum", schemaType(name))
    case .customScalar(let name), .inputObject(let name): schemaType(name)
    // Callers take lists and optionals apart, and an object cannot be a variable.
    case .object, .list, .nullable, .result: .named("Never")
    }
  }

  private func builtIn(_ scalar: BuiltInScalar, isInput: Bool) -> String {
    if let mapping = self.mapping(of: .scalar(scalar), isInput: isInput) { return mapping.type }
    return switch scalar {
    case .int: "Int"
    case .float: "Double"
    case .boolean: "Bool"
    case .string, .id: "String"
    }
  }

  /// A type of the schema file.
  func schemaType(_ name: String) -> SwiftType {
    let type = names.schemaType(name)
    // A type of the app with the scalar's name is not in a namespace.
    if let mapping = options.customScalars[name], mapping.module == nil, mapping.type == type { return .named(type) }
    return inSchema(type)
  }

  /// What the schema file declares under a name.
  func inSchema(_ name: String) -> SwiftType {
    namespace.map { .member(name, of: .named($0)) } ?? .named(name)
  }

  /// The enum or module of the schema's types, if it must be written. A module must be written if another imported
  /// module may have a type with an equal name.
  private var namespace: String? {
    switch (options.placement.surroundings, place) {
    case (.namespace(let name), .outside), (.namespace(let name), .machinery), (.namespace(let name), .mocks),
      (.outsideOfNamespace(let name, _), .operations), (.outsideOfNamespace(let name, _), .outside),
      (.outsideOfNamespace(let name, _), .machinery), (.outsideOfNamespace(let name, _), .mocks),
      (.otherModule(let name), .operations), (.otherModule(let name), .machinery), (.otherModule(let name), .mocks):
      name
    case (.sameModule, .mocks): options.placement.mocks?.module
    default: nil
    }
  }

  /// A type that operations mention without its namespace, as it is written outside of the namespace.
  func outside(_ name: String) -> SwiftType { names.topLevelScope.type(name) }

  /// The type that describes the schema; nil if there is none.
  var schemaMetadata: SwiftType? { options.placement.hasSchemaMetadata ? inSchema("SchemaMetadata") : nil }

  func typeSet(_ typeCondition: String) -> SwiftType {
    .member(Identifier.escaped(names.typeSet(typeCondition)), of: inSchema("PossibleTypes"))
  }

  /// Whether a custom scalar is certain to be a `String`.
  func isString(_ scalar: String) -> Bool {
    options.customScalars[scalar] == nil && options.passthroughScalarPrefix == nil
      && !options.placement.writesEditableFiles
      && !options.placement.providedTypes.contains(names.schemaType(scalar))
  }

  /// Whether a scalar of the specification is of the type that it has without a configuration.
  func isUsual(_ scalar: BuiltInScalar, isInput: Bool = false) -> Bool {
    mapping(of: .scalar(scalar), isInput: isInput) == nil
  }

  /// Whether a scalar of the specification has a type of which no module is known: one that the app declares in the
  /// module of the schema's types. A custom scalar has a typealias there.
  func isOfApp(_ scalar: BuiltInScalar, isInput: Bool = false) -> Bool {
    guard let mapping = self.mapping(of: .scalar(scalar), isInput: isInput), mapping.importedModules.isEmpty else {
      return false
    }
    return !Numbers.contains(mapping.type) && !["String", "Bool"].contains(mapping.type)
  }

  /// Whether values of this type can be hashed.
  func isHashable(_ type: ValueType, isInput: Bool = false) -> Bool {
    mapping(of: type, isInput: isInput)?.isHashable ?? true
  }

  /// Whether values of this type can be sent to other threads.
  func isSendable(_ type: ValueType) -> Bool { mapping(of: type)?.isSendable ?? true }

  /// The configuration of the scalar in a type, as it counts for fields of models, or for what is sent.
  func mapping(of type: ValueType, isInput: Bool = false) -> RenderingOptions.ScalarMapping? {
    switch type.leaf {
    case .customScalar(let name): return options.customScalars[name]
    case .scalar(let scalar):
      let mapping = options.customScalars[scalar.rawValue]
      return isInput || mapping?.isInputOnly != true ? mapping : nil
    default: return nil
    }
  }
}
