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

/// Files for people to change, which they may not have changed yet.
package enum EditableFiles {
  /// Whether a file still has what was written, for any namespace, access level and description.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - name: The name of the type that it declares.
  ///   - isDescription: Whether a line of a scalar's comment may be one of its description in the schema.
  /// - Returns: Whether it has.
  package static func isUnchanged(_ text: String, name: String, isDescription: (String) -> Bool) -> Bool {
    let isScalar = name != "SchemaConfiguration"
    let content: EditableFilePlan.Content = isScalar ? .scalar(name: name, documentation: []) : .schemaConfiguration
    let file = EditableFileRenderer(
      plan: EditableFilePlan(name: name, content: content), placement: CodePlacement(),
      style: DeclarationStyle(.internal, RenderingOptions()))
    let written = form(file.text)
    var lines = form(text)
    if isScalar {
      lines.removeAll { line in
        line[0] == "///" && !written.contains(line) && isDescription(line.dropFirst().joined(separator: " "))
      }
    }
    return lines == written
  }

  /// The words of each line, without what depends on the configuration.
  private static func form(_ text: String) -> [[String]] {
    var lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { line in
      let words = line.split { $0 == " " }.map { String($0) }
      return words.first?.hasPrefix("//") ?? true ? words : words.filter { !["public", "nonisolated"].contains($0) }
    }
    lines.removeAll { $0.isEmpty }
    if let namespace = lines.firstIndex(where: { $0.count == 3 && $0[0] == "extension" && $0[2] == "{" }) {
      lines.remove(at: namespace)
      if lines.last == ["}"] { lines.removeLast() }
    }
    return lines
  }
}
