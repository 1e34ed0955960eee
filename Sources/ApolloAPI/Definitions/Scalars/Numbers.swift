// Numbers of other sizes than `Int` and `Double`. A configuration of the generator can name them for GraphQL's `Int`
// and `Float`; Apollo iOS 2.0 uses `Int32` for `Int`. A number in a response that does not fit is an error. Variables
// are sent as JSON numbers.

extension Int8: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Int8 { try reader.integerValue() }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(Int(self)) }
}

extension Int16: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Int16 {
    try reader.integerValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(Int(self)) }
}

extension Int32: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Int32 {
    try reader.integerValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(Int(self)) }
}

extension UInt8: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> UInt8 {
    try reader.integerValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(Int(self)) }
}

extension UInt16: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> UInt16 {
    try reader.integerValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(Int(self)) }
}

extension UInt32: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> UInt32 {
    try reader.integerValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(unsigned: UInt64(self)) }
}

extension UInt: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> UInt { try reader.integerValue() }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(unsigned: UInt64(self)) }
}

extension Float: __OutputValue, __InputValue {
  /// Reads a number at the reader's cursor, and rounds it to the nearest `Float`.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Float {
    try reader.floatValue()
  }

  /// Writes the shortest text that reads back as an equal number. The writer fails for a number that is infinite or NaN.
  public func __write(to writer: inout __JSONWriter) {
    // The nearest Double has more digits than a Float needs.
    writer.write(isFinite ? Double(description) ?? Double(self) : Double(self))
  }
}

// MARK: - 64 bits

/// An integer of 64 bits, sent as a number or as a string of digits. It is written as a number below 2⁵³, which every
/// reader has exactly, and otherwise as a string, because JavaScript would round the number.
extension Int64: CustomScalarType {
  /// Makes an integer of a number or of a string of digits.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not an integer of this type.
  public init(_jsonValue value: JSONValue) throws { self = try integer(value) }
  /// The integer as a number, or from 2⁵³ as a string.
  public var _jsonValue: JSONValue { exactJSON(self) }
}

/// An integer of 64 bits without a sign, sent as a number or as a string of digits. It is written as a number below
/// 2⁵³, which every reader has exactly, and otherwise as a string, because JavaScript would round the number.
extension UInt64: CustomScalarType {
  /// Makes an integer of a number or of a string of digits.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``JSONDecodingError/couldNotConvert(value:to:)`` if it is not an integer of this type.
  public init(_jsonValue value: JSONValue) throws { self = try integer(value) }
  /// The integer as a number, or from 2⁵³ as a string.
  public var _jsonValue: JSONValue { exactJSON(self) }
}

private func exactJSON(_ value: some FixedWidthInteger) -> JSONValue {
  guard UInt64(value.magnitude) < 1 << 53 else { return String(value) }
  return Int(exactly: value) ?? JSONNumber(text: String(value)) as JSONValue
}

private func integer<Integer: FixedWidthInteger>(_ value: JSONValue) throws -> Integer {
  switch value {
  case let value as Int: if let integer = Integer(exactly: value) { return integer }
  // (From this size on, the digits that were sent are lost.)
  case let value as Double where value.magnitude < 0x1p53: if let integer = Integer(exactly: value) { return integer }
  case let value as JSONNumber: if let integer = Integer(value.description) { return integer }
  case let text as String where !text.hasPrefix("+"): if let integer = Integer(text) { return integer }
  default: break
  }
  throw JSONDecodingError.couldNotConvert(value: value, to: Integer.self)
}
