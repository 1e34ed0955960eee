import ApolloIR

/// Writes a mock of an object type: a class whose fields are set one by one. Tests make selection sets of it.
struct MockRenderer {
  private let types: SwiftTypes
  private let module: String
  private let style: DeclarationStyle
  /// The names of the mocks in Swift, by type. They differ in more than case, because they are also names of files.
  private let names: [String: String]
  private let enums: [String: EnumType]
  private let scalarModules: [String]
  private let isSchemaPublic: Bool

  init(_ program: Program, types: SwiftTypes, mocks: CodePlacement.Mocks) {
    let options = types.options
    self.types = types.seen(from: .mocks)
    module = mocks.module
    style = DeclarationStyle(mocks.accessLevel, options)
    names = Self.names(program.schemaTypes.objects.filter { !$0.fields.isEmpty }, options)
    enums = Dictionary(program.schemaTypes.enums.map { ($0.name, $0) }) { first, _ in first }
    isSchemaPublic = options.placement.schemaAccessLevel == .public
    scalarModules = Set(options.customScalars.values.compactMap(\.module)).sorted()
  }

  private static func names(_ objects: [ObjectType], _ options: RenderingOptions) -> [String: String] {
    let reserved = ReservedNames.types.union(ReservedNames.mocks)
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for object in objects {
      var name = options.typeName(Identifier.uppercasedFirst(object.name))
      if reserved.contains(name) { name += "_Object" }
      while !taken.insert(name.lowercased()).inserted { name += "_" }
      names[object.name] = name
    }
    return names
  }

  func name(of object: ObjectType) -> String { names[object.name] ?? object.name }

  func imports(of object: ObjectType) -> Imports {
    var imports = Imports()
    imports.add("ApolloTestSupport", style.accessLevel)
    let values = object.fields.map(\.type.leaf)
    let hasEnum = values.contains { if case .enum = $0 { true } else { false } }
    let hasScalar = values.contains { if case .customScalar = $0 { true } else { false } }
    if hasEnum { imports.add("ApolloAPI", style.accessLevel) }
    if hasEnum || hasScalar {
      if isSchemaPublic { imports.add(module, style.accessLevel) } else { imports.addTestable(module) }
    }
    for module in scalarModules where usesModule(module, object) { imports.add(module, style.accessLevel) }
    return imports
  }

  func render(_ object: ObjectType, to writer: inout CodeWriter) {
    let name = Identifier.escaped(name(of: object)), properties = properties(of: object)
    writer.blankLine()
    writer.block("\(style.type)enum \(name): MockObject") { writer in
      writer.line("\(style.access)static let typename = \(Literal.string(object.name))")
      writer.line("\(style.access)static let mockFields = MockFields()")
      writer.blankLine()
      writer.block("\(style.access)struct MockFields: MockFieldList") { writer in
        for (field, property) in zip(object.fields, properties) { render(field, property, to: &writer) }
        writer.blankLine()
        let fields = properties.map { "\(Identifier.escaped($0)).erased" }
        writer.line("\(style.access)var all: [AnyMockField] { [\(fields.joined(separator: ", "))] }")
      }
    }
    initializer(object, properties, name: name, &writer)
  }

  private func usesModule(_ module: String, _ object: ObjectType) -> Bool {
    object.fields.contains { field in
      types.mapping(of: field.type)?.module == module
    }
  }

  /// The names of the properties for the fields. They differ from the members of a mock, and from types that the mock
  /// mentions.
  private func properties(of object: ObjectType) -> [String] {
    var taken = ReservedNames.members.union(ReservedNames.mockMembers).union(ReservedNames.mentioned)
    taken.formUnion(ReservedNames.mocks)
    for field in object.fields { taken.formUnion(type(field.type, field).names) }
    return object.fields.map { NameResolver.claim($0.name, &taken) }
  }

  private func render(_ field: ObjectType.Field, _ property: String, to writer: inout CodeWriter) {
    var arguments = [Literal.string(field.name)]
    if field.responseKeys != [field.name] {
      arguments.append("responseKeys: [\(field.responseKeys.map(Literal.string).joined(separator: ", "))]")
    }
    if !field.type.isNullable { arguments.append("default: \(defaultValue(field.type, field))") }
    writer.line(
      "\(style.access)let \(Identifier.escaped(property)) = MockField<\(type(field.type.unwrapped, field))>("
        + arguments.joined(separator: ", ") + ")")
  }

  /// The type of a field's value.
  private func type(_ type: ValueType, _ field: ObjectType.Field) -> SwiftType {
    types.output(
      type, object: mockName(field.typeName).map { .generic("Mock", .named($0)) } ?? .named("InterfaceMock"))
  }

  /// The name of the mock of a type; nil for an interface or a union.
  private func mockName(_ typeName: String) -> String? { names[typeName].map(Identifier.escaped) }

  /// The initial value of a non-null field that a test does not set.
  private func defaultValue(_ type: ValueType, _ field: ObjectType.Field) -> String {
    switch type {
    case .list: return "[]"
    case .scalar(let scalar) where !types.isUsual(scalar):
      return Numbers.contains(types.leaf(type).description) ? "0" : "nil"
    case .scalar(.int), .scalar(.float): return "0"
    case .scalar(.boolean): return "false"
    case .scalar(.string), .scalar(.id): return "\"\""
    case .customScalar(let name): return types.isString(name) ? "\"\"" : "nil"
    case .enum(let name):
      guard let type = enums[name], let first = types.names.enumCases(type).first else { return "nil" }
      return ".case(.\(Identifier.escaped(first.name)))"
    // Made when the field is read, because objects may contain each other.
    case .object: return mockName(field.typeName).map { "Mock<\($0)>()" } ?? "nil"
    case .inputObject, .nullable: return "nil"
    }
  }

  /// The types to which fields of interfaces and unions are set.
  private static let assignable: [SwiftType: String] = [
    .named("InterfaceMock"): "(any AnyMock)?", .array(.named("InterfaceMock")): "[any AnyMock]?",
    .array(.optional(.named("InterfaceMock"))): "[(any AnyMock)?]?",
  ]

  private func initializer(
    _ object: ObjectType, _ properties: [String], name: String, _ writer: inout CodeWriter
  ) {
    writer.blankLine()
    writer.block("\(style.isolation)extension Mock where O == \(name)") { writer in
      let parameters = zip(object.fields, properties).map { field, property in
        let type = type(field.type.unwrapped, field)
        return "\(Identifier.escaped(property)): \(Self.assignable[type] ?? "\(type)?") = nil"
      }
      writer.function("\(style.access)convenience init", parameters) { writer in
        writer.line("self.init()")
        for name in properties.map(Identifier.escaped) {
          writer.line("self.\(name) = \(name)")
        }
      }
    }
  }
}
