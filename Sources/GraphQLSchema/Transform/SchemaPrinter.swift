public import GraphQLSyntax

/// Turns schemas into text in the schema definition language.
public enum SchemaPrinter {
  /// The text of a schema, as the reference implementation prints it: of the directives that are applied to
  /// definitions, only built-in ones are printed. To keep all directives, print ``Schema/document``.
  public static func print(_ schema: Schema, style: Printer.Style = .spaced) -> String {
    Printer.print(document(of: schema), style: style, isAiry: true)
  }

  /// The text of the built-in directives and of the types of introspection.
  public static func printIntrospection(
    of edition: Schema.Edition = .draft, style: Printer.Style = .spaced
  ) -> String {
    let builtIn = edition.builtIn
    let types = builtIn.orderedTypes.filter { $0.name.hasPrefix("__") }.map(\.definition)
    let definitions = builtIn.directives.map { Definition.directive($0) } + types.map { Definition.type($0) }
    return Printer.print(Document(definitions: definitions.map(normalized)), style: style, isAiry: true)
  }

  private static func document(of schema: Schema) -> Document {
    let definition = isCommon(schema) ? nil : schema.definition.map { Definition.schema($0) }
    let types = schema.allTypes.filter { !BuiltIn.isType($0.name) }.map { Definition.type($0.definition) }
    let directives = schema.definedDirectives.filter { !BuiltIn.isDirective($0.name.value) }
    let definitions = [definition].compactMap(\.self) + directives.map { .directive($0) } + types
    return Document(definitions: definitions.map(normalized))
  }

  /// Whether the schema definition says what would hold without one.
  private static func isCommon(_ schema: Schema) -> Bool {
    guard let definition = schema.definition else { return true }
    if definition.description != nil { return false }
    return definition.operationTypes.isEmpty
      || OperationType.allCases.allSatisfy { operation in
        let root = definition.operationTypes.first { $0.operation == operation }?.type.value
        let isDefaultNameTaken = schema.type(named: operation.defaultTypeName) != nil
        return root == operation.defaultTypeName || (root == nil && !isDefaultNameTaken)
      }
  }

  // MARK: - One way to write each thing

  private static func normalized(_ definition: Definition) -> Definition {
    switch definition {
    case .schema(var schema):
      schema.description = normalized(schema.description)
      schema.directives = []
      return .schema(schema)
    case .directive(var directive):
      directive.description = normalized(directive.description)
      directive.arguments = directive.arguments.map(normalized)
      directive.directives = normalized(directive.directives, keeping: ["deprecated"])
      return .directive(directive)
    case .type(var type):
      type.description = normalized(type.description)
      type.directives = normalized(type.directives, keeping: ["specifiedBy", "oneOf"])
      type.body = normalized(type.body)
      return .type(type)
    case .operation, .fragment: return definition
    }
  }

  private static func normalized(_ body: TypeDefinition.Body) -> TypeDefinition.Body {
    switch body {
    case .scalar, .union: return body
    case .object(let interfaces, let fields):
      return .object(interfaces: interfaces, fields: fields.map(normalized))
    case .interface(let interfaces, let fields):
      return .interface(interfaces: interfaces, fields: fields.map(normalized))
    case .enum(let values):
      return .enum(
        values: values.map { value in
          var value = value
          value.description = normalized(value.description)
          value.directives = normalized(value.directives, keeping: ["deprecated"])
          return value
        })
    case .inputObject(let fields): return .inputObject(fields: fields.map(normalized))
    }
  }

  private static func normalized(_ field: FieldDefinition) -> FieldDefinition {
    var field = field
    field.description = normalized(field.description)
    field.arguments = field.arguments.map(normalized)
    field.directives = normalized(field.directives, keeping: ["deprecated"])
    return field
  }

  private static func normalized(_ input: InputValueDefinition) -> InputValueDefinition {
    var input = input
    input.description = normalized(input.description)
    input.directives = normalized(input.directives, keeping: ["deprecated"])
    return input
  }

  private static func normalized(_ description: StringValue?) -> StringValue? {
    description.map { StringValue($0.value, isBlock: BlockString.canHold($0.value)) }
  }

  private static func normalized(_ directives: [Directive], keeping names: Set<String>) -> [Directive] {
    directives.filter { names.contains($0.name.value) }.map { directive in
      guard directive.name.value == "deprecated", case .string(let reason)? = directive.argument("reason")?.kind,
        reason.value == "No longer supported"
      else { return directive }
      return Directive(name: "deprecated")
    }
  }
}
