public import GraphQLSyntax

/// What a schema is made of: the definitions of all documents, each with its extensions merged in.
struct SchemaParts {
  private(set) var definition: SchemaDefinition?
  private(set) var directives: [DirectiveDefinition] = []
  private(set) var diagnostics: [Diagnostic] = []
  private var definitions: [TypeDefinition] = []
  /// Positions in `definitions` by name.
  private var positions: [String: Int] = [:]
  /// Positions in `directives` by name.
  private var directivePositions: [String: Int] = [:]

  private let allowsFieldExtensions: Bool

  /// Reads documents as one. Extensions are applied last, as they may come before what they extend.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - allowsFieldExtensions: Whether an extension can repeat a field to add directives to it. The default is false.
  init(merging documents: [Document], allowsFieldExtensions: Bool = false) {
    self.allowsFieldExtensions = allowsFieldExtensions
    var extensions: [TypeDefinition] = []
    var schemaExtensions: [SchemaDefinition] = []
    var directiveExtensions: [DirectiveDefinition] = []
    for document in documents {
      for definition in document.definitions {
        let invalidNames = document.isParsed ? [] : definition.invalidNames
        guard invalidNames.isEmpty else {
          diagnostics += invalidNames
          continue
        }
        switch definition {
        case .schema(let schema) where schema.isExtension: schemaExtensions.append(schema)
        case .schema(let schema): define(schema)
        case .type(let type) where type.isExtension: extensions.append(type)
        case .type(let type): define(type)
        case .directive(let directive) where directive.isExtension: directiveExtensions.append(directive)
        case .directive(let directive): define(directive)
        case .operation, .fragment: break
        }
      }
    }
    for type in extensions { extend(type) }
    for schema in schemaExtensions { extend(schema) }
    for directive in directiveExtensions { extend(directive) }
  }

  /// The types in the order of their definition.
  var types: [NamedType] { definitions.map(NamedType.init(merged:)) }

  /// The names of the root types: those of the schema definition; without one, the default names.
  var rootTypes: [OperationType: String] {
    guard let definition else {
      let defaults = OperationType.allCases.map { ($0, $0.defaultTypeName) }
      return Dictionary(uniqueKeysWithValues: defaults.filter { positions[$0.1] != nil })
    }
    return Dictionary(definition.operationTypes.map { ($0.operation, $0.type.value) }) { first, _ in first }
  }

  /// The built-in scalars that nothing refers to.
  var unreferencedScalars: Set<String> {
    // `String` and `Boolean` are used by introspection.
    var unreferenced: Set<String> = ["Int", "Float", "ID"]
    visitTypeNames { name in
      if name.value.utf8.count <= 5 { unreferenced.remove(name.value) }
      return !unreferenced.isEmpty
    }
    return unreferenced
  }

  /// The names of all types that are defined or referred to.
  var referencedTypes: Set<String> {
    var names: Set<String> = []
    visitTypeNames { name in
      names.insert(name.value)
      return true
    }
    return names
  }

  /// Calls `body` with each name of a type, until it has enough.
  private func visitTypeNames(_ body: (Name) -> Bool) {
    var wantsMore = true
    func visit(_ name: Name) { if wantsMore { wantsMore = body(name) } }
    func visit(_ type: TypeReference) { visit(type.namedType) }
    for directive in directives { directive.arguments.forEach { visit($0.type) } }
    for definition in definitions where wantsMore {
      visit(definition.name)
      switch definition.body {
      case .object(let interfaces, let fields), .interface(let interfaces, let fields):
        interfaces.forEach { visit($0) }
        for field in fields {
          visit(field.type)
          for argument in field.arguments { visit(argument.type) }
        }
      case .inputObject(let fields): for field in fields { visit(field.type) }
      case .union(let members): members.forEach { visit($0) }
      case .scalar, .enum: break
      }
    }
  }

  // MARK: - Definitions

  private mutating func define(_ schema: SchemaDefinition) {
    if let first = definition {
      diagnostics.append(
        Diagnostic(
          .duplicateSchemaDefinition, "Must provide only one schema definition.", at: schema.span,
          labels: [.init("first defined here", at: first.span)]))
    } else {
      definition = schema
    }
  }

  private mutating func define(_ type: TypeDefinition) {
    if let first = positions[type.name.value] {
      reportDuplicate(
        "type named \"\(type.name)\"", code: .duplicateType, at: type.name, first: definitions[first].name.span)
    } else {
      positions[type.name.value] = definitions.count
      definitions.append(type)
    }
  }

  private mutating func define(_ directive: DirectiveDefinition) {
    if let first = directivePositions[directive.name.value] {
      reportDuplicate(
        "directive named \"@\(directive.name)\"", code: .duplicateDirective, at: directive.name,
        first: directives[first].name.span)
    } else {
      directivePositions[directive.name.value] = directives.count
      directives.append(directive)
    }
  }

  private mutating func reportDuplicate(
    _ what: String, code: Diagnostic.Code, at name: Name, first: SourceSpan
  ) {
    diagnostics.append(
      Diagnostic(
        code, "There can be only one \(what).", at: name.span, labels: [.init("first defined here", at: first)]))
  }

