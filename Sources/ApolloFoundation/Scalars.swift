public import ApolloAPI
public import Foundation

// Swift types for common custom scalars. The generator's configuration maps a scalar to one of them; each reads exactly
// what it writes.

/// ISO 8601 with a time zone: `2026-11-21T08:46:00Z`, with or without fractions of a second.
extension Date: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String else { throw JSONDecodingError.couldNotConvert(value: value, to: Date.self) }
    let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = try? text.contains(".") ? withFraction.parse(text) : Date.ISO8601FormatStyle().parse(text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Date.self)
    }
    self = date
  }

  public var _jsonValue: JSONValue {
    let hasFraction = timeIntervalSinceReferenceDate.rounded(.down) != timeIntervalSinceReferenceDate
    return Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).format(self)
  }
}

/// An absolute or relative URL as a string.
extension URL: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let url = URL(string: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: URL.self)
    }
    self = url
  }

  public var _jsonValue: JSONValue { absoluteString }
}

/// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in letters of any case.
extension UUID: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let uuid = UUID(uuidString: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: UUID.self)
    }
    self = uuid
  }

  public var _jsonValue: JSONValue { uuidString }
}

/// Bytes as base64.
extension Data: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let data = Data(base64Encoded: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Data.self)
    }
    self = data
  }

  public var _jsonValue: JSONValue { base64EncodedString() }
}

/// A decimal number of up to 38 digits, as a number or as a string; it is written as a string.
///
/// It is read from the digits that were sent, and so is exact.
extension Decimal: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Decimal {
    let json = try reader.rawJSON()
    let text = json.hasPrefix("\"") ? (try? ResponseReader.jsonValue(ResponseBytes(json.utf8))) as? String ?? "" : json
    guard isNumber(text), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
    else {
      throw reader.scalarFailure(JSONDecodingError.couldNotConvert(value: json, to: Decimal.self))
    }
    return value
  }

  public func write(to writer: inout JSONWriter) { writer.write(description) }

  /// By the grammar of JSON, which `Decimal` itself does not insist on.
  private static func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }
}
