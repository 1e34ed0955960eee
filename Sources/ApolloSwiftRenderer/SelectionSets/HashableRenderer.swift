/// Writes how a type is compared and hashed, which takes the compiler longer to synthesize than to read.
///
/// It is a method and not `==`: see `MemberwiseHashable`.
struct HashableRenderer {
  let names: [String]
  /// `MemberwiseHashable` hashes what has an identifier.
  var isIdentifiable = false
  let style: DeclarationStyle

  /// What the type has to conform to. A type without members has nothing to write out.
  var conformance: String { names.isEmpty ? "Hashable" : Self.conformance }
  static let conformance = "MemberwiseHashable"

  func render(to writer: inout CodeWriter) {
    guard !names.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.access)func isEqual(to other: Self) -> Bool") { writer in
      let comparisons = names.enumerated().map { index, name in
        (index == 0 ? "" : "&& ") + "\(SelectionSetRenderer.member(name)) == other.\(Identifier.escaped(name))"
      }
      writer.fill(comparisons)
    }
    guard !isIdentifiable else { return }
    writer.blankLine()
    writer.block("\(style.access)func hash(into hasher: inout Hasher)") { writer in
      for name in names { writer.line("hasher.combine(\(SelectionSetRenderer.member(name)))") }
    }
  }
}

extension HashableRenderer {
  /// For values that cannot be compared, though what is sent for them can.
  static func renderByText(style: DeclarationStyle, to writer: inout CodeWriter) {
    writer.blankLine()
    writer.line("\(style.access)func isEqual(to other: Self) -> Bool { json == other.json }")
    writer.blankLine()
    writer.line("\(style.access)func hash(into hasher: inout Hasher) { hasher.combine(json) }")
    writer.blankLine()
    writer.block("private var json: String") { writer in
      writer.line("var writer = JSONWriter()")
      writer.line("write(to: &writer)")
      writer.line("return writer.text")
    }
  }
}
