/// Writes the struct for an input object type, or the enum for one with `@oneOf`.
struct InputObjectRenderer {
  typealias Property = InputObjectPlan.Property

  let plan: InputObjectPlan
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.annotations(plan.documentation)
    if plan.isOneOf { renderEnum(&writer) } else { renderStruct(&writer) }
  }

  /// Writes how the type is sent and compared, in an extension outside of any namespace.
  func renderMachinery(to writer: inout CodeWriter) {
    writer.blankLine()
    let role = plan.isOneOf ? "OneOfInputObject" : "InputObject"
    let equality = isComparedByCompiler ? "" : ", " + HashableRenderer.conformance
    writer.block("\(style.isolation)extension \(plan.type): \(role)\(equality)") { writer in
      if plan.isOneOf { writeCases(&writer) } else { writeFields(&writer) }
      if !plan.isHashable {
        HashableRenderer.renderByText(style: style, to: &writer)
      } else if !isComparedByCompiler {
        HashableRenderer(names: plan.properties.map(\.name), style: style).render(to: &writer)
      }
    }
  }

  /// Whether the compiler makes the comparison of values: that of an enum, or of a struct without fields.
  private var isComparedByCompiler: Bool { plan.isHashable && (plan.isOneOf || plan.properties.isEmpty) }

  // MARK: - Structs

  private func renderStruct(_ writer: inout CodeWriter) {
    writer.block("\(style.type)struct \(Identifier.escaped(plan.name)): Sendable, Hashable") { writer in
      for property in plan.properties {
        writer.annotations(property.documentation)
        declare(property, &writer)
      }
      for property in plan.properties {
        guard let box = property.box else { continue }
        writer.line("private var \(box): \(property.boxType)<\(property.valueType)>")
      }
      initializers(&writer)
    }
  }

  /// Writes an initializer for all fields that are not deprecated. If some are deprecated, a second, deprecated
  /// initializer has all fields.
  private func initializers(_ writer: inout CodeWriter) {
    let deprecated = plan.properties.filter(\.isDeprecatedParameter)
    writer.blankLine()
    initializer(to: &writer, leavingOut: deprecated)
    guard !deprecated.isEmpty else { return }
    let names = deprecated.map { "'\($0.name)'" }.joined(separator: ", ")
    writer.blankLine()
    writer.annotations(
      Documentation.deprecation(
        deprecated.count == 1 ? "The argument \(names) is deprecated." : "The arguments \(names) are deprecated."))
    initializer(to: &writer, leavingOut: [])
  }

  private func initializer(to writer: inout CodeWriter, leavingOut absent: [Property]) {
    let isAbsent = { (property: Property) in absent.contains { $0.name == property.name } }
    let names = ParameterNames(plan.properties.map(\.name))
    let parameters = plan.properties.filter { !isAbsent($0) }.map { property in
      names.parameter(property.name, property.parameter.type)
        + (property.parameter.absence.map { " = " + $0 } ?? "")
    }
    writer.function("\(style.access)init", parameters) { writer in
      for property in plan.properties {
        let passed = property.parameter.value(names.local(property.name))
        let value = isAbsent(property) ? property.absence ?? passed : passed
        if let box = property.box {
          writer.line("self.\(box) = \(property.boxType)(wrappedValue: \(value))")
        } else {
          writer.line("self.\(Identifier.escaped(property.name)) = \(value)")
        }
      }
    }
  }

  private func declare(_ property: Property, _ writer: inout CodeWriter) {
    let declaration = "\(style.access)var \(Identifier.escaped(property.name)): \(property.type)"
    guard let box = property.box else { return writer.line(declaration) }
    writer.accessors(declaration, get: ["\(box).wrappedValue"], set: ["\(box).wrappedValue = newValue"])
  }

  private func writeFields(_ writer: inout CodeWriter) {
    writer.block("\(style.access)func __writeFields(to writer: inout __JSONWriter)") { writer in
      for property in plan.properties {
        let member = Identifier.member(property.name), key = Literal.string(property.key)
        if property.isDefaulted {
          writer.member("if let value = \(member)", "writer.write(\(key), value)")
        } else {
          writer.line("writer.write(\(key), \(member))")
        }
      }
    }
  }

  // MARK: - Enums

  private func renderEnum(_ writer: inout CodeWriter) {
    let keyword = plan.isRecursive ? "indirect enum" : "enum"
    writer.block("\(style.type)\(keyword) \(Identifier.escaped(plan.name)): Sendable, Hashable") { writer in
      for property in plan.properties {
        writer.annotations(property.documentation)
        writer.line("case \(Identifier.escaped(property.name))(\(property.valueType))")
      }
    }
  }

  private func writeCases(_ writer: inout CodeWriter) {
    writer.block("\(style.access)func __writeFields(to writer: inout __JSONWriter)") { writer in
      writer.line("switch self {")
      for property in plan.properties {
        writer.line(
          "case .\(Identifier.escaped(property.name))(let value): "
            + "writer.write(\(Literal.string(property.key)), value)")
      }
      writer.line("}")
    }
  }
}
