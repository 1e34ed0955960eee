/// Writes a JSON value in a style.
struct StyledWriter {
  private let style: JSONStyle
  private let library: JSONStyle.Library
  private var random: SplitMix
  private var output = ""
  private var depth = 0
  /// What is repeated inside of what is repeated grows fast.
  private var repeatsLeft = 6
  /// Inside of `errors` or `extensions`, whose numbers are read as they are spelled.
  private var keepsNumbers = false

  init(style: JSONStyle) {
    self.style = style
    library = style.library
    random = SplitMix(state: style.seed &+ 1)
  }

  mutating func text(of value: JSONText) -> String {
    anySpace()
    write(value)
    // Go's encoder ends each value so.
    if library == .go { output += "\n" }
    anySpace()
    return output
  }

  private mutating func write(_ value: JSONText) {
    switch value {
    case .object(let members): write(members)
    case .list(let elements):
      write("[", elements.count, "]") { writer, index in writer.write(elements[index]) }
    case .string(let units): write(units)
    case .number(let text): output += keepsNumbers || !style.changes.contains(.numbers) ? text : respelled(text)
    case .word(let word): output += word
    }
  }

  private mutating func write(_ members: [(name: [UInt16], value: JSONText)]) {
    let members = arranged(members)
    write("{", members.count, "}") { writer, index in
      let (name, value) = members[index]
      let outer = writer.keepsNumbers
      if ["errors", "extensions"].contains(String(decoding: name, as: UTF16.self)) { writer.keepsNumbers = true }
      writer.write(name)
      writer.anySpace()
      writer.output += writer.library.isTight ? ":" : ": "
      writer.anySpace()
      writer.write(value)
      writer.keepsNumbers = outer
    }
  }

  private mutating func write(
    _ open: String, _ count: Int, _ close: String, _ item: (inout StyledWriter, Int) -> Void
  ) {
    output += open
    guard count > 0 else {
      anySpace()
      output += close
      return
    }
    depth += 1
    for index in 0..<count {
      if index > 0 {
        anySpace()
        output += library == .python ? ", " : ","
      }
      newLine()
      anySpace()
      item(&self, index)
    }
    depth -= 1
    newLine()
    anySpace()
    output += close
  }

  // MARK: White space

  private mutating func newLine() {
    guard let indentation = library.indentation else { return }
    output += "\n" + String(repeating: indentation, count: depth)
  }

  private mutating func anySpace() {
    guard library == .none else { return }
    while random.isTrue(oneIn: 3) { output += ["\n", "\r\n", "\t", " ", "  "].randomElement(using: &random) ?? " " }
  }

  // MARK: Members

  private mutating func arranged(_ members: [(name: [UInt16], value: JSONText)]) -> [(name: [UInt16], value: JSONText)]
  {
    // Of members with the same name the last one counts, so they have to stay in their order.
    guard Set(members.map(\.name)).count == members.count else { return members }
    var members = members
    if style.changes.contains(.order) {
      switch random.next() % 5 {
      case 0: members.sort { $0.name.lexicographicallyPrecedes($1.name) }
      case 1: members.reverse()
      case 2:
        let typename = Array("__typename".utf16)
        members = members.filter { $0.name != typename } + members.filter { $0.name == typename }
      default: members.shuffle(using: &random)
      }
    }
    if style.changes.contains(.repeats) {
      for member in members where repeatsLeft > 0 && random.isTrue(oneIn: 4) {
        repeatsLeft -= 1
        members.insert(member, at: Int(random.next() % UInt64(members.count + 1)))
      }
    }
    return members
  }

  // MARK: Numbers

  private mutating func respelled(_ text: String) -> String {
    let isNegative = text.hasPrefix("-"), digits = text.drop { $0 == "-" }
    // Those of many digits could become another number.
    guard digits.count <= 15, !digits.contains(where: { $0 == "e" || $0 == "E" }) else { return text }
    let parts = digits.split(separator: ".")
    let integer = parts[0], fraction = parts.count > 1 ? parts[1] : ""
    // (A mantissa may not begin with zeros.)
    var mantissa = (integer + fraction).drop { $0 == "0" }
    if mantissa.isEmpty { mantissa = "0" }
    let spellings = [
      "\(integer).\(fraction)0", "\(integer).\(fraction)0e0", "\(mantissa)E-\(fraction.count)",
      "\(mantissa)\(mantissa == "0" ? "" : "0")e-\(fraction.count + 1)", String(digits),
    ]
    return (isNegative ? "-" : "") + (spellings.randomElement(using: &random) ?? text)
  }

  // MARK: Strings

  private mutating func write(_ units: [UInt16]) {
    output += "\""
    var index = 0
    while index < units.count {
      let unit = units[index]
      let isPair =
        unit & 0xfc00 == 0xd800 && index + 1 < units.count && units[index + 1] & 0xfc00 == 0xdc00
      if isPair {
        if isEscaped(unit) {
          output += hexadecimal(unit)
          output += hexadecimal(units[index + 1])
        } else {
          output += String(decoding: units[index...(index + 1)], as: UTF16.self)
        }
        index += 2
      } else {
        write(unit)
        index += 1
      }
    }
    output += "\""
  }

  private mutating func write(_ unit: UInt16) {
    let short: [UInt16: String] = [
      0x22: "\\\"", 0x5c: "\\\\", 0x0a: "\\n", 0x0d: "\\r", 0x09: "\\t", 0x08: "\\b", 0x0c: "\\f",
    ]
    if let short = short[unit], library != .dotNet || unit != 0x22 {
      output += library == .none && random.isTrue(oneIn: 4) ? hexadecimal(unit) : short
    } else if unit == UInt16(UInt8(ascii: "/")), escapesSlash() {
      output += "\\/"
    } else if unit < 0x20 || unit & 0xf800 == 0xd800 || isEscaped(unit) {
      output += hexadecimal(unit)
    } else {
      output += String(decoding: [unit], as: UTF16.self)
    }
  }

  private mutating func escapesSlash() -> Bool {
    switch library {
    case .php, .indentedPHP: true
    case .none: random.isTrue(oneIn: 4)
    default: false
    }
  }

  private mutating func isEscaped(_ unit: UInt16) -> Bool {
    switch library {
    case .none: random.isTrue(oneIn: 8)
    case .python, .indentedPython, .php, .indentedPHP: unit >= 0x7f
    case .dotNet: unit >= 0x7f || Array("\"<>&'+`".utf16).contains(unit)
    case .go, .ruby: Array("<>&".utf16).contains(unit) || unit == 0x2028 || unit == 0x2029
    case .jackson, .indentedRuby: false
    }
  }

  private mutating func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16, uppercase: library == .dotNet || library == .none && random.isTrue(oneIn: 2))
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSONStyle.Library {
  fileprivate var isTight: Bool {
    switch self {
    case .go, .jackson, .dotNet, .php, .ruby, .none: true
    case .python, .indentedPython, .indentedPHP, .indentedRuby: false
    }
  }

  fileprivate var indentation: String? {
    switch self {
    case .indentedPython, .indentedRuby: "  "
    case .indentedPHP: "    "
    default: nil
    }
  }
}
