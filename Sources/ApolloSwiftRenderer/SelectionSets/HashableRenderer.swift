/// Writes `==` and `hash(into:)`, which take the compiler longer to synthesize than to read.
struct HashableRenderer {
  let names: [String]
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    guard !names.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.access)static func == (a: Self, b: Self) -> Bool") { writer in
      for (index, name) in names.enumerated() {
        let comparison = "a.\(Identifier.escaped(name)) == b.\(Identifier.escaped(name))"
        writer.line(index == 0 ? comparison : "  && " + comparison)
      }
    }
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
    writer.block("\(style.access)static func == (a: Self, b: Self) -> Bool") { writer in
      writer.line("a.json == b.json")
    }
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
