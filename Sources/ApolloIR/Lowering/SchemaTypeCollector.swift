import GraphQLSchema
import GraphQLSyntax

/// Finds the schema types that operations and fragments mention, and those that their input objects mention.
struct SchemaTypeCollector {
  let schema: Schema
  private var used: Set<String> = []
  private var conditions: Set<String> = []

  init(schema: Schema) { self.schema = schema }

  mutating func add(_ operation: Operation) {
    for variable in operation.variables { add(variable.type) }
    add(operation.shape)
  }

  mutating func add(_ shape: Shape) {
    for member in shape.members {
      switch member {
      case .field(let field):
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

  private mutating func add(_ type: ValueType) {
    switch type.leaf {
    case .enum(let name), .customScalar(let name): used.insert(name)
    case .inputObject(let name):
      guard used.insert(name).inserted, case .inputObject(let object)? = schema.type(named: name) else { return }
      for field in object.fields { add(ValueType(field.type, in: schema)) }
    default: break
    }
  }

  var schemaTypes: SchemaTypes {
    var types = SchemaTypes()
    for type in schema.allTypes {
      if conditions.contains(type.name) {
        types.typeConditions.append(
          TypeCondition(name: type.name, possibleTypes: schema.possibleTypes(of: type).map(\.name)))
      }
      guard used.contains(type.name) else { continue }
      switch type {
      case .enum(let type): types.enums.append(EnumType(type))
      case .inputObject(let type): types.inputObjects.append(InputObjectType(type, in: schema))
      case .scalar(let scalar):
        types.customScalars.append(
          CustomScalarType(name: type.name, description: type.description, specifiedByURL: scalar.specifiedByURL))
      case .object, .interface, .union: break
      }
    }
    return types
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
  init(_ type: GraphQLSchema.InputObjectType, in schema: Schema) {
    self.init(
      name: type.name, description: type.description,
      fields: type.fields.map { field in
        Field(
          name: field.name.value, type: ValueType(field.type, in: schema),
          defaultValue: field.defaultValue.map { ConstantValue($0) }, description: field.description?.value,
          deprecationReason: field.deprecationReason)
      },
      isOneOf: type.isOneOf)
  }
}
