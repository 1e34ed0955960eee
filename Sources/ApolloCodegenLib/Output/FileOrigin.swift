import Foundation

/// What a generated Swift file says of its origin: what it was generated from, and of which schema.
struct FileOrigin {
  /// What the mark says: `from Hero.graphql`, or `from the schema`.
  let text: String
  private let lines: [String]

  /// nil for a file that this generator did not write.
  init?(_ data: Data) {
    guard let mark = GeneratedMark.ourLine(data) else { return nil }
    text = String(mark.dropFirst(GeneratedMark.ours.count).split(separator: ". Do not edit", maxSplits: 1).first ?? "")
      .trimmingCharacters(in: .whitespaces)
    lines = GeneratedMark.lines(data)
  }

  init?(_ text: String) { self.init(Data(text.utf8)) }

  /// The name of the document that it was generated from; nil for a file of the schema, such as a mock.
  var document: String? {
    text.hasPrefix("from ") && text != "from the schema" ? String(text.dropFirst("from ".count)) : nil
  }

  /// What its operations and fragments are to a server: texts, or identifiers. They are the same in every layout, but for
  /// white space, which is left out.
  var definitions: [String] {
    var found: [String] = [], isInside = false
    for line in lines {
      var text = line[...]
      if ["static let operationDocument", "static let fragmentDefinition"].contains(where: line.contains) {
        found.append("")
        isInside = true
        text = line.drop { $0 != "=" }
      } else if line.isEmpty || Self.declarationsBehindText.contains(where: line.hasSuffix) {
        isInside = false
      }
      // (The names of fragments may have a namespace.)
      guard isInside, !line.hasPrefix("fragments:") else { continue }
      found[found.count - 1] += text.filter { !"\\\" ".contains($0) }
    }
    return found
  }

  private static let declarationsBehindText = [
    "static let hasDeferredFragments = true", "static let __hasLocalFields = true",
  ]

  /// The modules that it imports.
  var imports: Set<String> {
    Set(lines.prefix { !$0.contains("{") }.compactMap { Self.name(in: $0, after: "import") })
  }

  /// The modules and namespaces that the code names as those of its schema. Code in the module of the schema's types
  /// names none if it is not in a namespace.
  ///
  /// - Parameter modules: Modules that have other types, besides those of the client and Foundation.
  /// - Returns: The names: one, or none.
  func schemas(besides modules: Set<String>) -> Set<String> {
    var names = imports.subtracting(modules).subtracting(Self.knownModules)
    let metadata = ".SchemaMetadata.self"
    for line in lines where line.contains(metadata) {
      let before = line.components(separatedBy: metadata)[0]
      if let name = before.split(whereSeparator: { " {(".contains($0) }).last { names.insert(String(name)) }
    }
    guard document != nil else {
      return names.union([EditableDeclaration.namespace(ofSchema: lines.joined(separator: "\n"))].compactMap { $0 })
    }
    // Before this mark, only a namespace is extended. Behind it, the types of the document are.
    for line in lines.prefix(while: { !$0.hasPrefix("// MARK:") }) where line.hasSuffix(" {") {
      if let name = Self.name(in: line.dropLast(2), after: "extension") { names.insert(name) }
    }
    return names
  }

  /// The last word of a line of code, if this keyword stands before it.
  private static func name(in line: some StringProtocol, after keyword: String) -> String? {
    let words = line.split(separator: " ")
    guard words.count >= 2, words[words.count - 2] == keyword, !line.hasPrefix("/") else { return nil }
    return String(words[words.count - 1])
  }

  private static let knownModules: Set = ["Apollo", "ApolloAPI", "ApolloFoundation", "ApolloTestSupport", "Foundation"]
}
