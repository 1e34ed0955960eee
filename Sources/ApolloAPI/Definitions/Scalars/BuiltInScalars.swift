/// The GraphQL type `ID`. A server may send it as a string or as an integer; here it is a string.
public typealias ID = String

extension String: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> String {
    try reader.stringValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(self) }
}

extension Int: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Int { try reader.intValue() }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(self) }
}

extension Double: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Double {
    try reader.doubleValue()
  }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(self) }
}

extension Bool: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Bool { try reader.boolValue() }
  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.write(self) }
}
