struct ParsedTable {
  struct Field {
    var alias: String?
    var name = ""
    var arguments: [UInt8]?
    var keyPosition: Int?
    var isID = false
    var isEmbedded = false
    var isLocal = false
    var isPrivate = false
    var nulls = NullRule()
    var policy: DeclaredFieldPolicy?
    var pagination: PaginationPolicy?
    var age = DeclaredAge.none
  }

  /// The key of the objects of some types.
  struct TypeKey {
    var types: [String]
    var fields: [String]
  }

  var fields: [Field] = []
  var typeKeys: [TypeKey] = []
  var abstractTypes: [String] = []
  var conditions: [Condition] = []
  var hasFragments = false
  /// The arguments that the table gives to fragments.
  var fragmentArguments: [FragmentVariables] = []
  /// The variables of the fragment whose table it is.
  var ownVariables: FragmentVariables?
  /// How many seconds old the objects may be, by their type.
  var typeAge: UInt32?
  var isLowestOnPath = false
  /// Whether the objects are for one user, by their type.
  var isPrivate = false

  /// Whether one member of an object is two fields: it is a part of some keys, and a property under a condition. Then it
  /// is read twice, as members are that fragments read.
  var hasRepeatedMember: Bool {
    guard !typeKeys.isEmpty, !conditions.isEmpty else { return false }
    var names: Set<String> = []
    return fields.contains { !names.insert($0.alias ?? $0.name).inserted }
  }
}

/// Why the text of a ``__FieldTable`` makes no table.
enum FieldTableError: Error, CustomStringConvertible {
  case newerVersion(Int)
  case malformed(byte: Int, String)

  var description: String {
    switch self {
    case .newerVersion(let version):
      """
      This code was generated for a newer version of this library: its field tables have version \(version), and this one \
      reads those up to version \(__FieldTable.newestVersion). Update the library
      """
    case .malformed(let byte, let detail): "The field table is malformed at byte \(byte): \(detail)"
    }
  }
}

/// Reads the text of a ``__FieldTable``.
struct FieldTableParser {
  private let bytes: [UInt8]
  private let version: Int

  static func parse(_ bytes: [UInt8], version: Int) throws(FieldTableError) -> ParsedTable {
    guard version <= __FieldTable.newestVersion else { throw .newerVersion(version) }
    // Versions 0 and 1 are one form: the first edition did not write its version. Version 2 has ages, embedded
    // objects, local fields, and keys of types; version 3, abstract types; version 4, what is private; version 5, what a
    // null means; version 6, variables of fragments.
    return try FieldTableParser(bytes: bytes, version: version).table()
  }

  private func table() throws(FieldTableError) -> ParsedTable {
    var table = ParsedTable()
    for token in try tokens() {
      switch token.first {
      case UInt8(ascii: "."):
        guard token.elementsEqual("...".utf8) else { throw malformed(token, "'...' expected") }
        table.hasFragments = true
      case UInt8(ascii: "?"): table.conditions.append(try condition(token.dropFirst()))
      case UInt8(ascii: "$") where version >= 6:
        table.fragmentArguments.append(try fragmentVariables(token.dropFirst()))
      case UInt8(ascii: "=") where version >= 6: table.ownVariables = try fragmentVariables(token.dropFirst())
      case UInt8(ascii: "!") where version >= 2: table.typeKeys.append(try typeKey(token.dropFirst()))
      case UInt8(ascii: "^") where version >= 3:
        table.abstractTypes += try names(token.dropFirst(), separator: UInt8(ascii: "|"))
      case UInt8(ascii: "<") where version >= 2:
        guard let text = Self.mark(at: token), text.count + 2 == token.count else {
          throw malformed(token, "'>' expected")
        }
        if text.elementsEqual("min".utf8) {
          table.isLowestOnPath = true
        } else if version >= 4, text.elementsEqual("private".utf8) {
          table.isPrivate = true
        } else {
          table.typeAge = try seconds(text)
        }
      default: table.fields.append(try field(token))
      }
    }
    return table
  }

  private func malformed(_ place: ArraySlice<UInt8>, _ detail: String) -> FieldTableError {
    .malformed(byte: place.startIndex, detail)
  }

