/// A type that can be made of a JSON value, and so stand for a custom scalar in what an operation selects.
///
/// One of the two initializers has to be written; they are the same under the names of different releases.
public protocol JSONDecodable: OutputValue {
  /// - Throws: Any error if the value is none of this type's, for example ``JSONDecodingError``.
  init(_jsonValue value: JSONValue) throws

  init(jsonValue value: JSONValue) throws
}

extension JSONDecodable {
  public init(_jsonValue value: JSONValue) throws {
    self = try Spelling.$forwarding.withValue(ObjectIdentifier(Self.self)) { try Self(jsonValue: value) }
  }

  /// - Throws: ``JSONDecodingError/notImplemented(_:)`` if the type has neither of the two initializers.
  public init(jsonValue value: JSONValue) throws {
    guard Spelling.forwarding != ObjectIdentifier(Self.self) else { throw JSONDecodingError.notImplemented(Self.self) }
    try self.init(_jsonValue: value)
  }

  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Self {
    let value = try reader.scalarValue()
    do {
      return try Self(_jsonValue: value)
    } catch {
      throw reader.scalarFailure(error)
    }
  }

  /// Writes the value if its type is ``JSONEncodable``, else null, with which nothing can be written to the cache.
  public func write(to writer: inout JSONWriter) {
    if let value = self as? any JSONEncodable { return writer.writeJSON(value._jsonValue) }
    writer.fail(.notEncodable(Self.self))
  }
}

/// A type that can be written as a JSON value. One of the two properties has to be written.
public protocol JSONEncodable {
  var _jsonValue: JSONValue { get }
  var jsonValue: JSONValue { get }
}

extension JSONEncodable {
  public var _jsonValue: JSONValue {
    Spelling.$forwarding.withValue(ObjectIdentifier(Self.self)) { jsonValue }
  }

  public var jsonValue: JSONValue {
    guard Spelling.forwarding != ObjectIdentifier(Self.self) else {
      preconditionFailure("\(Self.self) conforms to JSONEncodable, but has neither '_jsonValue' nor 'jsonValue'.")
    }
    return _jsonValue
  }
}

/// Tells a type that has one of two spellings from a type that has none, for which each would call the other for ever.
private enum Spelling {
  /// The type whose `_jsonValue` looks for a `jsonValue` that its author has written.
  @TaskLocal static var forwarding: ObjectIdentifier?
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
public protocol CustomScalarType: JSONDecodable, JSONEncodable, InputValue {}

extension CustomScalarType {
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
      default: emit(.json(start.text(to: p)))
      }
    }
    return value
  }

  private func storedScalar() throws(ReadError) -> JSONValue {
    switch current.value {
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
