import ApolloIR

/// Writes the files that are generated once, and then changed by people.
struct EditableFiles {
  let schema: SchemaTypes
  let types: SwiftTypes
  let style: DeclarationStyle

  private var options: RenderingOptions { types.options }

  /// The files with their names, which may contain a folder.
  var files: [(name: String, text: String)] {
    guard options.placement.writesEditableFiles else { return [] }
    var files: [(name: String, text: String)] = []
    if !options.placement.providedTypes.contains("SchemaConfiguration") {
      files.append(("SchemaConfiguration.swift", schemaConfiguration))
    }
    var taken: Set<String> = []
    for scalar in schema.customScalars where options.customScalars[scalar.name] == nil {
      guard options.passthroughScalarPrefix == nil else { continue }
      let name = types.names.schemaType(scalar.name)
      var file = name
      while !taken.insert(file.lowercased()).inserted { file += "_" }
      guard !options.placement.providedTypes.contains(file) else { continue }
      files.append(("CustomScalars/\(file).swift", text(scalar, name: name)))
    }
    return files
  }

  private var header: CodeWriter {
    var writer = CodeWriter()
    writer.line("// Written once by apollo-codegen, and never again: it is yours to change.")
    writer.blankLine()
    return writer
  }

  private var schemaConfiguration: String {
    var writer = header
    writer.line("\(style.access)import ApolloAPI")
    Namespace(options, declared: true).wrap(&writer, declares: false, style: style) { writer in
      writer.blankLine()
      writer.line("/// What the cache has to know of the schema.")
      writer.block("\(style.type)enum SchemaConfiguration: ApolloAPI.SchemaConfiguration") { writer in
        writer.line("/// Tells under which key the cache keeps an object; nil where the key fields of its type decide.")
        writer.block(
          "\(style.access)static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo?"
        ) { writer in
          writer.line("// For example: try? CacheKeyInfo(jsonValue: object[\"id\"])")
          writer.line("nil")
        }
      }
    }
    return writer.text
  }

  private func text(_ scalar: CustomScalarType, name: String) -> String {
    var writer = header
    Namespace(options, declared: true).wrap(&writer, declares: false, style: style) { writer in
      if options.includesDocumentation { writer.lines(Documentation.comment(scalar.description)) }
      writer.line("/// A type of your own has to conform to `CustomScalarType`.")
      writer.line("\(style.access)typealias \(Identifier.escaped(name)) = String")
    }
    return writer.text
  }
}
