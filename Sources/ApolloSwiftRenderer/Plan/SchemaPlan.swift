import ApolloDirectives
import ApolloIR

/// The file with the schema's types.
struct SchemaPlan {
  var imports: Imports
  /// The type that `ID` is another name for; nil if there is no such name.
  var id: SwiftType?
  var scalars: [ScalarPlan]
  var enums: [EnumPlan]
  var inputObjects: [InputObjectPlan]
  /// The object types that satisfy type conditions, by the names of constants.
  var possibleTypes: [(name: String, types: [String])]
  /// The description of the schema for the cache; nil if there is none.
  var metadata: SchemaMetadataPlan?
}

/// A custom scalar, which is another name for a type.
struct ScalarPlan {
  var name: String
  var type: SwiftType
  var documentation: [String]
}

/// An enum of the schema.
struct EnumPlan {
  struct Case {
    var name: String
    /// The value in the schema.
    var value: String
    var documentation: [String]
    var deprecation: String?
  }

  var name: String
  /// The enum, as it is written outside of any namespace.
  var type: SwiftType
  var documentation: [String]
  var cases: [Case]
}

/// The description of the schema for the cache.
struct SchemaMetadataPlan {
  /// A type of the schema as a constant.
  struct Constant {
    var name: String
    /// The name in the schema.
    var typename: String
    /// The fields that identify objects; nil if the type does not say.
    var keyFields: [String]?
    /// The fields of an object whose objects are deleted with it.
    var cascadingFields: [String] = []
    /// How old the objects of a type, and its fields, may be.
    var maxAge: DeclaredAge?
    var fieldMaxAges: [ObjectType.FieldMaxAge] = []
    /// The constants of an object's interfaces.
    var interfaces: [String] = []
    /// The object types of an interface by their names in the schema, or those of a union by their constants.
    var possibleTypes: [String] = []
  }

  /// Whether the app declares `SchemaConfiguration`.
  var hasConfiguration: Bool
  /// The constant of the root of queries, if it has another name than `Query`, which the cache gives it.
  var renamedQueryRoot: String?
  var objects: [Constant]
  var interfaces: [Constant]
  var unions: [Constant]

  /// Whether the types say something about ages.
  var declaresMaxAges: Bool { objects.contains { $0.maxAge != nil || !$0.fieldMaxAges.isEmpty } }
}

extension Planner {
  func plan(_ schema: SchemaTypes) -> SchemaPlan {
    let placement = types.options.placement
    // Apollo iOS generates a file for it, which the app may have kept.
    let hasID = placement.namespace != nil && !placement.providedTypes.contains("ID")
    let types = types.seen(from: .schema)
    return SchemaPlan(
      imports: Imports(schema, types.options, hasID: hasID), id: hasID ? types.leaf(.scalar(.id), isInput: true) : nil,
      scalars: schema.customScalars.compactMap(plan), enums: schema.enums.map(plan),
      inputObjects: schema.inputObjects.map { plan($0, types: types) },
      possibleTypes: schema.typeConditions.map {
        (Identifier.escaped(types.names.typeSet($0.name)), $0.possibleTypes)
      },
      metadata: placement.hasSchemaMetadata ? metadata(of: schema) : nil)
  }

  /// nil for a scalar whose type the app declares itself, perhaps in a file that was once generated for it.
  private func plan(_ scalar: CustomScalarType) -> ScalarPlan? {
    let options = types.options, name = types.names.schemaType(scalar.name)
    let type: SwiftType
    if let mapping = options.customScalars[scalar.name] {
      type = Self.type(of: mapping)
    } else {
      guard !options.placement.providedTypes.contains(name) else { return nil }
      if options.passthroughScalarPrefix == nil, options.placement.writesEditableFiles { return nil }
      if options.passthroughScalarPrefix == "" { return nil }
      type = .named(options.passthroughScalarPrefix.map { $0 + scalar.name } ?? "String")
    }
    // A type of this module with the name of the scalar needs no alias.
    guard type != .named(name) else { return nil }
    let link = scalar.specifiedByURL.map { "Specified by <\($0)>." }
    return ScalarPlan(
      name: name, type: type,
      documentation: documentation([scalar.description, link].compactMap { $0 }.joined(separator: "\n\n")))
  }

