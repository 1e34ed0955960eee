public import GraphQLJSON
public import GraphQLSyntax

extension Diagnostic.Code {
  /// The answer to an introspection query is not valid, so that no schema can be made of it.
  public static let invalidIntrospection = Self("invalid-introspection")
}

extension Schema {
  /// Makes a schema of the answer to an introspection query.
  ///
  /// - Parameters:
  ///   - introspection: The whole response, its `data`, or the value of `__schema` in there.
  ///   - source: The text of the answer, for the places in diagnostics. The default is none.
  /// - Returns: The schema; nil if the answer is not valid.
  public static func build(
    fromIntrospection introspection: JSONNode, in source: Source.ID = .none
  ) -> Parsed<Schema?> {
    let document = Document.read(fromIntrospection: introspection, in: source)
    guard let definitions = document.value else { return Parsed(nil, diagnostics: document.diagnostics) }
    let schema = Schema.build(from: [definitions])
    return Parsed(schema.value, diagnostics: document.diagnostics + schema.diagnostics)
  }
}

extension Document {
  /// Makes the definitions that are in the answer to an introspection query, without making a schema.
  ///
  /// - Parameters:
  ///   - introspection: The whole response, its `data`, or the value of `__schema` in there.
  ///   - source: The text of the answer, for the places in diagnostics. The default is none.
  /// - Returns: The definitions; nil if the answer is not valid.
  public static func read(
    fromIntrospection introspection: JSONNode, in source: Source.ID = .none
  ) -> Parsed<Document?> {
    var reader = IntrospectionReader(source: source)
    let document = reader.document(introspection["data"] ?? introspection)
    return Parsed(reader.diagnostics.hasErrors ? nil : document, diagnostics: reader.diagnostics)
  }
}

/// Makes definitions of the answer to an introspection query.
struct IntrospectionReader {
  private(set) var diagnostics: [Diagnostic] = []
  private let source: Source.ID

  init(source: Source.ID) { self.source = source }

  mutating func document(_ introspection: JSONNode) -> Document? {
    guard let schema = introspection["__schema"] ?? (introspection["types"] == nil ? nil : introspection) else {
      report("Invalid or incomplete introspection result: it has no \"__schema\".", at: introspection)
      return nil
    }
    guard let types = schema["types"]?.array else {
      report("Invalid or incomplete introspection result: \"__schema\" has no list of \"types\".", at: schema)
      return nil
    }
    let definitions = types.compactMap { type($0) }
    let directives = (schema["directives"]?.array ?? []).compactMap { directive($0) }
    let defined = Dictionary(definitions.map { ($0.name.value, $0.body) }) { first, _ in first }
    for definition in definitions { checkReferences(of: definition, defined) }
    let operationTypes = rootTypes(schema, defined)
    return Document(
      definitions: [.schema(SchemaDefinition(description: text(schema["description"]), operationTypes: operationTypes))]
        + directives.map { .directive($0) }
        + definitions.filter { BuiltIn.types[$0.name.value] == nil }.map { .type($0) })
  }

  mutating func report(_ message: String, at node: JSONNode) { report(message, at: span(of: node)) }

  private mutating func report(_ message: String, at span: SourceSpan) {
    diagnostics.append(Diagnostic(.invalidIntrospection, message, at: span))
  }

  private func span(of node: JSONNode) -> SourceSpan { SourceSpan(node.range, in: source) }

  /// The member `name` of an object, with its place.
  func name(of node: JSONNode) -> Name? {
    node["name"].flatMap { name in name.string.map { Name($0, span: span(of: name)) } }
  }

  private mutating func rootTypes(
    _ schema: JSONNode, _ defined: [String: TypeDefinition.Body]
  ) -> [RootOperationTypeDefinition] {
    OperationType.allCases.compactMap { operation in
      guard let root = schema[operation.rawValue + "Type"] else { return nil }
      guard let name = self.name(of: root) else {
        report("Invalid introspection result: \"\(operation.rawValue)Type\" has no \"name\".", at: root)
        return nil
      }
      if defined[name.value] == nil { reportUnknown(name) }
      return RootOperationTypeDefinition(operation: operation, type: name)
    }
  }

