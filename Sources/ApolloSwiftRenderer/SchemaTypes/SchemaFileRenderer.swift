import ApolloIR

/// Writes the file with the schema types that operations use.
struct SchemaFileRenderer {
  let program: Program
  let types: SwiftTypes
  let style: DeclarationStyle

  private var options: RenderingOptions { types.options }

  func render(to writer: inout CodeWriter) {
    let schema = program.schemaTypes
    Namespace(options).wrap(&writer, declares: true, style: style) { writer in
      // Apollo iOS generates a file for it, which the app may have kept.
      if options.placement.namespace != nil, !options.placement.providedTypes.contains("ID") {
        writer.blankLine()
        writer.line("\(style.access)typealias ID = \(types.leaf(.scalar(.id)))")
      }
      for scalar in schema.customScalars { render(scalar, to: &writer) }
      for type in schema.enums { enumRenderer(type).render(to: &writer) }
      for type in schema.inputObjects { inputRenderer(type).render(to: &writer) }
      possibleTypes(&writer)
      if options.placement.hasSchemaMetadata {
        SchemaMetadataRenderer(schema: schema, options: options, style: style).render(to: &writer)
      }
    }
    for type in schema.enums {
      enumRenderer(type).renderConveniences(to: &writer, type: types.seen(from: .outside).inSchema(name(type.name)))
    }
    for type in schema.inputObjects { inputRenderer(type).renderMachinery(to: &writer) }
  }

  private func name(_ type: String) -> String { types.names.schemaType(type) }

  private func enumRenderer(_ type: EnumType) -> EnumRenderer {
    EnumRenderer(type: type, name: name(type.name), names: types.names, style: style)
  }

  private func inputRenderer(_ type: InputObjectType) -> InputObjectRenderer {
    InputObjectRenderer(type: type, name: name(type.name), types: types, style: style)
  }

  private func render(_ scalar: CustomScalarType, to writer: inout CodeWriter) {
    let mapping = options.customScalars[scalar.name]
    // The app declares these types itself, perhaps in a file that was once generated for it.
    if mapping == nil,
      options.placement.writesEditableFiles && options.passthroughScalarPrefix == nil
        || options.passthroughScalarPrefix == ""
        || options.placement.providedTypes.contains(name(scalar.name))
    {
      return
    }
    writer.blankLine()
    let link = scalar.specifiedByURL.map { "Specified by <\($0)>." }
    if options.includesDocumentation {
      writer.lines(Documentation.comment([scalar.description, link].compactMap { $0 }.joined(separator: "\n\n")))
    }
    let passedThrough = options.passthroughScalarPrefix.map { $0 + scalar.name }
    let type = mapping.map { ($0.module.map { $0 + "." } ?? "") + $0.type } ?? passedThrough ?? "String"
    // A type of this module with the name of the scalar needs no alias.
    guard type != name(scalar.name) else { return }
    writer.line("\(style.access)typealias \(Identifier.escaped(name(scalar.name))) = \(type)")
  }

  private func possibleTypes(_ writer: inout CodeWriter) {
    guard !program.schemaTypes.typeConditions.isEmpty else { return }
    writer.blankLine()
    writer.line("/// The object types that satisfy the type conditions of fragments.")
    writer.block("\(style.type)enum PossibleTypes") { writer in
      for condition in program.schemaTypes.typeConditions {
        let name = Identifier.escaped(types.names.typeSet(condition.name))
        let members = condition.possibleTypes.joined(separator: " ")
        writer.line("\(style.access)static let \(name) = __TypeSet(\(Literal.string(members)))")
      }
    }
  }
}

/// The enum around all generated types, if there is one.
struct Namespace {
  private let name: String?
  private let declaringName: String?

  /// Finds the namespace.
  ///
  /// - Parameters:
  ///   - options: How the code is written.
  ///   - declared: Whether it is for files of the schema, which are always in the namespace. The default is false.
  init(_ options: RenderingOptions, declared: Bool = false) {
    switch options.placement.surroundings {
    case .namespace(let name):
      self.name = name
      declaringName = name
    case .outsideOfNamespace(let name):
      self.name = declared ? name : nil
      declaringName = name
    case .sameModule, .otherModule:
      name = nil
      declaringName = nil
    }
  }

  /// Writes code in the namespace.
  ///
  /// - Parameters:
  ///   - writer: Writes the code.
  ///   - declares: Whether the namespace is declared, for the schema's types, or extended.
  ///   - style: The access level and the isolation.
  ///   - body: Writes the code inside.
  func wrap(
    _ writer: inout CodeWriter, declares: Bool, style: DeclarationStyle, _ body: (inout CodeWriter) -> Void
  ) {
    guard let name = declares ? declaringName : name else { return body(&writer) }
    writer.blankLine()
    if declares {
      writer.block("\(style.type)enum \(name)", body)
    } else {
      writer.block("\(style.isolation)extension \(name)", body)
    }
  }
}
