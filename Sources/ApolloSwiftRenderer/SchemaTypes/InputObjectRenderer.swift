import ApolloIR

/// Writes the struct for an input object type, or the enum for one with `@oneOf`.
struct InputObjectRenderer {
  let type: InputObjectType
  let name: String
  let types: SwiftTypes
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.lines(documentation(type.description))
    if type.isOneOf { renderEnum(&writer) } else { renderStruct(&writer) }
  }

  private func documentation(_ description: String?, deprecated reason: String? = nil) -> [String] {
    Documentation.comment(types.options.includesDocumentation ? description : nil, deprecated: reason)
  }

  // MARK: - Structs

  private struct Property {
    var field: InputObjectType.Field
    var name: String
    var type: SwiftType
    var parameter: InitializerParameter
    /// The stored property, if this one is computed: a box, because a struct cannot contain itself.
    var box: String?

    /// `__Indirect` is not applied as a property wrapper; see `PropertyPlan.storage`.
    var boxType: String { field.type.isNullable ? "__IndirectNullable" : "__Indirect" }

    /// The value of a field that is not sent; nil if the field must be sent.
    var absence: String? { field.type.isNullable ? ".none" : field.defaultValue == nil ? nil : "nil" }

    var isDeprecatedParameter: Bool { field.deprecationReason != nil && absence != nil }
  }

  private var properties: [Property] {
    let fields = types.names.inputFields(type)
    var taken = Set(fields.map(\.name))
    return fields.map { field, name in
      var property = Property(
        field: field, name: name, type: swiftType(of: field),
        parameter: InitializerParameter(inputField: field.type, hasDefault: field.defaultValue != nil, types: types))
      guard field.isRecursive, field.type.isNullable || field.defaultValue != nil else { return property }
      var box = "_" + property.name
      while !taken.insert(box).inserted { box = "_" + box }
      property.box = box
      return property
    }
  }

  /// A non-null field with a default may be left out, which is an optional in Swift.
  private func swiftType(of field: InputObjectType.Field) -> SwiftType {
    let type = types.input(field.type)
    return !field.type.isNullable && field.defaultValue != nil ? type.asOptional : type
  }

  private func renderStruct(_ writer: inout CodeWriter) {
    let properties = properties
    writer.block("\(style.type)struct \(Identifier.escaped(name)): Sendable, Hashable") { writer in
      for property in properties {
        writer.lines(documentation(property.field.description, deprecated: property.field.deprecationReason))
        declare(property, &writer)
      }
      for property in properties {
        guard let box = property.box else { continue }
        writer.line("private var \(box): \(property.boxType)<\(types.input(property.field.type.unwrapped))>")
      }
      initializers(properties, &writer)
    }
  }

  /// Writes how the type is sent and compared, in an extension outside of any namespace.
  func renderMachinery(to writer: inout CodeWriter) {
    let type = types.seen(from: .outside).inSchema(name)
    writer.blankLine()
    guard !self.type.isOneOf else {
      return writer.block("\(style.isolation)extension \(type): OneOfInputObject") { writeCases(&$0) }
    }
    let properties = properties
    let equality = properties.isEmpty ? "" : ", " + HashableRenderer.conformance
    writer.block("\(style.isolation)extension \(type): InputObject\(equality)") { writer in
      writeFields(properties, &writer)
      self.equality(properties, &writer)
    }
  }

  /// Writes an initializer for all fields that are not deprecated. If some are deprecated, a second, deprecated
  /// initializer has all fields.
  private func initializers(_ properties: [Property], _ writer: inout CodeWriter) {
    let deprecated = properties.filter(\.isDeprecatedParameter)
    writer.blankLine()
    initializer(properties, leavingOut: deprecated, &writer)
    guard !deprecated.isEmpty else { return }
    let names = deprecated.map { "'\($0.name)'" }.joined(separator: ", ")
    writer.blankLine()
    writer.lines(
      Documentation.deprecation(
        deprecated.count == 1 ? "The argument \(names) is deprecated." : "The arguments \(names) are deprecated."))
    initializer(properties, leavingOut: [], &writer)
  }

  private func initializer(_ properties: [Property], leavingOut absent: [Property], _ writer: inout CodeWriter) {
    let isAbsent = { (property: Property) in absent.contains { $0.name == property.name } }
    let names = ParameterNames(properties.map(\.name))
    let parameters = properties.filter { !isAbsent($0) }.map { property in
      names.parameter(property.name, property.parameter.type)
        + (property.parameter.absence.map { " = " + $0 } ?? "")
    }
    writer.function("\(style.access)init", parameters) { writer in
      for property in properties {
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

  private func writeFields(_ properties: [Property], _ writer: inout CodeWriter) {
    writer.block("\(style.access)func __writeFields(to writer: inout __JSONWriter)") { writer in
      for property in properties {
        let member = StructRenderer.member(property.name), key = Literal.string(property.field.name)
        if !property.field.type.isNullable, property.field.defaultValue != nil {
          writer.line("if let value = \(member) { writer.write(\(key), value) }")
        } else {
          writer.line("writer.write(\(key), \(member))")
        }
      }
    }
  }

  private func equality(_ properties: [Property], _ writer: inout CodeWriter) {
    if properties.allSatisfy({ types.isHashable($0.field.type) }) {
      return HashableRenderer(names: properties.map(\.name), style: style).render(to: &writer)
    }
    HashableRenderer.renderByText(style: style, to: &writer)
  }

  // MARK: - Enums

  private func renderEnum(_ writer: inout CodeWriter) {
    let cases = properties.map { property in
      (field: property.field, name: Identifier.escaped(property.name), type: types.input(property.field.type.unwrapped))
    }
    let isIndirect = type.fields.contains(where: \.isRecursive)
    let head = "\(style.type)\(isIndirect ? "indirect " : "")enum \(Identifier.escaped(name)): Sendable, Hashable"
    writer.block(head) { writer in
      for (field, name, type) in cases {
        writer.lines(documentation(field.description, deprecated: field.deprecationReason))
        writer.line("case \(name)(\(type))")
      }
    }
  }

  private func writeCases(_ writer: inout CodeWriter) {
    writer.block("\(style.access)func __writeFields(to writer: inout __JSONWriter)") { writer in
      writer.line("switch self {")
      for property in properties {
        writer.line(
          "case .\(Identifier.escaped(property.name))(let value): "
            + "writer.write(\(Literal.string(property.field.name)), value)")
      }
      writer.line("}")
    }
  }
}
