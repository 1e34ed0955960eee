/// Texts of types, as a configuration has them: `Foundation.URL`, `[String: Any]`, `Box<Int?>`.
package enum TypeText {
  /// Whether a text is a type and nothing else.
  package static func isType(_ text: String) -> Bool {
    var parser = Parser(rest: Array(text.unicodeScalars)[...])
    return parser.type() && parser.rest.isEmpty
  }

  /// Whether a text that is a type is an optional one: `Int?`, `Int!`, `Optional<Int>`, or one of these in parentheses.
  package static func isOptional(_ text: String) -> Bool {
    var parser = Parser(rest: Array(text.unicodeScalars)[...])
    return parser.type() && parser.isOptional
  }

  /// The names in a type, each with those that dots join to it.
  static func paths(in type: String) -> [String] {
    type.unicodeScalars.split { $0 != "." && !Identifier.isPartOfName(String($0)) }.map { String($0) }
  }

  /// The first names of those that dots join in a type: modules, or types around other ones.
  static func outermostNames(in type: String) -> [String] {
    guard type.utf8.contains(UInt8(ascii: ".")) else { return [] }
    return paths(in: type).map { $0.split(separator: ".") }.filter { $0.count > 1 }.map { String($0[0]) }
  }

  /// Whether a type is written as a name, or as several with dots between them, so that a module may stand before it.
  static func isPath(_ type: String) -> Bool {
    guard let first = type.first else { return false }
    return !"[( ".contains(first) && !["any ", "some "].contains(where: type.hasPrefix)
  }

  /// Reads a type. No type has a line break or a string in it.
  private struct Parser {
    var rest: ArraySlice<Unicode.Scalar>
    /// Whether the type that was read last is optional.
    private(set) var isOptional = false
    private var depth = 0

    init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

    mutating func type() -> Bool {
      depth += 1
      defer { depth -= 1 }
      guard depth < 32 else { return false }
      skipSpaces()
      let isRead =
        switch rest.first {
        case "[": list(closedBy: "]")
        case "(": list(closedBy: ")")
        default: path()
        }
      while skip("?") || skip("!") { isOptional = true }
      skipSpaces()
      return isRead
    }

    /// Names with dots between them, each perhaps with generic arguments; `any` and `some` may come before.
    private mutating func path() -> Bool {
      var names: [String] = [], hasArguments = false
      repeat {
        var name = String.UnicodeScalarView(), isQuoted = skip("`")
        while let scalar = rest.first, Identifier.isPartOfName(String(scalar)) { name.append(rest.removeFirst()) }
        if isQuoted { isQuoted = !skip("`") }
        guard Identifier.isName(String(name)), !isQuoted else { return false }
        if ["any", "some"].contains(String(name)), rest.first == " " {
          skipSpaces()
          return path()
        }
        names.append(String(name))
        hasArguments = rest.first == "<"
        if hasArguments, !list(closedBy: ">") { return false }
      } while skip(".")
      isOptional = hasArguments && [["Optional"], ["Swift", "Optional"]].contains(names)
      return true
    }

    /// Types with commas or colons between them. One type in parentheses is that type.
    private mutating func list(closedBy end: Unicode.Scalar) -> Bool {
      rest.removeFirst()
      var count = 0
      repeat {
        guard type() else { return false }
        count += 1
      } while skip(",") || skip(":")
      isOptional = isOptional && count == 1 && end == ")"
      return skip(end)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard rest.first == scalar else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func skipSpaces() { while skip(" ") {} }
  }
}
