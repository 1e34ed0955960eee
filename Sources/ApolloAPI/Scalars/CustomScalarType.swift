/// A Swift type for a custom scalar of the schema.
public protocol CustomScalarType: OutputValue, InputValue {
  /// - Throws: Any error if the value is none of this type's, for example ``JSONDecodingError``.
  init(_jsonValue value: JSONValue) throws

  /// The value as JSON.
  var _jsonValue: JSONValue { get }
}

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

  mutating func scalarFailure(_ cause: any Error) -> ReadError {
    scalarError = cause
    return error(.scalar)
  }
}
