import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax

/// Finds the schema types that operations and fragments mention, and those that their input objects mention.
struct SchemaTypeCollector {
  let schema: Schema
  let directives: SchemaDirectives
  private var used: Set<String> = []
  private var conditions: Set<String> = []
  /// The types that selections are on, with the response keys of the selected fields.
  private var selected: [String: [String: Set<String>]] = [:]
  /// Whether operations that are not known may select any type.
  private var includesAll = false

  init(schema: Schema, directives: SchemaDirectives) {
    self.schema = schema
    self.directives = directives
  }

  mutating func add(_ operation: Operation) {
    for variable in operation.variables { add(variable.type) }
    add(operation.shape)
  }

  mutating func add(_ shape: Shape) {
    let parent = shape.parentType.name
    selected[parent, default: [:]].merge([:]) { first, _ in first }
    for field in shape.keyFields { add(field.type) }
    for member in shape.members {
      switch member {
      case .field(let field):
        selected[parent]?[field.name, default: []].insert(field.responseKey)
        add(field.type)
        if let shape = field.shape { add(shape) }
      case .fragment(let fragment):
        if let type = fragment.typeCondition { conditions.insert(type) }
      case .inlineFragment(let fragment):
        conditions.insert(fragment.typeCondition)
        add(fragment.shape)
      case .deferred(let fragment):
        if let type = fragment.typeCondition { conditions.insert(type) }
        if let shape = fragment.shape { add(shape) }
      }
    }
  }

  /// Adds what any operation may mention.
  mutating func addAll() {
    includesAll = true
    for type in schema.definedTypes {
      switch type {
      case .scalar where BuiltInScalar(rawValue: type.name) != nil: break
      case .scalar, .enum, .inputObject: used.insert(type.name)
      case .object, .interface, .union: conditions.insert(type.name)
      }
    }
  }

  private mutating func add(_ type: ValueType) {
    // Input objects can lead to one another in chains that are longer than a call stack.
    var pending = [type]
    while let type = pending.popLast() {
      switch type.leaf {
      case .enum(let name), .customScalar(let name): used.insert(name)
      case .inputObject(let name):
        guard used.insert(name).inserted, case .inputObject(let object)? = schema.type(named: name) else { continue }
        pending += object.fields.map { ValueType($0.type, in: schema) }
      default: break
      }
    }
  }

  var schemaTypes: SchemaTypes {
    var types = SchemaTypes()
    let all = schema.allTypes
    addComposites(of: all, to: &types)
    let cycles = InputCycles(schema: schema, types: used)
    for type in all {
      if conditions.contains(type.name) {
        types.typeConditions.append(
          TypeCondition(name: type.name, possibleTypes: schema.possibleTypes(of: type).map(\.name)))
      }
      guard used.contains(type.name) else { continue }
      switch type {
      case .enum(let type): types.enums.append(EnumType(type))
      case .inputObject(let type): types.inputObjects.append(InputObjectType(type, in: schema, cycles))
      case .scalar(let scalar):
        types.customScalars.append(
          CustomScalarType(name: type.name, description: type.description, specifiedByURL: scalar.specifiedByURL))
      case .object, .interface, .union: break
      }
    }
    return types
  }
}

extension SchemaTypeCollector {
  /// Adds the objects that operations may receive, the interfaces and unions through which operations select them, and
  /// all other objects with these interfaces.
  private func addComposites(of all: [NamedType], to types: inout SchemaTypes) {
    var possible: Set<String> = []
    for name in includesAll ? all.map(\.name) : Array(selected.keys) {
      guard let type = schema.type(named: name) else { continue }
      possible.formUnion(schema.possibleTypes(of: type).map(\.name))
    }
    let (objects, interfaces) = relatives(of: possible)
    let selections = selectionsByObject
    for type in all {
      let possibleTypes = { schema.possibleTypes(of: type).map(\.name) }
      switch type {
      case .object(let object) where objects.contains(object.name):
        types.objects.append(
          ObjectType(
            name: object.name, interfaces: type.interfaces.map(\.value), keyFields: directives.ownKeyFields(of: type),
            cascadingFields: directives.cascadingFields(of: type), maxAge: directives.maxAge(of: type),
            fieldMaxAges: directives.fieldMaxAges(of: type).map { ObjectType.FieldMaxAge(name: $0, age: $1) },
            fields: fields(of: object, selections[object.name] ?? []),
            isMentioned: selected[object.name] != nil, isReceived: possible.contains(object.name),
            isQueryRoot: object.name == schema.queryType?.name))
      case .interface where interfaces.contains(type.name) || selected[type.name] != nil:
        types.interfaces.append(
          InterfaceType(name: type.name, keyFields: directives.ownKeyFields(of: type), possibleTypes: possibleTypes()))
      case .union where selected[type.name] != nil:
        types.unions.append(UnionType(name: type.name, possibleTypes: possibleTypes()))
      default: break
      }
    }
  }

