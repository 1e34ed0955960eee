import ApolloIR

/// Writes the description of the schema for the cache: the object types, and the interfaces that they implement.
struct SchemaMetadataRenderer {
  let schema: SchemaTypes
  let options: RenderingOptions
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.block("\(style.type)enum SchemaMetadata: ApolloAPI.SchemaMetadata") { writer in
      writer.line(
        "\(style.access)static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self")
      writer.blankLine()
      writer.block("\(style.access)static func objectType(forTypename typename: String) -> ApolloAPI.Object?") {
        writer in
        writer.line(objects.isEmpty ? "nil" : "Objects.all[typename]")
      }
    }
    guard !objects.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.type)enum Objects") { writer in
      for object in objects { render(object, to: &writer) }
      writer.blankLine()
      writer.list(
        "fileprivate static let all = Swift.Dictionary", ["uniqueKeysWithValues: [\(names)].map { ($0.typename, $0) }"],
        "")
    }
    guard !interfaces.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.type)enum Interfaces") { writer in
      for interface in interfaces { render(interface, to: &writer) }
    }
    unions(&writer)
  }

  private func unions(_ writer: inout CodeWriter) {
    let unions = options.reducesSchemaTypes ? [] : schema.unions
    guard !unions.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.type)enum Unions") { writer in
      for union in unions {
        let types = union.possibleTypes.map { "Objects." + Self.identifier($0, suffix: "_Object") }
        writer.list(
          "\(style.access)static let \(Self.identifier(union.name, suffix: "_Union")) = ApolloAPI.Union",
          ["name: \(Literal.string(union.name))", "possibleTypes: [\(types.joined(separator: ", "))]"], "")
      }
    }
  }

  private var objects: [ObjectType] {
    schema.objects.filter { !options.reducesSchemaTypes || $0.isMentioned || $0.keyFields != nil }
  }

  private var interfaces: [InterfaceType] {
    let implemented = Set(objects.flatMap(\.interfaces))
    return schema.interfaces.filter { !options.reducesSchemaTypes || implemented.contains($0.name) }
  }

  private var names: String { objects.map { Self.identifier($0.name, suffix: "_Object") }.joined(separator: ", ") }

  private func render(_ object: ObjectType, to writer: inout CodeWriter) {
    var arguments = ["typename: \(Literal.string(object.name))"]
    if !object.interfaces.isEmpty {
      let names = object.interfaces.map { "Interfaces." + Self.identifier($0, suffix: "_Interface") }
      arguments.append("implementedInterfaces: [\(names.joined(separator: ", "))]")
    }
    arguments += keyFields(object.keyFields)
    writer.list(
      "\(style.access)static let \(Self.identifier(object.name, suffix: "_Object")) = ApolloAPI.Object", arguments, "")
  }

  private func render(_ interface: InterfaceType, to writer: inout CodeWriter) {
    let arguments =
      ["name: \(Literal.string(interface.name))"] + keyFields(interface.keyFields) + [
        "implementingObjects: [\(Self.strings(interface.possibleTypes))]"
      ]
    writer.list(
      "\(style.access)static let \(Self.identifier(interface.name, suffix: "_Interface")) = ApolloAPI.Interface",
      arguments, "")
  }

  private func keyFields(_ names: [String]?) -> [String] {
    names.map { ["keyFields: [\(Self.strings($0))]"] } ?? []
  }

  private static func strings(_ texts: [String]) -> String { texts.map(Literal.string).joined(separator: ", ") }

  /// The name of a type as that of a constant.
  static func identifier(_ name: String, suffix: String) -> String {
    // Backticks do not help: `Objects.Type` has another meaning.
    ReservedNames.schemaConstants.contains(name) ? name + suffix : Identifier.escaped(name)
  }
}
