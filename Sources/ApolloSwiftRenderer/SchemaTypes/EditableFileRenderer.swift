/// Writes a file that is generated once, and then changed by people.
struct EditableFileRenderer {
  let plan: EditableFilePlan
  let placement: CodePlacement
  let style: DeclarationStyle

  /// The contents of the file.
  var text: String {
    var writer = CodeWriter()
    writer.annotation("// Written once by apollo-codegen, and never again: it is yours to change.")
    writer.blankLine()
    switch plan.content {
    case .schemaConfiguration: schemaConfiguration(&writer)
    case .scalar(let name, let documentation): scalar(name, documentation: documentation, &writer)
    }
    return writer.text
  }

  private func schemaConfiguration(_ writer: inout CodeWriter) {
    writer.line("\(style.access)import ApolloAPI")
    Namespace(placement, declared: true).wrap(&writer, declares: false, style: style) { writer in
      writer.blankLine()
      writer.annotation("/// What the cache has to know of the schema.")
      writer.block("\(style.type)enum SchemaConfiguration: ApolloAPI.SchemaConfiguration") { writer in
        writer.annotation(
          "/// Tells under which key the cache keeps an object; nil where the key fields of its type decide.")
        writer.block(
          "\(style.access)static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo?"
        ) { writer in
          writer.annotation("// For example: try? CacheKeyInfo(jsonValue: object[\"id\"])")
          writer.line("nil")
        }
      }
    }
  }

  private func scalar(_ name: String, documentation: [String], _ writer: inout CodeWriter) {
    Namespace(placement, declared: true).wrap(&writer, declares: false, style: style) { writer in
      writer.annotations(documentation)
      writer.annotation("/// A type of your own has to conform to `CustomScalarType`.")
      writer.line("\(style.access)typealias \(Identifier.escaped(name)) = String")
    }
  }
}
