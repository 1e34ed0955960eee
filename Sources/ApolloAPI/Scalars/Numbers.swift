// Numbers of other sizes than `Int` and `Double`, which a configuration can name for GraphQL's `Int` and `Float`. Apollo iOS
// 2.0 has `Int32` for `Int`. A number that does not fit is an error at its place; variables are numbers of JSON.

extension Int8: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Int8 { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension Int16: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Int16 { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension Int32: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Int32 { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension UInt8: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> UInt8 { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension UInt16: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> UInt16 { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension UInt32: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> UInt32 { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.writeJSON(UInt64(self)._jsonValue) }
}

extension UInt: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> UInt { try reader.integerValue() }
  public func write(to writer: inout JSONWriter) { writer.writeJSON(UInt64(self)._jsonValue) }
}

extension Float: OutputValue, InputValue {
  /// The number nearest to what was sent.
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Float {
    try reader.floatValue()
  }

  /// Writes the shortest text that reads back as the same number; null for what JSON has no number for.
  public func write(to writer: inout JSONWriter) {
    guard isFinite, let value = Double(description) else { return writer.writeNull() }
    writer.write(value)
  }
}

// MARK: - 64 bits

/// An integer of 64 bits, as a number or as a string of digits. It is written as a number if every reader has it exactly,
/// and otherwise, from 2⁵³, as a string, which no JavaScript rounds.
extension Int64: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws { self = try integer(value) }
  public var _jsonValue: JSONValue { exactJSON(self) }
}

/// An integer of 64 bits from 0, as a number or as a string of digits. It is written as a number if every reader has it
/// exactly, and otherwise, from 2⁵³, as a string, which no JavaScript rounds.
extension UInt64: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws { self = try integer(value) }
  public var _jsonValue: JSONValue { exactJSON(self) }
}

private func exactJSON(_ value: some FixedWidthInteger) -> JSONValue {
  if value.magnitude < 1 << 53, let number = Int(exactly: value) { return number }
  return String(value)
}

private func integer<Integer: FixedWidthInteger>(_ value: JSONValue) throws -> Integer {
  switch value {
  case let value as Int: if let integer = Integer(exactly: value) { return integer }
  // (Above, the digits that were sent are lost.)
  case let value as Double where value.magnitude < 0x1p53: if let integer = Integer(exactly: value) { return integer }
  case let value as JSONNumber: if let integer = Integer(value.description) { return integer }
  case let text as String where !text.hasPrefix("+"): if let integer = Integer(text) { return integer }
  default: break
  }
  throw JSONDecodingError.couldNotConvert(value: value, to: Integer.self)
}

// MARK: - Reading

extension ObjectReader {
  /// An integer of fewer bits than `Int`, or without a sign.
  fileprivate mutating func integerValue<Value: FixedWidthInteger>() throws(ReadError) -> Value {
    let start = startOfNumber()
    guard let value = Value(exactly: try intValue()) else { throw outOfRange(start) }
    return value
  }

  fileprivate mutating func floatValue() throws(ReadError) -> Float {
    let start = startOfNumber()
    let value = Float(try doubleValue())
    guard value.isFinite else { throw outOfRange(start) }
    return value
  }

  private mutating func startOfNumber() -> Bytes {
    if mode != .store { skipSpace() }
    return p
  }

  private mutating func outOfRange(_ start: Bytes) -> ReadError {
    // In the cache it is from another version of the app: the operation goes to the server.
    if mode == .store { return error(.cacheMismatch) }
    p = start
    return error(.numberOutOfRange)
  }
}
