import ApolloIR

/// Default values of variables and input fields, as Swift expressions and as JSON.
struct DefaultValues {
  let types: SwiftTypes
  let inputObjects: [String: InputObjectType]
  let enums: [String: EnumType]

  init(_ program: Program, types: SwiftTypes) {
    self.types = types
    inputObjects = Dictionary(program.schemaTypes.inputObjects.map { ($0.name, $0) }) { first, _ in first }
    enums = Dictionary(program.schemaTypes.enums.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The expression for a value; nil if Swift has none, so that the value must be given.
  func text(_ value: ConstantValue, of type: ValueType) -> String? {
    guard case .nullable(let type) = type else { return element(value, of: type) }
    if case .null = value { return ".null" }
    return element(value, of: type).map { ".some(\($0))" }
  }

  /// The default of a parameter for a variable; nil if there is none, so that a value must be given.
  func parameter(_ value: ConstantValue, of type: ValueType) -> String? {
    types.options.naming == .legacy ? element(value, of: type, isBare: true) : text(value, of: type)
  }

  /// The expression for a value that is not null.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - type: The type of the value.
  ///   - isBare: Whether enums are written without `GraphQLEnum`. The default is false.
  /// - Returns: The expression; nil if Swift has none.
  private func element(_ value: ConstantValue, of type: ValueType, isBare: Bool = false) -> String? {
    switch (value, type) {
    case (.null, .nullable): return "nil"
    case (_, .nullable(let type)): return element(value, of: type, isBare: isBare)
    case (.list(let values), .list(let type)):
      let elements = values.map { element($0, of: type, isBare: isBare) }
      return elements.contains(nil) ? nil : "[" + elements.compactMap { $0 }.joined(separator: ", ") + "]"
    // A single value is read as a list with one element (specification, section 3.11).
    case (_, .list(let type)): return element(value, of: type, isBare: isBare).map { "[\($0)]" }
    case (.enum(let name), .enum(let type)):
      let known = enums[type].flatMap { types.names.enumCases($0).first { $0.value.name == name } }
      return known.map { known in
        let enumCase = "." + Identifier.escaped(known.name)
        guard isBare else { return ".case(\(enumCase))" }
        let owner = types.schemaType(type)
        // After the name of a type, Swift takes these for its metatype, also in backticks.
        return ["Type", "Protocol"].contains(known.name) ? "\(enumCase) as \(owner)" : "\(owner)\(enumCase)"
      }
    case (.object(let fields), .inputObject(let type)): return object(fields, of: type)
    case (_, .customScalar(let name)) where !types.isString(name): return nil
    case (.int(let digits), .scalar(.int)), (.int(let digits), .scalar(.float)), (.float(let digits), .scalar(.float)):
      guard case .scalar(let scalar) = type else { return nil }
      return Numbers.literal(digits, as: types.leaf(.scalar(scalar), isInput: true).description)
    case (_, .scalar(let scalar)) where !types.isUsual(scalar, isInput: true): return nil
    case (.int(let digits), .scalar(.id)): return Literal.string(digits)
    case (.string(let text), .scalar), (.string(let text), .customScalar): return Literal.string(text)
    case (.boolean(let value), .scalar(.boolean)): return value ? "true" : "false"
    default: return nil
    }
  }

  private func object(_ fields: [ConstantValue.Field], of name: String) -> String? {
    guard let type = inputObjects[name] else { return nil }
    if type.isOneOf {
      guard let field = fields.first,
        let (definition, name) = types.names.inputFields(type).first(where: { $0.field.name == field.name }),
        let value = element(field.value, of: definition.type)
      else { return nil }
      return ".\(Identifier.escaped(name))(\(value))"
    }
    var arguments: [String] = []
    for (definition, name) in types.names.inputFields(type) {
      guard let field = fields.first(where: { $0.name == definition.name }) else { continue }
      // Generated code does not use what is deprecated in Swift. The server knows the default value as well.
      guard definition.deprecationReason == nil || !types.options.marksDeprecations,
        let value = argument(field.value, of: definition.type)
      else { return nil }
      arguments.append("\(Identifier.label(name)): \(value)")
    }
    return "\(types.schemaType(name))(\(arguments.joined(separator: ", ")))"
  }

  /// The argument for a field of an input object.
  private func argument(_ value: ConstantValue, of type: ValueType) -> String? {
    guard types.options.naming == .legacy else { return text(value, of: type) }
    // The literal nil would leave out the field.
    if case .null = value { return ".some(nil)" }
    return element(value, of: type, isBare: true)
  }
}

extension DefaultValues {
  /// The JSON as which a variable of the type has the value. Every value has one.
  func json(_ value: ConstantValue, of type: ValueType) -> String {
    switch (value, type) {
    case (.null, _): return "null"
    case (_, .nullable(let type)): return json(value, of: type)
    case (.list(let values), .list(let type)): return list(values, of: type)
    case (_, .list(let type)): return list([value], of: type)
    // The type is a custom scalar, and so are the elements.
    case (.list(let values), _): return list(values, of: type)
    case (.object(let fields), _):
      var definitions: [InputObjectType.Field] = []
      if case .inputObject(let name) = type { definitions = inputObjects[name]?.fields ?? [] }
      let members = fields.map { field in
        let definition = definitions.first { $0.name == field.name }
        return Self.quoted(field.name) + ":" + json(field.value, of: definition?.type ?? type)
      }
      return "{" + members.joined(separator: ",") + "}"
    case (.int(let digits), .scalar(.id)): return Self.quoted(digits)
    case (.int(let digits), _), (.float(let digits), _): return digits
    case (.string(let text), _), (.enum(let text), _): return Self.quoted(text)
    case (.boolean(let value), _): return value ? "true" : "false"
    }
  }

  private func list(_ values: [ConstantValue], of type: ValueType) -> String {
    "[" + values.map { json($0, of: type) }.joined(separator: ",") + "]"
  }

  /// A string of JSON with the escapes of the client's writer, so that equal texts make equal cache keys.
  private static func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case "\u{8}": json += "\\b"
      case "\u{c}": json += "\\f"
      case "\0"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
