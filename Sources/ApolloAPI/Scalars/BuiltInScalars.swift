/// The GraphQL type `ID`. A server may send it as a string or as an integer; here it is always a string.
public typealias ID = String

extension String: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> String { try reader.stringValue() }
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Int { try reader.intValue() }
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Double { try reader.doubleValue() }
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: OutputValue, InputValue {
  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Bool { try reader.boolValue() }
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}