  /// The type of a mapping. Its module stands before a name, so that no other imported module may have the type; before
  /// lists and the like, it cannot stand.
  private static func type(of mapping: RenderingOptions.ScalarMapping) -> SwiftType {
    guard let module = mapping.module, TypeText.isPath(mapping.type), !mapping.type.hasPrefix(module + ".") else {
      return .named(mapping.type)
    }
    return .member(mapping.type, of: .named(module))
  }

  private func plan(_ type: EnumType) -> EnumPlan {
    let name = types.names.schemaType(type.name)
    return EnumPlan(
      name: name, type: types.seen(from: .outside).inSchema(name), documentation: documentation(type.description),
      cases: types.names.enumCases(type).map { value, name in
        EnumPlan.Case(
          name: name, value: value.name,
          documentation: documentation(value.description, deprecated: value.deprecationReason),
          deprecation: deprecation(value.deprecationReason))
      })
  }

  /// The files for people to change.
  func editableFiles(_ schema: SchemaTypes) -> [EditableFilePlan] {
    let options = types.options, placement = options.placement
    guard placement.writesEditableFiles else { return [] }
    var files: [EditableFilePlan] = []
    if !placement.providedTypes.contains("SchemaConfiguration") {
      files.append(EditableFilePlan(name: "SchemaConfiguration.swift", content: .schemaConfiguration))
    }
    guard options.passthroughScalarPrefix == nil else { return files }
    var taken: Set<String> = []
    for scalar in schema.customScalars where options.customScalars[scalar.name] == nil {
      let name = types.names.schemaType(scalar.name), file = taken.claimFile(name)
      guard placement.providedTypes.isDisjoint(with: [name, file]) else { continue }
      files.append(
        EditableFilePlan(
          name: "CustomScalars/\(file).swift",
          content: .scalar(name: name, documentation: documentation(scalar.description))))
    }
    return files
  }

  // MARK: - For the cache

  private func metadata(of schema: SchemaTypes) -> SchemaMetadataPlan {
    let isReduced = types.options.reducesSchemaTypes, members = Set(schema.unions.flatMap(\.possibleTypes))
    let objects = schema.objects.filter {
      !isReduced || $0.isMentioned || members.contains($0.name)
        || $0.isReceived && ($0.keyFields != nil || $0.hasCacheRules)
    }
    let implemented = Set(objects.flatMap(\.interfaces))
    let interfaces = schema.interfaces.filter { !isReduced || implemented.contains($0.name) }
    let objectNames = constants(objects.map(\.name), suffix: "_Object")
    let interfaceNames = constants(interfaces.map(\.name), suffix: "_Interface")
    let unionNames = constants(schema.unions.map(\.name), suffix: "_Union")
    let root = objects.first { $0.isQueryRoot && $0.hasCacheRules }
    let isRenamed = !objects.contains { $0.name == "Query" }
    return SchemaMetadataPlan(
      hasConfiguration: types.options.placement.hasSchemaConfiguration,
      renamedQueryRoot: isRenamed ? root.flatMap { objectNames[$0.name] } : nil,
      objects: objects.map { object in
        SchemaMetadataPlan.Constant(
          name: objectNames[object.name] ?? "", typename: object.name, keyFields: object.keyFields,
          cascadingFields: object.cascadingFields, maxAge: object.maxAge, fieldMaxAges: object.fieldMaxAges,
          interfaces: object.interfaces.compactMap { interfaceNames[$0] })
      },
      interfaces: interfaces.map { interface in
        SchemaMetadataPlan.Constant(
          name: interfaceNames[interface.name] ?? "", typename: interface.name,
          keyFields: interface.keyFields, possibleTypes: interface.possibleTypes)
      },
      unions: schema.unions.map { union in
        SchemaMetadataPlan.Constant(
          name: unionNames[union.name] ?? "", typename: union.name,
          possibleTypes: union.possibleTypes.compactMap { objectNames[$0] })
      })
  }

  /// The constants for types, by their names in the schema.
  private func constants(_ types: [String], suffix: String) -> [String: String] {
    var taken: Set<String> = []
    var names: [String: String] = [:]
    for type in types {
      let name = Identifier.uppercasedFirst(self.types.options.typeName(type))
      // Backticks do not help: `Objects.Type` has another meaning.
      names[type] = taken.claim(ReservedNames.schemaConstants.contains(name) ? name + suffix : name)
    }
    return names
  }
}
