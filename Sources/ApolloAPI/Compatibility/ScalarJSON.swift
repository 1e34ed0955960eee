// The scalars of GraphQL, enums and input objects as JSON, as custom scalars use them in all releases of Apollo iOS. The
// fields of a response are read without these functions.

extension String: JSONDecodable, JSONEncodable {
  /// Takes a text, or the digits of a number.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value of another kind.
  public init(_jsonValue value: JSONValue) throws {
    self = try scalar(value) { scalar in
      switch scalar {
      case .string(let text): text
      case .int, .double, .number: scalar.description
      case .null, .bool, .array, .object: nil
      }
    }
  }

  /// The text.
  public var _jsonValue: JSONValue { self }
}

extension Int: JSONDecodable, JSONEncodable {
  /// Takes a number without a fraction.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value of another kind.
  public init(_jsonValue value: JSONValue) throws { self = try scalar(value, \.int) }
  /// The number.
  public var _jsonValue: JSONValue { self }
}

extension Double: JSONDecodable, JSONEncodable {
  /// Takes a number.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value of another kind.
  public init(_jsonValue value: JSONValue) throws { self = try scalar(value, \.double) }
  /// The number.
  public var _jsonValue: JSONValue { self }
}

extension Float: JSONDecodable, JSONEncodable {
  /// Takes a number, and rounds it to the nearest `Float`.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value of another kind, and for a number that is too
  ///   large.
  public init(_jsonValue value: JSONValue) throws {
    self = try scalar(value) { $0.double.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil } }
  }

  /// The number.
  public var _jsonValue: JSONValue { self }
}

extension Bool: JSONDecodable, JSONEncodable {
  /// Takes a Boolean. A number is refused.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` for a value of another kind.
  public init(_jsonValue value: JSONValue) throws { self = try scalar(value, \.bool) }
  /// The Boolean.
  public var _jsonValue: JSONValue { self }
}

/// Converts a JSON value. (`JSONScalar` tells its kind, also for a value of `JSONSerialization`.)
private func scalar<Value>(_ value: JSONValue, _ convert: (JSONScalar) -> Value?) throws -> Value {
  guard let converted = (try? JSONScalar(_jsonValue: value)).flatMap(convert) else {
    throw JSONDecodingError.couldNotConvert(value: value, to: Value.self)
  }
  return converted
}

extension EnumType {
  /// The name of the value in the schema, as for a `GraphQLEnum`.
  public var _jsonValue: JSONValue { rawValue }
}

extension GraphQLEnum: JSONDecodable, JSONEncodable {
  /// Makes a value of a name.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not a text.
  public init(_jsonValue value: JSONValue) throws {
    guard let name = value as? String else { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
    self.init(rawValue: name)
  }

  /// The name of the value in the schema.
  public var _jsonValue: JSONValue { rawValue }
}

extension InputObject {
  /// The fields that have a value, as a JSON object.
  public var _jsonValue: JSONValue { __data._jsonEncodableObject }
}
