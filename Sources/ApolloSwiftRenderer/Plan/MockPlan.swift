import ApolloIR

/// A mock of an object type.
struct MockPlan {
  struct Field {
    /// The name of the field in the schema.
    var key: String
    /// The alias, if it stands for one alias of the field only.
    var alias: String?
    /// The name in the list of fields, by which the mock has it as well.
    var name: String
    /// The name of the parameter. If it is not ``name``, the mock has a property of this name, too.
    var parameter: String
    /// The type without the optional that every field of a mock has.
    var type: SwiftType
    /// The type that a test passes to the initializer.
    var parameterType: SwiftType
    /// The names that the field has in responses; nil if it has its own name only.
    var responseKeys: [String]?
    /// The argument for the initial value of a non-null field that a test does not set; nil for a nullable field.
    var defaultArgument: String?
  }

  /// The name in Swift, without backticks. It is also the name of a file.
  var name: String
  /// The name of the type in the schema.
  var typename: String
  var imports: Imports
  /// The fields by their names and aliases, which is the order of the parameters in Apollo iOS.
  var fields: [Field]
}

/// Plans mocks of the object types that are described for the cache, and of those that operations may receive.
struct MockPlanner {
  private let types: SwiftTypes
  private let placement: CodePlacement.Mocks
  private let objects: [ObjectType]
  /// The names of the mocks in Swift, by type. They differ in more than case, because they are also names of files.
  private let names: [String: String]
  private let enums: [String: EnumType]

  init(_ program: Program, types: SwiftTypes, mocks: CodePlacement.Mocks) {
    self.types = types.seen(from: .mocks)
    placement = mocks
    objects = program.schemaTypes.objects.filter { $0.isReceived || !types.options.reducesSchemaTypes }
    names = Self.names(objects, types.options)
    enums = Dictionary(program.schemaTypes.enums.map { ($0.name, $0) }) { first, _ in first }
  }

  var plans: [MockPlan] {
    objects.map { object in
      MockPlan(
        name: names[object.name] ?? object.name, typename: object.name, imports: imports(of: object),
        fields: fields(of: object).sorted { ($0.alias ?? $0.key) < ($1.alias ?? $1.key) })
    }
  }

  /// Whether a mock mentions a type of the schema or of the app: public code cannot mention an internal one.
  var mentionsSchema: Bool { objects.contains { hasEnum($0) || hasScalar($0) } }

  private func hasEnum(_ object: ObjectType) -> Bool {
    object.fields.contains { if case .enum = $0.type.leaf { true } else { false } }
  }

  private func hasScalar(_ object: ObjectType) -> Bool {
    object.fields.contains { field in
      if case .scalar(let scalar) = field.type.leaf { return types.isOfApp(scalar) }
      return if case .customScalar = field.type.leaf { true } else { false }
    }
  }

  private static func names(_ objects: [ObjectType], _ options: RenderingOptions) -> [String: String] {
    let reserved = ReservedNames.types.union(ReservedNames.suffixed).union(ReservedNames.mocks)
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for object in objects {
      var name = Identifier.uppercasedFirst(options.typeName(object.name))
      if reserved.contains(name) { name += "_Object" }
      names[object.name] = taken.claimFile(name)
    }
    return names
  }

  private func imports(of object: ObjectType) -> Imports {
    let level = placement.accessLevel
    var imports = Imports()
    imports.add("ApolloTestSupport", level)
    if hasEnum(object) { imports.add("ApolloAPI", level) }
    if hasEnum(object) || hasScalar(object) {
      if types.options.placement.schemaAccessLevel == .public {
        imports.add(placement.module, level)
      } else {
        imports.addTestable(placement.module)
      }
    }
    for module in Set(object.fields.flatMap { types.mapping(of: $0.type)?.importedModules ?? [] }).sorted() {
      imports.add(module, level)
    }
    return imports
  }

  /// The fields of the schema, and those for aliases, as in Apollo iOS. Their properties differ from the members of a mock,
  /// and from types that the mock mentions. (Those for aliases get their names last: they change no other name.)
  private func fields(of object: ObjectType) -> [MockPlan.Field] {
    var taken = ReservedNames.members.union(ReservedNames.mockMembers).union(ReservedNames.mentioned)
    taken.formUnion(ReservedNames.mocks)
    let mentioned = object.fields.reduce(into: Set<String>()) { $0.formUnion(type($1.type, of: $1).names) }
    taken.formUnion(mentioned)
    var fields = object.fields.map { plan($0, name: taken.claim(types.options.capitalization.apply(to: $0.name))) }
    for field in object.fields {
      for alias in field.aliases {
        fields.append(plan(field, alias: alias, name: taken.claim(types.options.capitalization.apply(to: alias))))
      }
    }
    var properties = ReservedNames.mockProperties.subtracting(mentioned)
    for index in fields.indices {
      let name = types.options.capitalization.apply(to: fields[index].alias ?? fields[index].key)
      if properties.remove(name) != nil { fields[index].parameter = name }
    }
    return fields
  }

  private func plan(_ field: ObjectType.Field, alias: String, name: String) -> MockPlan.Field {
    var plan = plan(field, name: name)
    plan.alias = alias
    plan.responseKeys = nil
    plan.defaultArgument = nil
    return plan
  }

  private func plan(_ field: ObjectType.Field, name: String) -> MockPlan.Field {
    let type = type(field.type.unwrapped, of: field)
    return MockPlan.Field(
      key: field.name, name: name, parameter: name, type: type, parameterType: .optional(Self.parameter(type)),
      responseKeys: field.responseKeys == [field.name] ? nil : field.responseKeys,
      defaultArgument: field.type.isNullable ? nil : defaultArgument(field.type, of: field))
  }

  private func defaultArgument(_ type: ValueType, of field: ObjectType.Field) -> String {
    if case .customScalar(let name) = type, types.options.customScalars[name] == nil, !types.isString(name) {
      // The type is in a file of the app, and may not be a `String` any more.
      return "defaultText: \"\""
    }
    return "default: " + defaultValue(type, of: field)
  }

  private static let abstract = SwiftType.named("InterfaceMock"), anyMock = SwiftType.existential("AnyMock")

  /// A test passes any mock for a field of an interface or a union.
  private static func parameter(_ type: SwiftType) -> SwiftType {
    switch type {
    case abstract: anyMock
    case .array(abstract): .array(anyMock)
    case .array(.optional(abstract)): .array(.optional(anyMock))
    default: type
    }
  }

  /// The type of a field's value.
  private func type(_ type: ValueType, of field: ObjectType.Field) -> SwiftType {
    types.output(type, object: mockName(field.typeName).map { .generic("Mock", .named($0)) } ?? Self.abstract)
  }

  /// The name of the mock of a type; nil for an interface or a union.
  private func mockName(_ typeName: String) -> String? { names[typeName].map(Identifier.escaped) }

  private func defaultValue(_ type: ValueType, of field: ObjectType.Field) -> String {
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
    case .inputObject, .nullable, .result: return "nil"
    }
  }
}
