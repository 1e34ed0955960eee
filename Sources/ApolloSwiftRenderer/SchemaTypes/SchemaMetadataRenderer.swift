import ApolloDirectives
import ApolloIR

/// Writes the description of the schema for the cache: the object types, and the interfaces that they implement.
struct SchemaMetadataRenderer {
  typealias Constant = SchemaMetadataPlan.Constant

  let plan: SchemaMetadataPlan
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.block("\(style.type)enum SchemaMetadata: ApolloAPI.SchemaMetadata") { writer in
      if plan.hasConfiguration {
        writer.line(
          "\(style.access)static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self")
        writer.blankLine()
      }
      writer.block("\(style.access)static func objectType(forTypename typename: String) -> ApolloAPI.Object?") {
        writer in
        if let root = plan.renamedQueryRoot {
          writer.line("typename == \"Query\" ? Objects.\(root) : Objects.all[typename]")
        } else {
          writer.line(plan.objects.isEmpty ? "nil" : "Objects.all[typename]")
        }
      }
      if plan.declaresMaxAges {
        writer.blankLine()
        writer.line("\(style.access)static var declaresMaxAges: Bool { true }")
      }
    }
    guard !plan.objects.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.type)enum Objects") { writer in
      for object in plan.objects { render(object, arguments: arguments(ofObject: object), as: "Object", to: &writer) }
      writer.blankLine()
      let names = plan.objects.map(\.name).joined(separator: ", ")
      writer.list(
        "fileprivate static let all = Swift.Dictionary", ["uniqueKeysWithValues: [\(names)].map { ($0.typename, $0) }"])
    }
    constants(plan.interfaces, in: "Interfaces", to: &writer) { interface, writer in
      render(interface, arguments: arguments(ofInterface: interface), as: "Interface", to: &writer)
    }
    constants(plan.unions, in: "Unions", to: &writer) { union, writer in
      let types = union.possibleTypes.map { "Objects." + $0 }.joined(separator: ", ")
      render(
        union, arguments: ["name: \(Literal.string(union.typename))", "possibleTypes: [\(types)]"], as: "Union",
        to: &writer)
    }
  }

  private func constants(
    _ constants: [Constant], in name: String, to writer: inout CodeWriter,
    render: (Constant, inout CodeWriter) -> Void
  ) {
    guard !constants.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.type)enum \(name)") { writer in
      for constant in constants { render(constant, &writer) }
    }
  }

  private func render(_ constant: Constant, arguments: [String], as type: String, to writer: inout CodeWriter) {
    writer.list("\(style.access)static let \(constant.name) = ApolloAPI.\(type)", arguments)
  }

  private func arguments(ofObject object: Constant) -> [String] {
    var arguments = ["typename: \(Literal.string(object.typename))"]
    if !object.interfaces.isEmpty {
      let names = object.interfaces.map { "Interfaces." + $0 }
      arguments.append("implementedInterfaces: [\(names.joined(separator: ", "))]")
    }
    arguments += keyFields(object)
    if !object.cascadingFields.isEmpty {
      arguments.append("cascadingFields: [\(Self.strings(object.cascadingFields))]")
    }
    if let maxAge = object.maxAge { arguments.append("maxAge: \(Self.text(maxAge))") }
    if !object.fieldMaxAges.isEmpty {
      let ages = object.fieldMaxAges.map { "\(Literal.string($0.name)): \(Self.text($0.age))" }
      arguments.append("fieldMaxAges: [\(ages.joined(separator: ", "))]")
    }
    return arguments
  }

  private static func text(_ age: DeclaredAge) -> String {
    switch age {
    case .seconds(let seconds): String(seconds)
    case .inherited: ".inherited"
    }
  }

  private func arguments(ofInterface interface: Constant) -> [String] {
    ["name: \(Literal.string(interface.typename))"] + keyFields(interface) + [
      "implementingObjects: [\(Self.strings(interface.possibleTypes))]"
    ]
  }

  private func keyFields(_ constant: Constant) -> [String] {
    constant.keyFields.map { ["keyFields: [\(Self.strings($0))]"] } ?? []
  }

  private static func strings(_ texts: [String]) -> String { texts.map(Literal.string).joined(separator: ", ") }
}
