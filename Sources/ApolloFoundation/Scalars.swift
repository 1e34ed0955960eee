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
