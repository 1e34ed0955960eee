import GraphQLSchema
import GraphQLSyntax

extension DocumentWalker {
  func walk(_ directives: [Directive], at location: DirectiveLocation, of definedName: String? = nil) {
    if directives.isEmpty { return }
    let place = DirectivePlace(location: location, definedName: definedName)
    for visitor in visitors { visitor.enter(directives, at: place, context) }
    for directive in directives {
      let definition = context.schema.directive(named: directive.name.value)
      let owner = definition.map {
        ArgumentOwner(
          kind: .directive(name: directive.name.value), definitions: $0.arguments, span: directive.span)
      }
      walk(directive.arguments, of: owner)
    }
  }

  /// Walks arguments.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - owner: The field or directive with the arguments; nil if it is not known, so that its arguments cannot be
  ///     checked.
  func walk(_ arguments: [Argument], of owner: ArgumentOwner?) {
    if arguments.isEmpty, owner?.definitions.isEmpty ?? true { return }
    for visitor in visitors { visitor.enter(arguments, of: owner, context) }
    for argument in arguments {
      let definition = owner?.definitions[argument.name.value]
      walk(
        argument.value,
        at: InputPosition(
          type: definition.flatMap { knownInputType($0.type) }, hasDefault: definition?.defaultValue != nil))
    }
  }

  func walk(_ value: Value, at position: InputPosition) {
    for visitor in visitors { visitor.enter(value, at: position, context) }
    switch value.kind {
    case .variable(let name):
      context.usage.insert(VariableUsage(name: name.value, span: value.span, position: position))
    case .list(let values):
      // If a list is not expected there, that is reported once, for the list.
      let item: TypeReference? = if case .list(let item)? = position.type?.kind { item } else { nil }
      for value in values { walk(value, at: InputPosition(type: item)) }
    case .object(let fields):
      let type = position.type.flatMap { context.schema.type(of: $0) }
      let object: InputObjectType? = if case .inputObject(let object)? = type { object } else { nil }
      for field in fields {
        let definition = object?.fields[field.name.value]
        walk(
          field.value,
          at: InputPosition(
            type: definition.flatMap { knownInputType($0.type) }, hasDefault: definition?.defaultValue != nil,
            oneOf: object?.isOneOf == true ? object : nil))
      }
    case .int, .float, .string, .boolean, .null, .enum: break
    }
  }

  func walk(_ type: TypeReference) { walk(typeName: type.namedType) }

  func walk(typeName: Name) {
    for visitor in visitors { visitor.enter(typeName: typeName, context) }
  }

  /// The type, if values can have it; otherwise nil.
  func knownInputType(_ type: TypeReference) -> TypeReference? {
    context.schema.type(of: type)?.isInput == true ? type : nil
  }
}
