public import ApolloAPI
public import Foundation

// Swift types for common custom scalars. The configuration of the generator maps a scalar to one of them. Each type
// reads what it writes without loss, and writes what it has read: dates to the microsecond.

/// A date as a string in ISO 8601 with a time zone: `2026-11-21T08:46:00Z`, with or without a fraction of a second.
extension Date: CustomScalarType {
  /// Makes a date of a string in ISO 8601.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: `JSONDecodingError.couldNotConvert` if it is not such a string.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String else { throw JSONDecodingError.couldNotConvert(value: value, to: Date.self) }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    guard Self.isDate(text), let date = try? style.parse(text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Date.self)
    }
    self = min(date, Self.latest)
  }

  /// The last millisecond that has a form with four digits for the year. `9999-12-31T23:59:59.9999999Z`, by which many
  /// servers say "never", is nearer to the next year than to any other number that a date can have.
  private static let latest = Date(timeIntervalSince1970: 253_402_300_799.999)

  /// The date as a string in ISO 8601, in UTC. It has milliseconds if it is not a whole second, and microseconds if it
  /// is not a whole millisecond.
  ///
  /// A date that is infinite or NaN has no form in JSON: what it is written for fails.
  public var _jsonValue: JSONValue {
    let seconds = timeIntervalSinceReferenceDate
    guard seconds.isFinite else { return seconds }
    // A Double is near a fraction, mostly a little below it, and the formats of Foundation cut off digits. So the whole
    // seconds are formatted alone. Far from 2001 a Double has no microseconds; a millisecond is the nearest one even there.
    let whole = seconds.rounded(.down), isMilliseconds = (seconds * 1000).rounded() / 1000 == seconds
    let microseconds = ((seconds - whole) * (isMilliseconds ? 1e3 : 1e6)).rounded() * (isMilliseconds ? 1e3 : 1)
    if microseconds == 1e6 { return Date.ISO8601FormatStyle().format(Date(timeIntervalSinceReferenceDate: whole + 1)) }
    let text = Date.ISO8601FormatStyle().format(Date(timeIntervalSinceReferenceDate: whole))
    if microseconds == 0 { return text }
    let digits = String(1_000_000 + Int64(microseconds)).dropFirst()
    return "\(text.dropLast()).\(digits.hasSuffix("000") ? digits.dropLast(3) : digits)Z"
  }

  /// Whether a text is a date with a time and a time zone, and has a day that exists. The parser of Foundation passes over
  /// what follows a date, and takes February 30 for March 2.
  private static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 19, hasForm("0000-00-00T00:00:00", bytes[..<19]) else { return false }
    var zone = bytes[19...]
    if zone.first == UInt8(ascii: ".") { zone = zone.dropFirst().drop { $0 &- 0x30 < 10 } }
    guard ["Z", "z", "+00:00", "-00:00", "+0000", "-0000", "+00", "-00"].contains(where: { hasForm($0, zone) }) else {
      return false
    }
    func number(_ start: Int) -> Int { Int(bytes[start] - 0x30) * 10 + Int(bytes[start + 1] - 0x30) }
    let year = number(0) * 100 + number(2), month = number(5)
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    return number(8) <= days && number(11) < 24 && number(14) < 60 && number(17) <= 60
  }

  /// Whether bytes are those of a form, in which 0 stands for any digit.
  private static func hasForm(_ form: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == form.utf8.count
      && zip(form.utf8, bytes).allSatisfy { $0 == UInt8(ascii: "0") ? $1 &- 0x30 < 10 : $0 == $1 }
  }
}

/// An absolute or relative URL, as a string.
extension URL: CustomScalarType {
  /// Makes a URL of a string.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: `JSONDecodingError.couldNotConvert` if it is not a URL.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let url = URL(string: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: URL.self)
    }
    self = url
  }

  /// The URL as a string.
  public var _jsonValue: JSONValue { absoluteString }
}

/// A UUID, as a string such as `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`. It is read in upper or lower case, and written in
/// lower case (RFC 4122, section 3).
///
/// The cache keeps it in lower case as well. So an object has one key, whatever the case in which a server sends it.
extension UUID: CustomScalarType {
  /// Makes a UUID of a string.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: `JSONDecodingError.couldNotConvert` if it is not a UUID.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let uuid = UUID(uuidString: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: UUID.self)
    }
    self = uuid
  }

  /// The UUID as a string in lower case.
  public var _jsonValue: JSONValue { uuidString.lowercased() }

  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> UUID {
    try reader.textScalar({ UUID(uuidString: $0) }, keptAs: { $0.uuidString.lowercased() })
  }
}

/// Bytes, as a string in base64 (RFC 4648, section 4).
extension Data: CustomScalarType {
  /// Makes bytes of a string in base64.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: `JSONDecodingError.couldNotConvert` if it is not base64.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let data = Data(base64Encoded: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Data.self)
    }
    self = data
  }

  /// The bytes as a string in base64.
  public var _jsonValue: JSONValue { base64EncodedString() }
}

/// A decimal number of up to 38 digits, sent as a number or as a string; it is written as a string.
///
/// It is read from the digits that were sent, so it is exact. The cache keeps it as it is written.
extension Decimal: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Decimal {
    try reader.textScalar(number, keptAs: \.description)
  }

  /// Writes the number as a string.
  public func __write(to writer: inout __JSONWriter) { writer.write(description) }

  /// The number in a text; nil for a text outside of the grammar of JSON numbers, which is stricter than that of `Decimal`.
  private static func number(_ text: String) -> Decimal? {
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { return nil }
    let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    return value?.isNaN == true ? nil : value
  }
}
