/// Why a text is not JSON.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, without the place.
  public let message: String
  /// Where it is, in UTF-8 bytes from the beginning.
  public let offset: Int

  public var description: String { "\(message) at byte \(offset)" }
}

/// Reads [JSON](https://www.rfc-editor.org/rfc/rfc8259) strictly: valid UTF-8, nothing after the value, and nesting
/// that no stack minds.
struct JSONParser {
  static let maximumDepth = 256

  let bytes: [UInt8]
  var index = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parseDocument() throws(JSONSyntaxError) -> GraphQLValue {
    // Decoding repairs what is invalid, so that only valid text survives the way there and back.
    guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else {
      throw JSONSyntaxError(message: "Invalid UTF-8", offset: 0)
    }
    let value = try parseValue()
    guard peekToken() == nil else { throw unexpected() }
    return value
  }

  private mutating func parseValue() throws(JSONSyntaxError) -> GraphQLValue {
    switch peekToken() {
    case UInt8(ascii: "{"): return try nested { (parser) throws(JSONSyntaxError) in try parser.parseObject() }
    case UInt8(ascii: "["): return try nested { (parser) throws(JSONSyntaxError) in try parser.parseList() }
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseKeyword("true", .bool(true))
    case UInt8(ascii: "f"): return try parseKeyword("false", .bool(false))
    case UInt8(ascii: "n"): return try parseKeyword("null", .null)
    default: return try parseNumber()
    }
  }

  private mutating func nested(
    _ body: (inout Self) throws(JSONSyntaxError) -> GraphQLValue
  ) throws(JSONSyntaxError) -> GraphQLValue {
    guard depth < Self.maximumDepth else {
      throw JSONSyntaxError(message: "More than \(Self.maximumDepth) levels of nesting", offset: index)
    }
    depth += 1
    defer { depth -= 1 }
    index += 1
    return try body(&self)
  }

  private mutating func parseObject() throws(JSONSyntaxError) -> GraphQLValue {
    var members = GraphQLValue.Object()
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      guard peekToken() == UInt8(ascii: "\"") else { throw unexpected() }
      let key = try parseString()
      guard skip(UInt8(ascii: ":")) else { throw unexpected() }
      members[key] = try parseValue()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw unexpected() }
    return .object(members)
  }

  private mutating func parseList() throws(JSONSyntaxError) -> GraphQLValue {
    var elements: [GraphQLValue] = []
    if skip(UInt8(ascii: "]")) { return .list(elements) }
    repeat {
      elements.append(try parseValue())
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw unexpected() }
    return .list(elements)
  }

  private mutating func parseKeyword(
    _ keyword: String, _ value: GraphQLValue
  ) throws(JSONSyntaxError) -> GraphQLValue {
    guard bytes[index...].starts(with: keyword.utf8) else { throw unexpected() }
    index += keyword.utf8.count
    return value
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> GraphQLValue {
    let start = index
    skipByte(UInt8(ascii: "-"))
    if !skipByte(UInt8(ascii: "0")) { try skipDigits() }
    if skipByte(UInt8(ascii: ".")) { try skipDigits() }
    if skipByte(UInt8(ascii: "e")) || skipByte(UInt8(ascii: "E")) {
      if !skipByte(UInt8(ascii: "+")) { skipByte(UInt8(ascii: "-")) }
      try skipDigits()
    }
    let value = JSONNumber.value(of: String(decoding: bytes[start..<index], as: UTF8.self))
    if case .double(let double) = value, !double.isFinite {
      throw JSONSyntaxError(message: "A number that is too large", offset: start)
    }
    return value
  }

  // MARK: - Bytes

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The first byte that is not white space.
  private mutating func peekToken() -> UInt8? {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
      default: return byte
      }
    }
    return nil
  }

  private mutating func skip(_ token: UInt8) -> Bool {
    guard peekToken() == token else { return false }
    index += 1
    return true
  }

  @discardableResult
  private mutating func skipByte(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipDigits() throws(JSONSyntaxError) {
    let start = index
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
    guard index > start else { throw unexpected() }
  }

  func unexpected() -> JSONSyntaxError {
    guard index < bytes.count else { return JSONSyntaxError(message: "Unexpected end", offset: bytes.count) }
    let character = String(decoding: bytes[index...].prefix(4), as: UTF8.self).prefix(1)
    return JSONSyntaxError(message: "Unexpected \"\(character)\"", offset: index)
  }
}

extension GraphQLValue {
  /// Reads a JSON text in UTF-8.
  ///
  /// Numbers without fraction and exponent that fit are ``int(_:)``. Of two members with one name, the last wins.
  ///
  /// - Throws: ``JSONSyntaxError`` with the place of the defect. Nesting of more than 256 levels is one.
  public init(json: some Sequence<UInt8>) throws(JSONSyntaxError) {
    var parser = JSONParser(Array(json))
    self = try parser.parseDocument()
  }
}
