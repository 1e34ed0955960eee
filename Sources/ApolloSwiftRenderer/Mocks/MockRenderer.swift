/// Writes a mock of an object type: a class whose fields are set one by one. Tests make selection sets of it.
struct MockRenderer {
  let plan: MockPlan
  let style: DeclarationStyle

  private var name: String { Identifier.escaped(plan.name) }

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.block("\(style.type)enum \(name): MockObject") { writer in
      writer.line("\(style.access)static let typename = \(Literal.string(plan.typename))")
      writer.line("\(style.access)static let mockFields = MockFields()")
      writer.blankLine()
      writer.block("\(style.access)struct MockFields: MockFieldList") { writer in
        for field in plan.fields { render(field, to: &writer) }
        if !plan.fields.isEmpty { writer.blankLine() }
        let fields = plan.fields.filter { $0.alias == nil }.map { "\(Identifier.escaped($0.name)).erased" }
        writer.member("\(style.access)var all: [AnyMockField]", "[\(fields.joined(separator: ", "))]")
      }
    }
    // (Without fields it would be the one of the class, and would call itself.)
    if !plan.fields.isEmpty { initializer(&writer) }
  }

  private func render(_ field: MockPlan.Field, to writer: inout CodeWriter) {
    var arguments = [Literal.string(field.key)]
    if let alias = field.alias { arguments.append("alias: \(Literal.string(alias))") }
    if let keys = field.responseKeys {
      arguments.append("responseKeys: [\(keys.map(Literal.string).joined(separator: ", "))]")
    }
    if let argument = field.defaultArgument { arguments.append(argument) }
    writer.line(
      "\(style.access)let \(Identifier.escaped(field.name)) = MockField<\(field.type)>("
        + arguments.joined(separator: ", ") + ")")
  }

  private func initializer(_ writer: inout CodeWriter) {
    writer.blankLine()
    writer.block("\(style.isolation)extension Mock where O == \(name)") { writer in
      for field in plan.fields where field.parameter != field.name { property(field, to: &writer) }
      let parameters = plan.fields.map { "\(Identifier.escaped($0.parameter)): \($0.parameterType) = nil" }
      writer.function("\(style.access)convenience init", parameters) { writer in
        writer.line("self.init()")
        for field in plan.fields {
          writer.line("self.\(Identifier.escaped(field.name)) = \(Identifier.escaped(field.parameter))")
        }
      }
    }
  }

  /// A property for a field that is called like a member of all mocks, or of their lists of fields.
  private func property(_ field: MockPlan.Field, to writer: inout CodeWriter) {
    let value = "self.\(Identifier.escaped(field.name))"
    writer.accessors(
      "\(style.access)var \(Identifier.escaped(field.parameter)): \(field.parameterType)", get: [value],
      set: ["\(value) = newValue"])
    writer.blankLine()
  }
}