  /// Splits at the spaces that stand outside of arguments.
  private func tokens() throws(FieldTableError) -> [ArraySlice<UInt8>] {
    var tokens: [ArraySlice<UInt8>] = []
    var start = 0, depth = 0, quoted = false, index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where quoted: index += 1
      case UInt8(ascii: "\""): quoted.toggle()
      case UInt8(ascii: "(") where !quoted: depth += 1
      case UInt8(ascii: ")") where !quoted:
        depth -= 1
        guard depth >= 0 else { throw .malformed(byte: index, "')' without '('") }
      case UInt8(ascii: " ") where !quoted && depth == 0:
        if start < index { tokens.append(bytes[start..<index]) }
        start = index + 1
      default: break
      }
      index += 1
    }
    guard depth == 0, !quoted, index == bytes.count else { throw .malformed(byte: start, "arguments without an end") }
    if start < bytes.count { tokens.append(bytes[start...]) }
    return tokens
  }

  // MARK: Fields

  private func field(_ token: ArraySlice<UInt8>) throws(FieldTableError) -> ParsedTable.Field {
    var field = ParsedTable.Field()
    var rest = token
    if version >= 5, rest.last == UInt8(ascii: "}"), let open = rest.lastIndex(of: UInt8(ascii: "{")) {
      field.nulls = try nullRule(rest[(open + 1)...].dropLast())
      rest = rest[..<open]
    }
    if version >= 4, rest.last == UInt8(ascii: "-") {
      field.isPrivate = true
      rest = rest.dropLast()
    }
    if version >= 2, let text = Self.mark(at: rest) {
      field.age = try age(text)
      rest = rest.dropLast(text.count + 2)
    }
    if version >= 2, rest.last == UInt8(ascii: "^") {
      field.isLocal = true
      rest = rest.dropLast()
    }
    if version >= 2, rest.last == UInt8(ascii: "~") {
      field.isEmbedded = true
      rest = rest.dropLast()
    }
    if rest.last == UInt8(ascii: "#") {
      field.isID = true
      rest = rest.dropLast()
    }
    let digits = rest.suffix(rest.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count)
    let unmarked = rest.dropLast(digits.count)
    if unmarked.last == UInt8(ascii: "!") {
      field.keyPosition = try keyPosition(digits)
      rest = unmarked.dropLast()
    }
    if let open = rest.firstIndex(of: UInt8(ascii: "(")) {
      // The arguments may contain any byte in their strings; a policy, only names.
      guard let close = rest.lastIndex(of: UInt8(ascii: ")")), close > open else {
        throw malformed(token, "')' expected")
      }
      try readPolicies(rest[(close + 1)...], &field)
      field.arguments = Array(rest[(open + 1)..<close])
      rest = rest[..<open]
    } else if let mark = rest.dropFirst().firstIndex(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") }) {
      try readPolicies(rest[mark...], &field)
      rest = rest[..<mark]
    }
    if let pagination = field.pagination {
      // Its key is made at run time.
      field.arguments = field.arguments ?? []
      if pagination.style == .relay { field.isEmbedded = true }
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      field.alias = try name(rest[..<colon])
      rest = rest[(colon + 1)...]
    }
    field.name = rest.elementsEqual("@defer".utf8) ? "@defer" : try name(rest)
    return field
  }

  /// What stands between `<` and `>` at the end of a token; nil if there is none. (The text of an argument may have any
  /// character, but `)` follows.)
  private static func mark(at token: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard token.last == UInt8(ascii: ">"), let start = token.lastIndex(of: UInt8(ascii: "<")) else { return nil }
    return token[(start + 1)..<(token.endIndex - 1)]
  }

  private func age(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> DeclaredAge {
    if text.elementsEqual("=".utf8) { return .inherited }
    return text.first == UInt8(ascii: ":") ? .ofType(try seconds(text.dropFirst())) : .seconds(try seconds(text))
  }

  private func seconds(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> UInt32 {
    guard let first = text.first, first != UInt8(ascii: "+"),
      let seconds = UInt32(String(decoding: text, as: UTF8.self))
    else { throw malformed(text, "a number of seconds expected") }
    return seconds
  }

  /// `0,2,log`: levels of lists, and what is to be done if the field is null.
  private func nullRule(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> NullRule {
    var rule = NullRule()
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let word = String(decoding: part, as: UTF8.self)
      if let action = NullRule.RequiredAction(rawValue: word) {
        rule.required = action
      } else if let level = UInt32(word), level < 32 {
        rule.thrownLevels |= 1 << level
      } else {
        throw malformed(text, "levels or an action expected")
      }
    }
    return rule
  }

  private func keyPosition(_ digits: ArraySlice<UInt8>) throws(FieldTableError) -> Int {
    guard digits.count < 6 else { throw malformed(digits, "a smaller number expected") }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The names of types, `:`, and the names of fields.
  private func typeKey(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> ParsedTable.TypeKey {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw malformed(text, "':' expected") }
    return ParsedTable.TypeKey(
      types: try names(text[..<colon], separator: UInt8(ascii: "|")),
      fields: try names(text[(colon + 1)...], separator: UInt8(ascii: ",")))
  }

  private func names(_ text: ArraySlice<UInt8>, separator: UInt8) throws(FieldTableError) -> [String] {
    var names: [String] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) { names.append(try name(part)) }
    return names
  }

  /// A name of GraphQL.
  private func name(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> String {
    func isStart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
      default: false
      }
    }
    let isName = text.allSatisfy { isStart($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let first = text.first, isStart(first), isName else { throw malformed(text, "a name expected") }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads what stands behind the arguments: `@id:Droid%r:first,,,after`, or one of the two.
  private func readPolicies(_ text: ArraySlice<UInt8>, _ field: inout ParsedTable.Field) throws(FieldTableError) {
    var rest = text
    if version >= 2, let mark = rest.firstIndex(of: UInt8(ascii: "%")) {
      field.pagination = try pagination(rest[(mark + 1)...])
      rest = rest[..<mark]
    }
    guard let mark = rest.first else { return }
    guard mark == UInt8(ascii: "@") else { throw malformed(rest, "'@' expected") }
    field.policy = try policy(rest.dropFirst())
  }

  private func pagination(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> PaginationPolicy {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw malformed(text, "':' expected") }
    let arguments = text[(colon + 1)...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard !arguments.contains(where: { $0.hasPrefix(".") || $0.hasSuffix(".") }) else {
      throw malformed(text, "names of arguments expected")
    }
    var mark = text[..<colon]
    let keepsPages = mark.last == UInt8(ascii: "+")
    if keepsPages { mark.removeLast() }
    let style: PaginationPolicy.Style
    switch (mark.first, Int(String(decoding: mark.dropFirst(), as: UTF8.self))) {
    case (UInt8(ascii: "r"), nil) where mark.count == 1: style = .relay
    case (UInt8(ascii: "o"), nil) where mark.count == 1: style = .offset
    case (UInt8(ascii: "a"), nil) where mark.count == 1: style = .append
    case (UInt8(ascii: "k"), nil) where mark.count == 1: style = .key
    case (UInt8(ascii: "p"), let first?) where (0...PaginationPolicy.limit).contains(first): style = .page(first: first)
    default: throw malformed(text, "a style of pages expected")
    }
    return PaginationPolicy(style: style, keepsPages: keepsPages, arguments: arguments)
  }

  private func policy(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> DeclaredFieldPolicy {
    let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw malformed(text, "':' expected") }
    func names(_ text: ArraySlice<UInt8>, separator: Character) -> [String] {
      String(decoding: text, as: UTF8.self).split(separator: separator).map(String.init)
    }
    return DeclaredFieldPolicy(
      keyArguments: names(parts[0], separator: ","), types: names(parts[1], separator: "|"))
  }

  /// The name of a fragment, `(`, values of variables, `)`, and the names of variables without a value.
  private func fragmentVariables(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> FragmentVariables {
    guard let open = text.firstIndex(of: UInt8(ascii: "(")), let close = text.lastIndex(of: UInt8(ascii: ")")),
      open < close
    else { throw malformed(text, "'(' and ')' expected") }
    let rest = text[(close + 1)...]
    return FragmentVariables(
      fragment: try name(text[..<open]), values: Array(text[(open + 1)..<close]),
      others: rest.isEmpty ? [] : try names(rest, separator: UInt8(ascii: ",")))
  }

  // MARK: Conditions

  private func condition(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> Condition {
    var condition = Condition(terms: [])
    // Without a term it never holds.
    guard !text.isEmpty else { return condition }
    for term in text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
      var factors: [Condition.Factor] = []
      for factor in term.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
        factors.append(try self.factor(factor))
      }
      condition.terms.append(factors)
    }
    return condition
  }

  private func factor(_ text: ArraySlice<UInt8>) throws(FieldTableError) -> Condition.Factor {
    let test: Condition.Factor.Test =
      switch text.first {
      case UInt8(ascii: "!"): .isNotTrue
      case UInt8(ascii: "~"): .isFalse
      default: .isTrue
      }
    let variable = text.dropFirst(test == .isTrue ? 0 : 1)
    guard variable.first == UInt8(ascii: "$") else { throw malformed(variable, "'$' expected") }
    let parts =
      version >= 6 ? try names(variable.dropFirst(), separator: UInt8(ascii: ".")) : [try name(variable.dropFirst())]
    return Condition.Factor(variable: parts.joined(separator: "."), test: test)
  }
}
