struct ParsedTable {
  struct Field {
    var alias: String?
    var name = ""
    var arguments: [UInt8]?
    var keyPosition: Int?
    var isID = false
    var policy: DeclaredFieldPolicy?
  }

  var fields: [Field] = []
  var conditions: [Condition] = []
  var hasFragments = false
}

/// Reads the text of a ``FieldTable``, which a generator wrote: it is not checked.
enum FieldTableParser {
  static func parse(_ text: StaticString) -> ParsedTable { parse(text.bytes) }

  static func parse(_ bytes: [UInt8]) -> ParsedTable {
    var table = ParsedTable()
    for token in split(bytes) {
      switch token.first {
      case UInt8(ascii: "."): table.hasFragments = true
      case UInt8(ascii: "?"): table.conditions.append(condition(token.dropFirst()))
      default: table.fields.append(field(token))
      }
    }
    return table
  }

  /// Splits at the spaces that stand outside of arguments.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var tokens: [ArraySlice<UInt8>] = []
    var start = 0, depth = 0, quoted = false, index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where quoted: index += 1
      case UInt8(ascii: "\""): quoted.toggle()
      case UInt8(ascii: "(") where !quoted: depth += 1
      case UInt8(ascii: ")") where !quoted: depth -= 1
      case UInt8(ascii: " ") where !quoted && depth == 0:
        if start < index { tokens.append(bytes[start..<index]) }
        start = index + 1
      default: break
      }
      index += 1
    }
    if start < bytes.count { tokens.append(bytes[start...]) }
    return tokens
  }

  private static func field(_ token: ArraySlice<UInt8>) -> ParsedTable.Field {
    var field = ParsedTable.Field()
    var rest = token
    if rest.last == UInt8(ascii: "#") {
      field.isID = true
      rest = rest.dropLast()
    }
    let digits = rest.suffix(rest.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count)
    let unmarked = rest.dropLast(digits.count)
    if unmarked.last == UInt8(ascii: "!") {
      field.keyPosition = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      rest = unmarked.dropLast()
    }
    if let open = rest.firstIndex(of: UInt8(ascii: "(")) {
      // The arguments may contain any byte in their strings; a policy, only names.
      let close = rest.lastIndex(of: UInt8(ascii: ")")) ?? rest.endIndex - 1
      if close + 1 < rest.endIndex { field.policy = policy(rest[(close + 2)...]) }
      field.arguments = Array(rest[(open + 1)..<close])
      rest = rest[..<open]
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      field.alias = String(decoding: rest[..<colon], as: UTF8.self)
      rest = rest[(colon + 1)...]
    }
    field.name = String(decoding: rest, as: UTF8.self)
    return field
  }

  private static func policy(_ text: ArraySlice<UInt8>) -> DeclaredFieldPolicy {
    func names(_ text: ArraySlice<UInt8>?, separator: Character) -> [String] {
      guard let text else { return [] }
      return String(decoding: text, as: UTF8.self).split(separator: separator).map(String.init)
    }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return DeclaredFieldPolicy(
      keyArguments: names(parts.first, separator: ","), types: names(parts.dropFirst().first, separator: "|"))
  }

  private static func condition(_ text: ArraySlice<UInt8>) -> Condition {
    Condition(
      terms: text.split(separator: UInt8(ascii: "|")).map { term in
        term.split(separator: UInt8(ascii: "&")).map { factor in
          let test: Condition.Factor.Test =
            switch factor.first {
            case UInt8(ascii: "!"): .isNotTrue
            case UInt8(ascii: "~"): .isFalse
            default: .isTrue
            }
          let name = factor.dropFirst(test == .isTrue ? 1 : 2)
          return Condition.Factor(variable: String(decoding: name, as: UTF8.self), test: test)
        }
      })
  }
}
