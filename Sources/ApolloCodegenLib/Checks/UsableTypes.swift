import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension ClientRule {
  /// The types of which code is generated can be written in Swift: the selected fields have output types, and the input
  /// objects that variables lead to have input types and finite values. Elsewhere, such a defect of a schema does no
  /// harm.
  static let usableTypes = ClientRule { context in
    let check = UsableTypeCheck(schema: context.schema)
    let output = context.configuration.output
    let includesAllTypes = output.isOneOfSeveralModules && output.part != .operations
    return check.selectedFields(of: context.document)
      + check.inputObjects(of: context.document, includesAllTypes: includesAllTypes)
  }
}

private struct UsableTypeCheck {
  let schema: Schema

  // MARK: Fields

  /// The selected fields of input types, of which no value can be read.
  func selectedFields(of document: Document) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = [], reported: Set<String> = []
    func visit(_ selectionSet: SelectionSet, on type: NamedType?) {
      guard let type else { return }
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field):
          guard let definition = schema.field(named: field.name.value, on: type),
            let fieldType = schema.type(of: definition.type)
          else { continue }
          let coordinate = "\(type.name).\(field.name.value)"
          if !fieldType.isOutput, reported.insert(coordinate).inserted {
            diagnostics.append(
              Diagnostic(
                .wrongTypeDirection,
                "\"\(coordinate)\" has the type \"\(definition.type)\", which is for input: no value can be read.",
                at: field.name.span, labels: [.init("of this type", at: definition.type.span)]))
          }
          if let inner = field.selectionSet { visit(inner, on: fieldType) }
        case .inlineFragment(let fragment):
          let type = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
          visit(fragment.selectionSet, on: type)
        case .fragmentSpread: break
        }
      }
    }
    for operation in document.operations {
      visit(operation.selectionSet, on: schema.rootType(for: operation.operation).map { NamedType.object($0) })
    }
    for fragment in document.fragments {
      visit(fragment.selectionSet, on: schema.type(named: fragment.typeCondition.value))
    }
    return diagnostics
  }

  // MARK: Input objects

  /// What is wrong with the input objects of which code is generated.
  func inputObjects(of document: Document, includesAllTypes: Bool) -> [Diagnostic] {
    let objects = reachedInputObjects(of: document, includesAllTypes: includesAllTypes)
    let directions = objects.flatMap { object in
      object.fields.compactMap { field -> Diagnostic? in
        guard let type = schema.type(of: field.type), !type.isInput else { return nil }
        return Diagnostic(
          .wrongTypeDirection,
          "\"\(object.name).\(field.name.value)\" has the type \"\(field.type)\", which is for output: no value can be "
            + "written.", at: field.type.span)
      }
    }
    let needed = Dictionary(objects.map { ($0.name, Self.storedFields(of: $0)) }) { first, _ in first }
    let components = ComponentFinder<String>.components(from: objects.map(\.name)) { name in
      (needed[name] ?? []).map(\.type.namedType.value).filter { needed[$0] != nil }
    }
    return directions + components.compactMap { Self.cycle(among: $0, needed) }
  }

  private func reachedInputObjects(of document: Document, includesAllTypes: Bool) -> [InputObjectType] {
    var pending = document.operations.flatMap { $0.variableDefinitions.map(\.type.namedType.value) }
    if includesAllTypes { pending += schema.definedTypes.map(\.name) }
    var visited: Set<String> = [], objects: [InputObjectType] = []
    // Input objects can lead to one another in chains that are longer than a call stack.
    while let name = pending.popLast() {
      guard case .inputObject(let object)? = schema.type(named: name), visited.insert(name).inserted else { continue }
      objects.append(object)
      pending += object.fields.map(\.type.namedType.value)
    }
    return objects
  }

  /// The fields whose values are stored in place. A list, an optional value and an object with `@oneOf`, which is an
  /// indirect enumeration, can contain a value of their own type.
  private static func storedFields(of object: InputObjectType) -> [InputValueDefinition] {
    if object.isOneOf { return [] }
    return object.fields.filter { field in
      guard field.type.isNonNull, field.defaultValue == nil, case .named = field.type.kind else { return false }
      return true
    }
  }

  /// What is wrong with types that lead to each other; nil if there is one that does not lead to itself.
  private static func cycle(among types: [String], _ needed: [String: [InputValueDefinition]]) -> Diagnostic? {
    let members = Set(types)
    let fields = types.sorted().flatMap { type in
      (needed[type] ?? []).filter { members.contains($0.type.namedType.value) }.map { (type: type, field: $0) }
    }
    guard let first = fields.first else { return nil }
    let names = fields.prefix(5).map { "\"\($0.type).\($0.field.name.value)\"" }
    return Diagnostic(
      .inputObjectCycle,
      "\"\(first.type)\" has no finite value, because \(Suggestions.list(names, "and")) cannot be null.",
      at: first.field.span, labels: fields.dropFirst().map { .init("which requires this", at: $0.field.span) })
  }
}
