import ApolloIR

/// Writes the struct for an operation.
struct OperationRenderer {
  let operation: Operation
  let types: SwiftTypes
  let defaults: DefaultValues
  let style: DeclarationStyle
  let plan: StructPlan
  /// The properties for variables.
  private let variables: [String: String]

  init(operation: Operation, types: SwiftTypes, defaults: DefaultValues, style: DeclarationStyle, plan: StructPlan) {
    self.operation = operation
    self.types = types
    self.defaults = defaults
    self.style = style
    self.plan = plan
    variables = types.names.variables(of: operation, types: types)
  }

  func render(to writer: inout CodeWriter) {
    let typeName = types.names.operation(operation.name)
    writer.blankLine()
    if types.options.includesDocumentation { writer.lines(Documentation.comment(operation.description)) }
    writer.block("\(style.type)struct \(typeName): \(role)") { writer in
      for variable in operation.variables {
        writer.line("\(style.access)var \(Identifier.escaped(name(of: variable))): \(types.input(variable.type))")
      }
      writer.blankLine()
      initializer(&writer)
      StructRenderer(plan: plan, style: style).render(to: &writer)
    }
  }

  /// Writes what is sent, and how the data are read and written.
  func renderMachinery(to writer: inout CodeWriter) {
    let type = types.outside(types.names.operation(operation.name))
    writer.blankLine()
    writer.block("\(style.isolation)extension \(type)") { writer in
      if operation.isLocalCacheMutation {
        writer.line("\(style.access)static let operationType = GraphQLOperationType.\(operation.kind.rawValue)")
      } else {
        writer.line("\(style.access)static let operationName = \(Literal.string(operation.name))")
        document(&writer)
        if operation.document.isIncremental {
          writer.line("\(style.access)static let hasDeferredFragments = true")
        }
      }
      writeVariables(&writer)
    }
    MachineryRenderer(
      plan: plan, enclosing: [], type: .member(plan.name, of: type), style: style, types: types,
      schemaMetadata: types.seen(from: .outside).schemaMetadata
    ).render(to: &writer)
  }

  private var role: String {
    if operation.isLocalCacheMutation { return "LocalCacheMutation" }
    return switch operation.kind {
    case .query: "GraphQLQuery"
    case .mutation: "GraphQLMutation"
    case .subscription: "GraphQLSubscription"
    }
  }

  private func document(_ writer: inout CodeWriter) {
    var arguments: [[String]] = []
    if types.options.operationDocumentFormat.includesDefinition {
      arguments.append(
        Literal.lines(operation.document.operation, format: types.options.documentLiteralFormat))
      let fragments = operation.document.fragmentNames.map {
        "\(types.outside(types.names.fragment($0))).fragmentDefinition"
      }
      if !fragments.isEmpty { arguments.append(["fragments: [" + fragments.joined(separator: ", ") + "]"]) }
    }
    if types.options.operationDocumentFormat.includesOperationId {
      arguments.append(["operationIdentifier: \"" + operation.document.identifier + "\""])
    }
    writer.line("\(style.access)static let operationDocument = OperationDocument(")
    writer.indented { writer in
      for (index, lines) in arguments.enumerated() {
        writer.lines(lines.dropLast())
        writer.line((lines.last ?? "") + (index < arguments.count - 1 ? "," : ")"))
      }
    }
  }

  private func name(of variable: Variable) -> String { variables[variable.name] ?? variable.name }

  private func initializer(_ writer: inout CodeWriter) {
    guard !operation.variables.isEmpty else { return writer.line("\(style.access)init() {}") }
    let names = ParameterNames(operation.variables.map(name))
    let parameters = operation.variables.map { variable in
      names.parameter(name(of: variable), parameter(of: variable).type) + defaultValue(of: variable)
    }
    writer.function("\(style.access)init", parameters) { writer in
      for variable in operation.variables {
        let property = name(of: variable)
        writer.line(
          "self.\(Identifier.escaped(property)) = \(parameter(of: variable).value(names.local(property)))")
      }
    }
  }

  private func defaultValue(of variable: Variable) -> String {
    if let value = variable.defaultValue, let text = defaults.parameter(value, of: variable.type) {
      return " = " + text
    }
    return parameter(of: variable).absence.map { " = " + $0 } ?? ""
  }

  private func parameter(of variable: Variable) -> InitializerParameter {
    InitializerParameter(variable: variable.type, types: types)
  }

  private func writeVariables(_ writer: inout CodeWriter) {
    guard !operation.variables.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.access)func __writeVariables(to writer: inout __JSONWriter)") { writer in
      for variable in operation.variables {
        let member = StructRenderer.member(name(of: variable))
        var arguments = "\(Literal.string(variable.name)), \(member)"
        if variable.type.isNullable, let text = variable.defaultValue.flatMap({ defaults.text($0, of: variable.type) })
        {
          arguments += ", default: \(text)"
        }
        writer.line("writer.write(\(arguments))")
      }
    }
  }
}