  // MARK: - Extensions

  private mutating func extend(_ schema: SchemaDefinition) {
    if definition == nil {
      // The default root types are what is being extended.
      let defaults = OperationType.allCases.compactMap { operation in
        rootTypes[operation].map { RootOperationTypeDefinition(operation: operation, type: Name($0)) }
      }
      definition = SchemaDefinition(operationTypes: defaults)
    }
    definition?.directives += schema.directives
    definition?.operationTypes += schema.operationTypes
  }

  private mutating func extend(_ directive: DirectiveDefinition) {
    guard let position = directivePositions[directive.name.value] else {
      // What is built in is the same in all schemas.
      if BuiltIn.isDirective(directive.name.value) { return }
      let message = "Cannot extend directive \"@\(directive.name)\" because it is not defined."
      diagnostics.append(Diagnostic(.undefinedExtension, message, at: directive.name.span))
      return
    }
    directives[position].directives += directive.directives
  }

  private mutating func extend(_ type: TypeDefinition) {
    guard let position = positions[type.name.value] else {
      let message = "Cannot extend type \"\(type.name)\" because it is not defined."
      diagnostics.append(Diagnostic(.undefinedExtension, message, at: type.name.span))
      return
    }
    let body =
      allowsFieldExtensions ? definitions[position].body.takingDirectives(ofFieldsIn: type.body) : type.body
    guard definitions[position].body.append(body) else {
      let message = "Cannot extend non-\(type.body.kindName) type \"\(type.name)\"."
      diagnostics.append(
        Diagnostic(
          .mismatchedExtension, message, at: type.span,
          labels: [.init("defined here", at: definitions[position].name.span)]))
      return
    }
    definitions[position].directives += type.directives
  }
}

extension TypeDefinition.Body {
  /// Adds the directives of the fields that an extension repeats, and returns the extension without these fields.
  fileprivate mutating func takingDirectives(ofFieldsIn other: TypeDefinition.Body) -> TypeDefinition.Body {
    switch (self, other) {
    case (.object(let interfaces, var fields), .object(let others, let repeated)):
      let rest = repeated.filter { !fields.addDirectives(of: $0) }
      self = .object(interfaces: interfaces, fields: fields)
      return .object(interfaces: others, fields: rest)
    case (.interface(let interfaces, var fields), .interface(let others, let repeated)):
      let rest = repeated.filter { !fields.addDirectives(of: $0) }
      self = .interface(interfaces: interfaces, fields: fields)
      return .interface(interfaces: others, fields: rest)
    default: return other
    }
  }

  /// Adds the members of an extension. False when it extends another kind of type.
  fileprivate mutating func append(_ other: TypeDefinition.Body) -> Bool {
    // Each case gives up the stored array before it appends, so that many extensions of one type copy it only once.
    switch (self, other) {
    case (.scalar, .scalar): return true
    case (.object(var interfaces, var fields), .object(let moreInterfaces, let moreFields)):
      self = .scalar
      interfaces += moreInterfaces
      fields += moreFields
      self = .object(interfaces: interfaces, fields: fields)
    case (.interface(var interfaces, var fields), .interface(let moreInterfaces, let moreFields)):
      self = .scalar
      interfaces += moreInterfaces
      fields += moreFields
      self = .interface(interfaces: interfaces, fields: fields)
    case (.union(var members), .union(let more)):
      self = .scalar
      members += more
      self = .union(members: members)
    case (.enum(var values), .enum(let more)):
      self = .scalar
      values += more
      self = .enum(values: values)
    case (.inputObject(var fields), .inputObject(let more)):
      self = .scalar
      fields += more
      self = .inputObject(fields: fields)
    default: return false
    }
    return true
  }

  /// What a message calls this kind of type.
  public var kindName: String {
    switch self {
    case .scalar: "scalar"
    case .object: "object"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .inputObject: "input object"
    }
  }
}

extension [FieldDefinition] {
  /// Adds the directives of a repeated field to the field of this name. False if there is none.
  fileprivate mutating func addDirectives(of field: FieldDefinition) -> Bool {
    guard let position = firstIndex(where: { $0.name.value == field.name.value }) else { return false }
    self[position].directives += field.directives
    return true
  }
}

extension NamedType {
  fileprivate init(merged definition: TypeDefinition) {
    switch definition.body {
    case .scalar: self = .scalar(ScalarType(definition))
    case .object(let interfaces, let fields):
      self = .object(ObjectType(definition, interfaces: interfaces, fields: fields))
    case .interface(let interfaces, let fields):
      self = .interface(InterfaceType(definition, interfaces: interfaces, fields: fields))
    case .union(let members): self = .union(UnionType(definition, members: members))
    case .enum(let values): self = .enum(EnumType(definition, values: values))
    case .inputObject(let fields): self = .inputObject(InputObjectType(definition, fields: fields))
    }
  }
}

extension OperationType {
  /// The name of the root type where no `schema` definition says otherwise
  /// — [spec](https://spec.graphql.org/September2025/#sec-Root-Operation-Types.Default-Root-Operation-Type-Names)
  public var defaultTypeName: String {
    switch self {
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }
}
