public import GraphQLJSON
public import GraphQLSyntax

extension Diagnostic.Code {
  /// The answer to an introspection query is not valid, so that no schema can be made of it, or not of all of it.
  public static let invalidIntrospection = Self("invalid-introspection")
}

extension Schema {
  /// Makes a schema of the answer to an introspection query.
  ///
  /// - Parameters:
  ///   - introspection: The whole response, its `data`, or the value of `__schema` in there.
  ///   - source: The text of the answer, for the places in diagnostics. The default is none.
  ///   - isLenient: Whether parts that are not exact are warnings: see `Document.read(fromIntrospection:in:isLenient:)`.
  ///     The default is false.
  /// - Returns: The schema; nil if the answer is not valid.
  public static func build(
    fromIntrospection introspection: JSONNode, in source: Source.ID = .none, isLenient: Bool = false
  ) -> Parsed<Schema?> {
    let document = Document.read(fromIntrospection: introspection, in: source, isLenient: isLenient)
    guard let definitions = document.value else { return Parsed(nil, diagnostics: document.diagnostics) }
    let schema = Schema.build(from: [definitions])
    return Parsed(schema.value, diagnostics: document.diagnostics + schema.diagnostics)
  }
}

extension Document {
  /// Makes the definitions that are in the answer to an introspection query, without making a schema.
  ///
  /// Many servers write their introspection by hand, and not all of it is exact. If that is allowed, a list that is
  /// missing or null is empty, a default value that is not written in GraphQL is guessed or left out, and so is a member
  /// whose name or type is not there. Each is a warning that names the type and the member. Names that no text can have
  /// are errors in any case.
  ///
  /// - Parameters:
  ///   - introspection: The whole response, its `data`, or the value of `__schema` in there.
  ///   - source: The text of the answer, for the places in diagnostics. The default is none.
  ///   - isLenient: Whether parts that are not exact are warnings. The default is false: they are errors, as in the
  ///     reference implementation.
  /// - Returns: The definitions; nil if the answer is not valid.
  public static func read(
    fromIntrospection introspection: JSONNode, in source: Source.ID = .none, isLenient: Bool = false
  ) -> Parsed<Document?> {
    var reader = IntrospectionReader(source: source, isLenient: isLenient)
    let document = reader.document(introspection["data"] ?? introspection)
    return Parsed(reader.diagnostics.hasErrors ? nil : document, diagnostics: reader.diagnostics)
  }
}

/// Makes definitions of the answer to an introspection query.
struct IntrospectionReader {
  private(set) var diagnostics: [Diagnostic] = []
  private let source: Source.ID
  let isLenient: Bool

  init(source: Source.ID, isLenient: Bool) {
    self.source = source
    self.isLenient = isLenient
  }

  mutating func document(_ introspection: JSONNode) -> Document? {
    guard let schema = introspection["__schema"] ?? (introspection["types"] == nil ? nil : introspection) else {
      report("Invalid or incomplete introspection result: it has no \"__schema\".", at: introspection)
      return nil
    }
    guard let types = schema["types"]?.array else {
      report("Invalid or incomplete introspection result: \"__schema\" has no list of \"types\".", at: schema)
      return nil
    }
    var references = IntrospectionReferences(types.compactMap { type($0) }, isLenient: isLenient)
    var directives = (schema["directives"]?.array ?? []).compactMap { directive($0) }
    references.checkTypes()
    references.checkArguments(of: &directives)
    for (message, span) in references.problems { tolerate(message, at: span) }
    let operationTypes = rootTypes(schema, references)
    return Document(
      definitions: [.schema(SchemaDefinition(description: text(schema["description"]), operationTypes: operationTypes))]
        + directives.map { .directive($0) }
        + references.definitions.filter { !BuiltIn.isType($0.name.value) }.map { .type($0) })
  }

  // MARK: - What is wrong

  /// Reports what makes the answer useless.
  mutating func report(_ message: String, at node: JSONNode) {
    diagnostics.append(Diagnostic(.invalidIntrospection, message, at: span(of: node)))
  }

