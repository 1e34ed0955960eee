/// Writes how a type is compared and hashed, which takes the compiler longer to synthesize than to read.
///
/// It is a method and not `==`: see `__MemberwiseHashable`.
struct HashableRenderer {
  /// The stored properties.
  let names: [String]
  /// Of inline fragments, which hold what is compared anyway as well as fields of their own.
  var inlineFragments: [String] = []
  /// The function that compares, up to the name of its parameter.
  var function = "__isEqual(to"
  /// `__MemberwiseHashable` hashes what has an identifier.
  var isIdentifiable = false
  let style: DeclarationStyle

  /// What the type has to conform to, if it has members: those of others are compared by `Hashable`.
  static let conformance = "__MemberwiseHashable"

  func render(to writer: inout CodeWriter) {
    guard !names.isEmpty || !inlineFragments.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.access)func \(function) other: Self) -> Bool") { writer in
      let comparisons =
        names.map { "\(StructRenderer.member($0)) == other.\(Identifier.escaped($0))" }
        + inlineFragments.map { "\(StructRenderer.member($0)).hasEqualFields(as: other.\(Identifier.escaped($0)))" }
      writer.fill(comparisons.enumerated().map { ($0.offset == 0 ? "" : "&& ") + $0.element })
    }
    guard !isIdentifiable else { return }
    writer.blankLine()
    writer.block("\(style.access)func hash(into hasher: inout Hasher)") { writer in
      for name in names { writer.line("hasher.combine(\(StructRenderer.member(name)))") }
    }
  }
}

extension HashableRenderer {
  /// For values that cannot be compared, though what is sent for them can.
  static func renderByText(style: DeclarationStyle, to writer: inout CodeWriter) {
    writer.blankLine()
    writer.line("\(style.access)func __isEqual(to other: Self) -> Bool { json == other.json }")
    writer.blankLine()
    writer.line("\(style.access)func hash(into hasher: inout Hasher) { hasher.combine(json) }")
    writer.blankLine()
    writer.block("private var json: String") { writer in
      writer.line("var writer = __JSONWriter()")
      writer.line("__write(to: &writer)")
      writer.line("return writer.text")
    }
  }
}
