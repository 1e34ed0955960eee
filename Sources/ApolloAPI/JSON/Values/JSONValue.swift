/// A JSON value in Swift's own types: `String`, `Int`, `Double`, `Bool`, ``JSONNull``, `[JSONValue]` or ``JSONObject``;
/// and ``JSONNumber`` for integers that an `Int` cannot hold, and for numbers beyond the range of `Double`.
public typealias JSONValue = any Sendable

/// A JSON object: values by the names of its members.
public typealias JSONObject = [String: JSONValue]

/// The null of JSON, inside of lists and objects.
public struct JSONNull: Hashable, Sendable {
  /// Makes a null.
  public init() {}
}

/// The value; nil for a ``JSONNull``.
func unlessNull(_ value: JSONValue?) -> JSONValue? { value is JSONNull ? nil : value }

/// An integer that an `Int` cannot hold, or a number beyond the range of `Double`. It keeps the digits in which it was
/// sent. Where `Int` has 32 bits, on Apple Watch up to Series 8, integers beyond 2³¹ are such numbers.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number in the grammar of JSON (RFC 8259, section 6).
  public let description: String

  /// Makes a number of its digits, which have to be in the grammar of JSON.
  package init(text: String) { description = text }
}

/// Why a value cannot be made of a JSON value.
public enum JSONDecodingError: Error, Sendable, CustomStringConvertible {
  /// The value is missing.
  case missingValue
  /// The value is null.
  case nullValue
  /// The value has another type.
  case wrongType
  /// The value has no form in the type.
  case couldNotConvert(value: JSONValue, to: any Any.Type)
  /// The type implements neither initializer of ``JSONDecodable``.
  case notImplemented(any Any.Type)

  /// The error in an English sentence.
  public var description: String {
    switch self {
    case .missingValue: "The value is missing."
    case .nullValue: "The value is null."
    case .wrongType: "The value is of the wrong type."
    case .couldNotConvert(let value, let type): "\(value) could not be converted to \(type)."
    case .notImplemented(let type):
      "\(type) conforms to JSONDecodable, but has neither 'init(_jsonValue:)' nor 'init(jsonValue:)'."
    }
  }
}

/// Why a value cannot be written as JSON.
public enum JSONEncodingError: Error, Sendable, CustomStringConvertible {
  /// The type of a scalar is ``JSONDecodable`` but not ``JSONEncodable``.
  case notEncodable(any Any.Type)
  /// The type has no form in JSON.
  case notJSON(any Any.Type)
  /// The number is infinite or NaN, which JSON cannot express.
  case notFinite(Double)
  /// The generated code does not fit this version of the library: its field table cannot be read, or has a newer
  /// version, or lacks a field that is written.
  case invalidModel(String)

  /// The error in an English sentence.
  public var description: String {
    switch self {
    case .notJSON(let type): "A value of type \(type) cannot be written as JSON."
    case .notFinite(let value): "The number \(value) cannot be written as JSON."
    case .invalidModel(let detail): detail + "."
    case .notEncodable(let type): "\(type) cannot be written: it does not conform to JSONEncodable."
    }
  }
}
