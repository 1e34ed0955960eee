/// The GraphQL type `ID`. A server may send it as a string or as an integer; here it is a string.
public typealias ID = String

extension String: OutputValue, InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> String { try reader.stringValue() }
  /// Writes the value as JSON.
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: OutputValue, InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Int { try reader.intValue() }
  /// Writes the value as JSON.
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: OutputValue, InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Double { try reader.doubleValue() }
  /// Writes the value as JSON.
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: OutputValue, InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Bool { try reader.boolValue() }
  /// Writes the value as JSON.
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}
