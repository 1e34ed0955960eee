/// A type that can be made of a JSON value.
///
/// One of the two initializers has to be written; they are the same under the names of different releases.
public protocol JSONDecodable {
  /// - Throws: Any error if the value is none of this type's, for example ``JSONDecodingError``.
  init(_jsonValue value: JSONValue) throws

  init(jsonValue value: JSONValue) throws
}

extension JSONDecodable {
  public init(_jsonValue value: JSONValue) throws { try self.init(jsonValue: value) }
  public init(jsonValue value: JSONValue) throws { try self.init(_jsonValue: value) }
}

/// A type that can be written as a JSON value. One of the two properties has to be written.
public protocol JSONEncodable {
  var _jsonValue: JSONValue { get }
  var jsonValue: JSONValue { get }
}

extension JSONEncodable {
  public var _jsonValue: JSONValue { jsonValue }
  public var jsonValue: JSONValue { _jsonValue }
}

/// A Swift type for a custom scalar of the schema: two members, from JSON and to JSON.
///
///     extension Temperature: CustomScalarType {
///       init(_jsonValue value: JSONValue) throws {
///         guard let celsius = value as? Double else { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
///         self.init(celsius: celsius)
///       }
///       var _jsonValue: JSONValue { celsius }
///     }
public protocol CustomScalarType: JSONDecodable, JSONEncodable, OutputValue, InputValue {}

extension CustomScalarType {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Self {
    let value = try reader.scalarValue()
    do {
      return try Self(_jsonValue: value)
    } catch {
      throw reader.scalarFailure(error)
    }
  }

  public func write(to writer: inout JSONWriter) { writer.writeJSON(_jsonValue) }
}

extension ObjectReader {
  /// The value of a custom scalar.
  mutating func scalarValue() throws(ReadError) -> JSONValue {
    if mode == .store { return try storedScalar() }
    skipSpace()
    let start = p
    let value = try jsonValue()
    if mode == .normalize {
      switch value {
      case is JSONNull: p = start; throw error(.null)
      case let value as String: emit(.string(value))
      case let value as Bool: emit(.bool(value))
      case let value as Int: emit(.int(value))
      default: emit(.json(String(decoding: UnsafeBufferPointer(start: start, count: p - start), as: UTF8.self)))
      }
    }
    return value
  }

  private func storedScalar() throws(ReadError) -> JSONValue {
    switch current.pointee {
    case .string(let value): return value
    case .bool(let value): return value
    case .int(let value): return value
    case .double(let value): return value
    case .json(let text):
      guard let value = try? ResponseReader.jsonValue(text) else { throw error(.cacheMismatch) }
      return value
    default: throw storedMismatch(.scalar)
    }
  }

  package mutating func scalarFailure(_ cause: any Error) -> ReadError {
    scalarError = cause
    return error(.scalar)
  }
}
