import GraphQLSyntax

extension DocumentWalker {
  func walk(_ schema: SchemaDefinition) {
    walk(schema.directives, at: .schema, of: "")
    for type in schema.operationTypes { walk(typeName: type.type) }
  }

  func walk(_ type: TypeDefinition) {
    let name = type.name.value
    switch type.body {
    case .scalar:
      walk(type.directives, at: .scalar, of: name)
    case .object(let interfaces, let fields):
      walk(type.directives, at: .object, of: name)
      walk(interfaces, fields, of: name)
    case .interface(let interfaces, let fields):
      walk(type.directives, at: .interface, of: name)
      walk(interfaces, fields, of: name)
    case .union(let members):
      walk(type.directives, at: .union, of: name)
      for member in members { walk(typeName: member) }
    case .enum(let values):
      walk(type.directives, at: .enum, of: name)
      for value in values { walk(value.directives, at: .enumValue) }
    case .inputObject(let fields):
      walk(type.directives, at: .inputObject, of: name)
      for field in fields { walk(field, at: .inputFieldDefinition) }
    }
  }

  func walk(_ directive: DirectiveDefinition) {
    for argument in directive.arguments { walk(argument, at: .argumentDefinition) }
    walk(directive.directives, at: .directiveDefinition, of: "@\(directive.name)")
  }

  private func walk(_ interfaces: [Name], _ fields: [FieldDefinition], of type: String) {
    for interface in interfaces { walk(typeName: interface) }
    for field in fields {
      for argument in field.arguments { walk(argument, at: .argumentDefinition) }
      walk(field.type)
      // Only an extension of the field can be the same place.
      walk(field.directives, at: .fieldDefinition, of: context.allowsFieldExtensions ? "\(type).\(field.name)" : nil)
    }
  }

  private func walk(_ input: InputValueDefinition, at location: DirectiveLocation) {
    walk(input.type)
    if let value = input.defaultValue { walk(value, at: InputPosition(type: knownInputType(input.type))) }
    walk(input.directives, at: location)
  }
}
