/// Writes how a type is compared and hashed. The compiler takes longer to synthesize this than to read it.
///
/// It is a method and not `==`: see `__MemberwiseHashable`. It is not inlined, because the compiler would copy it into
/// what it makes for each protocol.
struct HashableRenderer {
  /// The stored properties.
  let names: [String]
  /// The properties for inline fragments. They hold shared members, which are compared already, and fields of their
  /// own.
  var inlineFragments: [String] = []
  /// A function of the type that compares the rest.
  var rest: String?
  /// The beginning of the function that compares, up to the name of its parameter.
  var function = "__isEqual(to"
  /// Whether the type has an identifier, which `__MemberwiseHashable` hashes.
  var isIdentifiable = false
  /// The properties that are hashed, if they are not ``names``.
  var hashed: [String]?
  let style: DeclarationStyle

  /// The protocol that the type conforms to if it has members. Other types conform to `Hashable` alone.
  static let conformance = "__MemberwiseHashable"

  func render(to writer: inout CodeWriter) {
    guard !names.isEmpty || !inlineFragments.isEmpty || rest != nil else { return }
    writer.blankLine()
    writer.block("@inline(never) \(style.access)func \(function) other: Self) -> Bool") { writer in
      let comparisons =
        names.map { "\(StructRenderer.member($0)) == other.\(Identifier.escaped($0))" }
        + inlineFragments.map { "\(StructRenderer.member($0)).hasEqualFields(as: other.\(Identifier.escaped($0)))" }
        + (rest.map { ["\($0)(as: other)"] } ?? [])
      writer.fill(comparisons.enumerated().map { ($0.offset == 0 ? "" : "&& ") + $0.element })
    }
    guard !isIdentifiable else { return }
    writer.blankLine()
    writer.block("@inline(never) \(style.access)func hash(into hasher: inout Hasher)") { writer in
      for name in hashed ?? names { writer.line("hasher.combine(\(StructRenderer.member(name)))") }
    }
  }
}

extension HashableRenderer {
  /// Writes it for a type whose values cannot be compared: what is sent for them is compared.
  static func renderByText(style: DeclarationStyle, to writer: inout CodeWriter) {
    writer.blankLine()
    writer.member("\(style.access)func __isEqual(to other: Self) -> Bool", "json == other.json")
    writer.blankLine()
    writer.member("\(style.access)func hash(into hasher: inout Hasher)", "hasher.combine(json)")
    writer.blankLine()
    writer.block("private var json: String") { writer in
      writer.line("var writer = __JSONWriter()")
      writer.line("__write(to: &writer)")
      writer.line("return writer.text")
    }
  }
}
