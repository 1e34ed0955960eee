import ApolloIR

/// Writes a mock of an object type: a class whose fields are set one by one, of which selection sets are made in tests.
struct MockRenderer {
  private let types: SwiftTypes
  private let module: String
  private let style: DeclarationStyle
  /// The names of the mocks in Swift, by type. No two differ in case only, as they are names of files as well.
  private let names: [String: String]
  private let enums: [String: EnumType]
  private let scalarModules: [String]
  private let isSchemaPublic: Bool

  init(_ program: Program, types: SwiftTypes, mocks: RenderingOptions.Mocks) {
    let options = types.options
    self.types = types.seen(from: .outside)
    module = mocks.module
    style = DeclarationStyle(mocks.accessLevel, options)
    names = Self.names(program.schemaTypes.objects.filter { !$0.fields.isEmpty }, options)
    enums = Dictionary(program.schemaTypes.enums.map { ($0.name, $0) }) { first, _ in first }
    isSchemaPublic = (options.schemaAccessLevel ?? options.accessLevel) == .public
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
    for module in ["ApolloTestSupport", "ApolloAPI"] { imports.add(module, style.accessLevel) }
    if isSchemaPublic { imports.add(module, style.accessLevel) } else { imports.addTestable(module) }
    for module in scalarModules where usesModule(module, object) { imports.add(module, style.accessLevel) }
    return imports
  }

  func render(_ object: ObjectType, to writer: inout CodeWriter) {
    let name = Identifier.escaped(name(of: object))
    writer.blankLine()
    writer.block("\(style.type)enum \(name): MockObject") { writer in
      writer.line("\(style.access)static let typename = \(Literal.string(object.name))")
      writer.line("\(style.access)static let mockFields = MockFields()")
      writer.blankLine()
      writer.block("\(style.access)struct MockFields: MockFieldList") { writer in
        for field in object.fields { render(field, to: &writer) }
        writer.blankLine()
        let fields = object.fields.map { "\(Self.property($0)).erased" }
        writer.line("\(style.access)var all: [AnyMockField] { [\(fields.joined(separator: ", "))] }")
      }
    }
    initializer(object, name: name, &writer)
  }

  private func usesModule(_ module: String, _ object: ObjectType) -> Bool {
    object.fields.contains { field in
      types.mapping(of: field.type)?.module == module
    }
  }

  private static func property(_ field: ObjectType.Field) -> String {
    Identifier.escaped(ReservedNames.member(field.name == "all" ? "all_" : field.name))
  }

  private func render(_ field: ObjectType.Field, to writer: inout CodeWriter) {
    var arguments = [Literal.string(field.name)]
    if field.responseKeys != [field.name] {
      arguments.append("responseKeys: [\(field.responseKeys.map(Literal.string).joined(separator: ", "))]")
    }
    if !field.type.isNullable { arguments.append("default: \(defaultValue(field.type, field))") }
    writer.line(
      "\(style.access)let \(Self.property(field)) = MockField<\(type(field.type.unwrapped, field))>("
        + arguments.joined(separator: ", ") + ")")
  }

  /// The type of a field's value.
  private func type(_ type: ValueType, _ field: ObjectType.Field) -> SwiftType {
    types.output(
      type, object: mockName(field.typeName).map { .generic("Mock", .named($0)) } ?? .named("InterfaceMock"))
  }

  /// nil for an interface or a union.
  private func mockName(_ typeName: String) -> String? { names[typeName].map(Identifier.escaped) }

  /// What a field that is not null has if nobody says otherwise; nil for none.
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
    // Made when it is asked for: objects may contain each other.
    case .object: return mockName(field.typeName).map { "Mock<\($0)>()" } ?? "nil"
    case .inputObject, .nullable: return "nil"
    }
  }

  /// How fields of interfaces and unions are set.
  private static let assignable: [SwiftType: String] = [
    .named("InterfaceMock"): "(any AnyMock)?", .array(.named("InterfaceMock")): "[any AnyMock]?",
    .array(.optional(.named("InterfaceMock"))): "[(any AnyMock)?]?",
  ]

  private func initializer(_ object: ObjectType, name: String, _ writer: inout CodeWriter) {
    writer.blankLine()
    writer.block("\(style.isolation)extension Mock where O == \(name)") { writer in
      let parameters = object.fields.map { field in
        let type = type(field.type.unwrapped, field)
        return "\(Self.property(field)): \(Self.assignable[type] ?? "\(type)?") = nil"
      }
      writer.function("\(style.access)convenience init", parameters) { writer in
        writer.line("self.init()")
        for field in object.fields {
          let name = Self.property(field)
          writer.line("self.\(name) = \(name)")
        }
      }
    }
  }
}
