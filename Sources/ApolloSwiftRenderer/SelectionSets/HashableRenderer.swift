/// Writes how a type is compared and hashed. The compiler takes longer to synthesize this than to read it.
///
/// It is a method and not `==`: see `__MemberwiseHashable`. It is not inlined, because the compiler would copy it into
/// what it makes for each protocol.
struct HashableRenderer {
  /// The functions that compare and hash.
  enum Functions {
    /// Those for whole values.
    case ofValues
    /// Those of an inline fragment for the fields that it adds to the selection set around it.
    case ofOwnFields

    /// The beginning of the function that compares, up to the name of its parameter.
    var comparing: String { self == .ofValues ? "__isEqual(to" : "__hasEqualFields(as" }
    var hashing: String { self == .ofValues ? "hash" : "__hashFields" }
  }

  var functions = Functions.ofValues
  /// The stored properties.
  let names: [String]
  /// The properties for inline fragments. They hold shared members, which stand in `names` already, and fields of their
  /// own.
  var inlineFragments: [String] = []
  /// Whether the fields that an inline fragment adds are a part of the value.
  var hasOwnFields = false
  /// Whether a default implementation hashes the value.
  var isHashedByDefault = false
  let style: DeclarationStyle

  /// The protocol that the type conforms to if it has members. Other types conform to `Hashable` alone.
  static let conformance = "__MemberwiseHashable"

  func render(to writer: inout CodeWriter) {
    guard !names.isEmpty || !inlineFragments.isEmpty || hasOwnFields else { return }
    writer.blankLine()
    writer.block("@inline(never) \(style.access)func \(functions.comparing) other: Self) -> Bool") { writer in
      let comparisons =
        names.map { "\(Identifier.member($0)) == other.\(Identifier.escaped($0))" }
        + inlineFragments.map { "\(Identifier.member($0)).hasEqualFields(as: other.\(Identifier.escaped($0)))" }
        + (hasOwnFields ? ["\(Functions.ofOwnFields.comparing): other)"] : [])
      writer.fill(comparisons.enumerated().map { ($0.offset == 0 ? "" : "&& ") + $0.element })
    }
    guard !isHashedByDefault else { return }
    writer.blankLine()
    writer.block("@inline(never) \(style.access)func \(functions.hashing)(into hasher: inout Hasher)") { writer in
      for name in names { writer.line("hasher.combine(\(Identifier.member(name)))") }
      for name in inlineFragments { writer.line("\(Identifier.member(name)).hashFields(into: &hasher)") }
      if hasOwnFields { writer.line("\(Functions.ofOwnFields.hashing)(into: &hasher)") }
    }
  }
}

extension HashableRenderer {
  /// Writes it for a type whose values cannot be compared: what is sent for them is compared.
  static func renderByText(style: DeclarationStyle, to writer: inout CodeWriter) {
    writer.blankLine()
    // No field of a schema begins with two underscores.
    writer.member("\(style.access)func __isEqual(to other: Self) -> Bool", "__json == other.__json")
    writer.blankLine()
    writer.member("\(style.access)func hash(into hasher: inout Hasher)", "hasher.combine(__json)")
    writer.blankLine()
    writer.block("private var __json: String") { writer in
      writer.line("var writer = __JSONWriter()")
      writer.line("__write(to: &writer)")
      writer.line("return writer.text")
    }
  }
}
