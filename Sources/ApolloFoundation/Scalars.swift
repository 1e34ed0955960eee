public import ApolloAPI
public import Foundation

// Swift types for common custom scalars. The configuration of the generator maps a scalar to one of them. Each type
// reads what it writes without loss.

/// A date as a string in ISO 8601 with a time zone: `2026-11-21T08:46:00Z`, with or without a fraction of a second.
extension Date: CustomScalarType {
  /// Makes a date of a string in ISO 8601.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not such a string.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String else { throw JSONDecodingError.couldNotConvert(value: value, to: Date.self) }
    let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = try? text.contains(".") ? withFraction.parse(text) : Date.ISO8601FormatStyle().parse(text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Date.self)
    }
    self = date
  }

  /// The date as a string in ISO 8601, with milliseconds if it is not a whole second.
  public var _jsonValue: JSONValue {
    let hasFraction = timeIntervalSinceReferenceDate.rounded(.down) != timeIntervalSinceReferenceDate
    return Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).format(self)
  }
}

/// An absolute or relative URL, as a string.
extension URL: CustomScalarType {
  /// Makes a URL of a string.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not a URL.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let url = URL(string: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: URL.self)
    }
    self = url
  }

  /// The URL as a string.
  public var _jsonValue: JSONValue { absoluteString }
}

/// A UUID, as a string such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in upper or lower case.
extension UUID: CustomScalarType {
  /// Makes a UUID of a string.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not a UUID.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let uuid = UUID(uuidString: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: UUID.self)
    }
    self = uuid
  }

  /// The UUID as a string in upper case.
  public var _jsonValue: JSONValue { uuidString }
}

/// Bytes, as a string in base64 (RFC 4648, section 4).
extension Data: CustomScalarType {
  /// Makes bytes of a string in base64.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not base64.
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
/// It is read from the digits that were sent, so it is exact.
extension Decimal: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Decimal {
    let json = try reader.rawJSON()
    let text = json.hasPrefix("\"") ? (try? ResponseReader.jsonValue(ResponseBytes(json.utf8))) as? String ?? "" : json
    guard isNumber(text), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
    else {
      throw reader.scalarFailure(JSONDecodingError.couldNotConvert(value: json, to: Decimal.self))
    }
    return value
  }

  /// Writes the number as a string.
  public func __write(to writer: inout __JSONWriter) { writer.write(description) }

  /// Checks the grammar of JSON numbers, which is stricter than that of `Decimal`.
  private static func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }
}