  /// Checks that the types that a definition refers to exist, and are of kinds that are possible there.
  private mutating func checkReferences(of definition: TypeDefinition, _ defined: [String: TypeDefinition.Body]) {
    func check(_ names: [Name], _ expected: String, where isExpected: (TypeDefinition.Body) -> Bool) {
      for name in names {
        guard let body = defined[name.value] else {
          reportUnknown(name)
          continue
        }
        if !isExpected(body) {
          report("Introspection must provide \(expected) in \(definition.name), but received: \(name).", at: name.span)
        }
      }
    }
    switch definition.body {
    case .scalar, .enum: break
    case .object(let interfaces, let fields), .interface(let interfaces, let fields):
      check(interfaces, "interface types to implement") { if case .interface = $0 { true } else { false } }
      check(fields.map(\.type.namedType), "output types for fields", where: \.isOutput)
      check(fields.flatMap { $0.arguments.map(\.type.namedType) }, "input types for arguments", where: \.isInput)
    case .union(let members):
      check(members, "object types for members") { if case .object = $0 { true } else { false } }
    case .inputObject(let fields):
      check(fields.map(\.type.namedType), "input types for input fields", where: \.isInput)
    }
  }

  private mutating func reportUnknown(_ name: Name) {
    report(
      "Invalid or incomplete schema, unknown type: \(name). Ensure that a full introspection query is used in order to build a client schema.",
      at: name.span)
  }

  // MARK: - Types

  private mutating func type(_ value: JSONNode) -> TypeDefinition? {
    guard let name = self.name(of: value), let kind = value["kind"]?.string else {
      report("Invalid or incomplete introspection result: a type has no \"name\" or no \"kind\".", at: value)
      return nil
    }
    guard let body = body(ofKind: kind, from: value, named: name.value) else { return nil }
    var directives: [Directive] = []
    if let url = value["specifiedByURL"]?.string {
      let argument = Argument(name: "url", value: Value(.string(StringValue(url))))
      directives.append(Directive(name: "specifiedBy", arguments: [argument]))
    }
    if value["isOneOf"]?.boolean == true { directives.append(Directive(name: "oneOf")) }
    return TypeDefinition(
      description: text(value["description"]), name: name, directives: directives, body: body)
  }

  private mutating func body(ofKind kind: String, from value: JSONNode, named name: String) -> TypeDefinition.Body? {
    switch kind {
    case "SCALAR": return .scalar
    case "OBJECT":
      guard let fields = list("fields", of: value, name), list("interfaces", of: value, name) != nil else { return nil }
      return .object(interfaces: names(value["interfaces"]), fields: fields.compactMap { field($0) })
    case "INTERFACE":
      guard let fields = list("fields", of: value, name) else { return nil }
      return .interface(interfaces: names(value["interfaces"]), fields: fields.compactMap { field($0) })
    case "UNION":
      guard list("possibleTypes", of: value, name) != nil else { return nil }
      return .union(members: names(value["possibleTypes"]))
    case "ENUM":
      guard let values = list("enumValues", of: value, name) else { return nil }
      return .enum(values: values.compactMap { enumValue($0) })
    case "INPUT_OBJECT":
      guard let fields = list("inputFields", of: value, name) else { return nil }
      return .inputObject(fields: fields.compactMap { inputValue($0) })
    default:
      report(
        "Invalid or incomplete introspection result: type \"\(name)\" has the unknown kind \"\(kind)\".", at: value)
      return nil
    }
  }

  private mutating func list(_ key: String, of value: JSONNode, _ type: String) -> [JSONNode]? {
    if let list = value[key]?.array { return list }
    report("Introspection result missing \(key): type \"\(type)\" must have them.", at: value)
    return nil
  }

  private func names(_ value: JSONNode?) -> [Name] {
    (value?.array ?? []).compactMap { name(of: $0) }
  }

  private func text(_ value: JSONNode?) -> StringValue? {
    value?.string.map { StringValue($0, isBlock: BlockString.canHold($0)) }
  }
}

extension TypeDefinition.Body {
  fileprivate var isOutput: Bool {
    if case .inputObject = self { false } else { true }
  }

  fileprivate var isInput: Bool {
    switch self {
    case .scalar, .enum, .inputObject: true
    case .object, .interface, .union: false
    }
  }
}
