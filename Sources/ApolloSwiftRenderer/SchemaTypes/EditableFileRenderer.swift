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
  ///   - descriptions: The descriptions of scalars in the schema, whose lines the comment of a scalar may have; nil:
  ///     any.
  /// - Returns: Whether it has.
  package static func isUnchanged(_ text: String, name: String, descriptions: () -> [String]?) -> Bool {
    let isScalar = name != "SchemaConfiguration"
    let content: EditableFilePlan.Content = isScalar ? .scalar(name: name, documentation: []) : .schemaConfiguration
    let file = EditableFileRenderer(
      plan: EditableFilePlan(name: name, content: content), placement: CodePlacement(),
      style: DeclarationStyle(.internal, RenderingOptions()))
    let written = form(file.text)
    var lines = form(text)
    func mayBeDescription(_ line: [String]) -> Bool { line[0] == "///" && !written.contains(line) }
    if isScalar, lines.contains(where: mayBeDescription) {
      let known = descriptions().map { Set(($0.flatMap(Documentation.comment) + ["///"]).map(words)) }
      lines.removeAll { mayBeDescription($0) && known?.contains($0) != false }
    }
    return lines == written
  }

  /// The words of each line, without what depends on the configuration.
  private static func form(_ text: String) -> [[String]] {
    var lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { line in
      let words = words(String(line))
      return words.first?.hasPrefix("//") ?? true ? words : words.filter { !["public", "nonisolated"].contains($0) }
    }
    lines.removeAll { $0.isEmpty }
    if let namespace = lines.firstIndex(where: { $0.count == 3 && $0[0] == "extension" && $0[2] == "{" }) {
      lines.remove(at: namespace)
      if lines.last == ["}"] { lines.removeLast() }
    }
    return lines
  }
  private static func words(_ line: String) -> [String] { line.unicodeScalars.split { $0 == " " }.map { String($0) } }
}