  /// Objects, with all that implement an interface of one of them, and the interfaces. An app may name each of them
  /// without selecting it.
  private func relatives(of objects: Set<String>) -> (objects: Set<String>, interfaces: Set<String>) {
    var objects = objects
    var pending = objects
    var interfaces: Set<String> = []
    while !pending.isEmpty {
      let owners = pending.compactMap { schema.type(named: $0) }
      let more = Set(owners.flatMap { $0.interfaces.map(\.value) }).subtracting(interfaces)
      interfaces.formUnion(more)
      let implemented = more.compactMap { schema.type(named: $0) }
      pending = Set(implemented.flatMap { schema.possibleTypes(of: $0).map(\.name) }).subtracting(objects)
      objects.formUnion(pending)
    }
    return (objects, interfaces)
  }

  /// What is selected on an object, and on interfaces and unions of which it is a possible type, by its name.
  private var selectionsByObject: [String: [[String: Set<String>]]] {
    var selections: [String: [[String: Set<String>]]] = [:]
    for (name, fields) in selected {
      guard let type = schema.type(named: name) else { continue }
      for object in schema.possibleTypes(of: type) { selections[object.name, default: []].append(fields) }
    }
    return selections
  }

  /// The fields that operations select on objects of a type.
  ///
  /// - Parameters:
  ///   - object: The type.
  ///   - owners: See ``selectionsByObject``.
  /// - Returns: The fields.
  private func fields(
    of object: GraphQLSchema.ObjectType, _ owners: [[String: Set<String>]]
  ) -> [ObjectType.Field] {
    guard !owners.isEmpty else { return [] }
    let keysOfFields = object.fields.map { field -> Set<String> in
      owners.reduce(into: Set<String>()) { $0.formUnion($1[field.name.value] ?? []) }
    }
    var known = Set(object.fields.map { $0.name.value }), shared: Set<String> = []
    for key in keysOfFields.joined() where !known.insert(key).inserted { shared.insert(key) }
    return zip(object.fields, keysOfFields).compactMap { field, unsorted -> ObjectType.Field? in
      guard !unsorted.isEmpty, let type = schema.type(of: field.type) else { return nil }
      let keys = unsorted.sorted()
      return ObjectType.Field(
        name: field.name.value, type: valueType(of: field, on: .object(object)), typeName: type.name,
        responseKeys: keys, aliases: keys.filter { !shared.contains($0) })
    }
  }
}

extension SchemaTypeCollector {
  /// The type of a field, which is null only if there is an error where the schema says so.
  private func valueType(of field: FieldDefinition, on object: NamedType) -> ValueType {
    let semantic = directives.semanticLevels(of: field.name.value, on: object)
    guard !semantic.isEmpty else { return ValueType(field.type, in: schema) }
    let forms = field.type.nullableLevels.enumerated().map { level, isNullable in
      NullForm(isNullable: isNullable && !semantic.contains(level))
    }
    return ValueType(field.type, forms[...], in: schema)
  }
}

extension EnumType {
  init(_ type: GraphQLSchema.EnumType) {
    self.init(
      name: type.name, description: type.description,
      values: type.values.map { value in
        Value(
          name: value.name.value, description: value.description?.value, deprecationReason: value.deprecationReason)
      })
  }
}

extension InputObjectType {
  init(_ type: GraphQLSchema.InputObjectType, in schema: Schema, _ cycles: InputCycles) {
    self.init(
      name: type.name, description: type.description,
      fields: type.fields.map { field in
        let fieldType = ValueType(field.type, in: schema)
        return Field(
          name: field.name.value, type: fieldType, defaultValue: field.defaultValue.map { ConstantValue($0) },
          description: field.description?.value, deprecationReason: field.deprecationReason,
          isRecursive: cycles.isRecursive(fieldType, of: type.name))
      },
      isOneOf: type.isOneOf)
  }
}
