@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Numbers of Swift other than Int and Double", .everyStyle) struct NumberTests {
  struct One<Value: __OutputValue & Hashable>: SelectionSet, Hashable {
    var value: Value

    static var __fields: __FieldTable { __FieldTable(version: 1, "value") }

    init(__reading object: inout __ObjectReader) throws(__ReadError) { value = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, value) }
  }

  func read<Value: __OutputValue & Hashable>(_ type: Value.Type, _ text: String) throws -> Value {
    let bytes = ResponseBytes(Array("{\"data\":{\"value\":\(text)}}".restyled.utf8))
    return try #require(try ResponseReader.read(One<Value>.self, from: bytes).data).value
  }

  func expectLimits<Value: FixedWidthInteger & __OutputValue & __InputValue>(_ type: Value.Type) throws {
    for value in [Value.min, 0, 1, Value.max] {
      #expect(try read(type, String(value)) == value)
      #expect(try read([Value?].self, "[\(value), null]") == [value, nil])
      var writer = __JSONWriter()
      value.__write(to: &writer)
      #expect(writer.text == String(value))
      writer = __JSONWriter()
      writer.writeJSON(["a": [value]])
      #expect(writer.text == "{\"a\":[\(value)]}")
    }
    for text in ["\(Value.min)0", "\(Value.max)0", "-\(Value.max)9", "1.5", "\"1\"", "true", "null", "[]"]
    where text != "00" {
      let error = #expect(throws: ResponseDecodingError.self, "\(type) from \(text)") { try read(type, text) }
      #expect(error?.path == ["value"])
    }
    #expect(throws: ResponseDecodingError.self) { try read(type, String(Value.min == 0 ? -1 : Int(Value.min) - 1)) }
    let above = #expect(throws: ResponseDecodingError.self) { try read(type, String(Int(Value.max) + 1)) }
    #expect(above?.reason == .numberOutOfRange)
  }

  @Test("Integers are read and written up to their limits, and no further")
  func integers() throws {
    try expectLimits(Int8.self)
    try expectLimits(Int16.self)
    try expectLimits(Int32.self)
    try expectLimits(UInt8.self)
    try expectLimits(UInt16.self)
    try expectLimits(UInt32.self)
    #expect(try read(UInt.self, "9007199254740992") == 1 << 53)
    #expect(throws: ResponseDecodingError.self) { try read(UInt.self, "-1") }
  }

  @Test("A Float is the nearest to what was sent, and is written with as few digits as it takes")
  func floats() throws {
    #expect(try read(Float.self, "0.1") == 0.1)
    #expect(try read([Float?].self, "[0.1, null, 3]") == [0.1, nil, 3])
    for text in ["1e39", "-1e39"] {
      let error = #expect(throws: ResponseDecodingError.self) { try read(Float.self, text) }
      #expect(error?.reason == .numberOutOfRange)
    }
    for (value, text) in [(Float(0.1), "0.1"), (5, "5"), (.infinity, "null"), (.nan, "null"), (-2.5, "-2.5")] {
      var writer = __JSONWriter()
      writer.writeJSON(value)
      #expect(writer.text == text)
      #expect((writer.failure == nil) == value.isFinite)
    }
  }

  /// Scalars of an app that ask for one type, as with the NSNumbers of Apollo iOS.
  struct Celsius: CustomScalarType, Hashable {
    var value: Double
    init(_jsonValue value: JSONValue) throws {
      guard let value = value as? Double else { throw JSONDecodingError.wrongType }
      self.value = value
    }
    var _jsonValue: JSONValue { value }
  }

  struct Milliseconds: CustomScalarType, Hashable {
    var value: Int64
    init(_jsonValue value: JSONValue) throws {
      guard let value = value as? Int64 else { throw JSONDecodingError.wrongType }
      self.value = value
    }
    var _jsonValue: JSONValue { value }
  }

  @Test("A scalar of an app is given a number in the type that it asks for", arguments: ["21", "21.0", "2.1e1", "-0"])
  func otherTypes(_ text: String) throws {
    let number = text == "-0" ? 0.0 : 21
    #expect(try read(Celsius.self, text).value == number && read(Milliseconds.self, text).value == Int64(number))
    #expect(throws: ResponseDecodingError.self) { try read(Milliseconds.self, "21.5") }
    #expect(throws: ResponseDecodingError.self) { try read(Milliseconds.self, "9007199254740993.0") }
    #expect(throws: ResponseDecodingError.self) { try read(Celsius.self, "true") }
    var one = try ResponseReader.readObject(
      One<Celsius>.self, from: ResponseBytes(Array("{\"value\":\(text)}".utf8))
    ).data
    let data = one.__data
    one.__data = data
    #expect(one.value.value == number)
  }

  @Test("Integers of 64 bits are written as numbers where every reader has them exactly, and else as strings")
  func wideIntegers() throws {
    func written(_ value: some __JSONWritable) -> String {
      var writer = __JSONWriter()
      value.__write(to: &writer)
      return writer.text
    }
    #expect(written(Int64(-5)) == "-5" && written(UInt64(7)) == "7" && written(UInt(8)) == "8")
    #expect(written(Int64(1) << 53 - 1) == "9007199254740991" && written(Int64(1) << 53) == #""9007199254740992""#)
    #expect(written(Int64.min) == #""-9223372036854775808""# && written(UInt64.max) == #""18446744073709551615""#)
    #expect(written(UInt.max) == String(UInt.max), "as an Int, it is for numbers")
  }
}
