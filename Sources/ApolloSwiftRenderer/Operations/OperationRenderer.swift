/// Writes the struct for an operation.
struct OperationRenderer {
  let plan: OperationPlan
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.annotations(plan.documentation)
    writer.block("\(style.type)struct \(plan.name): \(plan.conformance)") { writer in
      for variable in plan.variables {
        writer.annotations(Documentation.comment(variable.description))
        writer.line("\(style.access)var \(Identifier.escaped(variable.name)): \(variable.type)")
      }
      writer.blankLine()
      initializer(&writer)
      StructRenderer(plan: plan.data, style: style).render(to: &writer)
    }
  }

  /// Writes what is sent, and how the data are read and written.
  ///
  /// - Parameters:
  ///   - writer: Writes the code.
  ///   - options: How the code is written.
  ///   - machinery: Writes how the data are read and written.
  func renderMachinery(to writer: inout CodeWriter, options: RenderingOptions, machinery: MachineryContext) {
    writer.blankLine()
    writer.block("\(style.isolation)extension \(plan.type)") { writer in
      if let document = plan.document {
        writer.line("\(style.access)static let operationName = \(Literal.string(plan.operationName))")
        render(document, to: &writer, format: options.documentLiteralFormat)
      } else {
        writer.line("\(style.access)static let operationType = GraphQLOperationType.\(plan.kind)")
      }
      if plan.hasLocalFields { writer.line("\(style.access)static let __hasLocalFields = true") }
      writeVariables(&writer)
      writeListEdits(&writer)
    }
    MachineryRenderer(root: plan.data, type: .member(plan.data.name, of: plan.type), context: machinery)
      .render(to: &writer)
  }

  private func render(
    _ document: OperationDocumentPlan, to writer: inout CodeWriter, format: DocumentLiteralFormat
  ) {
    var arguments: [[String]] = []
    if let definition = document.definition { arguments.append(Literal.lines(definition, format: format)) }
    if !document.fragments.isEmpty {
      let definitions = document.fragments.map { "\($0).fragmentDefinition" }
      arguments.append(["fragments: [" + definitions.joined(separator: ", ") + "]"])
    }
    if let identifier = document.identifier { arguments.append(["operationIdentifier: " + Literal.string(identifier)]) }
    writer.line("\(style.access)static let operationDocument = OperationDocument(")
    writer.indented { writer in
      for (index, lines) in arguments.enumerated() {
        writer.lines(lines.dropLast())
        writer.line((lines.last ?? "") + (index < arguments.count - 1 ? "," : ")"))
      }
    }
    if document.isIncremental { writer.line("\(style.access)static let hasDeferredFragments = true") }
  }

  private func initializer(_ writer: inout CodeWriter) {
    guard !plan.variables.isEmpty else { return writer.member("\(style.access)init()", nil) }
    let names = ParameterNames(plan.variables.map(\.name))
    let described = plan.variables.filter { !$0.description.isEmpty }
    writer.annotations(
      Documentation.comment(described.flatMap { Documentation.parameter($0.name, $0.description) }))
    let parameters = plan.variables.map { variable in
      names.parameter(variable.name, variable.parameter.type) + (variable.defaultArgument.map { " = " + $0 } ?? "")
    }
    writer.function("\(style.access)init", parameters) { writer in
      for variable in plan.variables {
        let value = variable.parameter.value(names.local(variable.name))
        writer.line("self.\(Identifier.escaped(variable.name)) = \(value)")
      }
    }
  }

  private func writeVariables(_ writer: inout CodeWriter) {
    let variables = plan.variables.filter(\.isSent)
    guard !variables.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.access)func __writeVariables(to writer: inout __JSONWriter)") { writer in
      for variable in variables {
        let arguments =
          [Literal.string(variable.key), Identifier.member(variable.name)]
          + (variable.defaultValue.map { ["default: \($0)"] } ?? [])
          + (variable.defaultJSON.map { ["defaultJSON: \($0)"] } ?? [])
        writer.line("writer.write(\(arguments.joined(separator: ", ")))")
      }
    }
  }

  private func writeListEdits(_ writer: inout CodeWriter) {
    guard !plan.listEdits.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.access)var __listEdits: [__ListEdit]") { writer in
      writer.line("[")
      writer.indented { writer in for edit in plan.listEdits { writer.line(edit + ",") } }
      writer.line("]")
    }
  }
}