  /// Reports what can be left out, or can be guessed.
  mutating func tolerate(_ message: String, at node: JSONNode) { tolerate(message, at: span(of: node)) }

  private mutating func tolerate(_ message: String, at span: SourceSpan) {
    diagnostics.append(
      Diagnostic(.invalidIntrospection, severity: isLenient ? .warning : .error, message, at: span))
  }

  func span(of node: JSONNode) -> SourceSpan { SourceSpan(node.range, in: source) }

  /// The member `name` of an object, with its place. A name that no text can have is an error.
  ///
  /// - Parameters:
  ///   - node: The object.
  ///   - isEnumValue: Whether it is the name of an enum value. The default is false.
  /// - Returns: The name; nil if there is none.
  mutating func name(of node: JSONNode, isEnumValue: Bool = false) -> Name? {
    guard let value = node["name"], let text = value.string else { return nil }
    let name = Name(text, span: span(of: value))
    if let problem = isEnumValue ? name.problemAsEnumValue : name.problem {
      diagnostics.append(Diagnostic(.invalidName, problem, at: name.span))
    }
    return name
  }

  // MARK: - Types

  private mutating func rootTypes(
    _ schema: JSONNode, _ references: IntrospectionReferences
  ) -> [RootOperationTypeDefinition] {
    OperationType.allCases.compactMap { operation in
      guard let root = schema[operation.rawValue + "Type"] else { return nil }
      guard let name = self.name(of: root) else {
        report("Invalid introspection result: \"\(operation.rawValue)Type\" has no \"name\".", at: root)
        return nil
      }
      if !references.isDefined(name) {
        let message = IntrospectionReferences.unknown(name, "\"\(operation.rawValue)Type\"")
        if operation == .query { report(message, at: root) } else { tolerate(message, at: root) }
        if isLenient { return nil }
      }
      return RootOperationTypeDefinition(operation: operation, type: name)
    }
  }

  private mutating func type(_ value: JSONNode) -> TypeDefinition? {
    guard let name = self.name(of: value), let kind = value["kind"]?.string else {
      let which = value["name"]?.string.map { "\"\($0)\"" } ?? "a type"
      tolerate(
        "Invalid or incomplete introspection result: \(which) has no \"name\" or no \"kind\".", at: value)
      return nil
    }
    guard let body = body(ofKind: kind, from: value, named: name.value) else { return nil }
    var directives: [Directive] = []
    // (Before the specification of 2021 it had another name.)
    if let url = (value["specifiedByURL"] ?? value["specifiedByUrl"])?.string {
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
      let fields = list("fields", of: value, name), interfaces = list("interfaces", of: value, name)
      return .object(interfaces: names(interfaces), fields: fields.compactMap { field($0, of: name) })
    case "INTERFACE":
      let fields = list("fields", of: value, name)
      // (Before the specification of 2021, interfaces implemented none.)
      return .interface(
        interfaces: names(value["interfaces"]?.array ?? []), fields: fields.compactMap { field($0, of: name) })
    case "UNION": return .union(members: names(list("possibleTypes", of: value, name)))
    case "ENUM": return .enum(values: list("enumValues", of: value, name).compactMap { enumValue($0, of: name) })
    case "INPUT_OBJECT":
      return .inputObject(fields: list("inputFields", of: value, name).compactMap { inputValue($0, of: name + ".") })
    default:
      tolerate(
        "Invalid or incomplete introspection result: type \"\(name)\" has the unknown kind \"\(kind)\".", at: value)
      return nil
    }
  }

  /// The elements of a list that a type has to have.
  private mutating func list(_ key: String, of value: JSONNode, _ type: String) -> [JSONNode] {
    if let list = value[key]?.array { return list }
    tolerate("Introspection result missing \(key): type \"\(type)\" must have them.", at: value)
    return []
  }

  private mutating func names(_ values: [JSONNode]) -> [Name] { values.compactMap { name(of: $0) } }

  func text(_ value: JSONNode?) -> StringValue? {
    value?.string.map { StringValue($0, isBlock: BlockString.canHold($0)) }
  }
}
