@testable import ApolloAPI
import ApolloFoundation
@testable import ApolloJSON
import Foundation
import StyledTests
import Testing

@Suite("Scalars of Foundation", .everyStyle)
struct FoundationScalarTests {
  struct One<Value: __OutputValue & Hashable>: SelectionSet, Hashable {
    var value: Value

    static var __fields: __FieldTable { __FieldTable(version: 1, "value") }

    init(__reading object: inout __ObjectReader) throws(__ReadError) { value = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, value) }
  }

  func read<Value>(_ type: Value.Type, _ text: String) throws -> Value where Value: __OutputValue & Hashable {
    let bytes = ResponseBytes(Array(#"{"data":{"value":\#(text)}}"#.restyled.utf8))
    return try #require(try ResponseReader.read(One<Value>.self, from: bytes).data).value
  }

  func written(_ value: some __OutputValue) -> String {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return writer.text
  }

  @Test("Dates write what they have read, with any fraction, near and far", arguments: [1, 2001, 2026, 9999])
  func dates(_ year: Int) throws {
    let second = "\(String(10_000 + year).dropFirst())-12-31T23:59:59"
    for milliseconds in 0..<1000 {
      let text = milliseconds == 0 ? second + "Z" : "\(second).\(String(1000 + milliseconds).dropFirst())Z"
      #expect(written(try Date(_jsonValue: text)) == "\"\(text)\"")
    }
    #expect(try read(Date.self, "\"\(second)Z\"") == Date(_jsonValue: second + "Z"))
    // (Farther from 2001, a Double has no microseconds.)
    guard year > 2000, year < 9999 else { return }
    for text in [second + ".000001Z", second + ".123456Z", second + ".999999Z"] {
      #expect(written(try Date(_jsonValue: text)) == "\"\(text)\"")
    }
  }

  @Test("A date that no calendar has, or with more behind it, is an error; one that is not finite cannot be written")
  func badDates() throws {
    for end in ["02-30T08:46:00Z", "02-29T08:46:00Z", "04-31T08:46:00.5Z", "01-01T24:00:00Z", "01-01T08:46:00Zx"]
      + ["01-01T08:46:00.123Zx", "01-01T08:46:00.Z", "01-01T08:60:00Z", "01-01T08:46:00", "01-01T08:46:00+01:000"]
    {
      #expect(throws: JSONDecodingError.self, "\(end)") { try Date(_jsonValue: "2026-" + end) }
    }
    #expect(try Date(_jsonValue: "2024-02-29T01:00:00+01") == Date(_jsonValue: "2024-02-29T00:00:00Z"))
    var writer = __JSONWriter()
    Date(timeIntervalSince1970: .nan).__write(to: &writer)
    #expect(writer.failure != nil)
  }

  @Test(
    "The end of the last year is written with four digits, and can be read again",
    arguments: ["59.9999999Z", "59.999999Z", "59.999Z", "60Z", "59-14:00"])
  func lastYear(_ end: String) throws {
    let date = try Date(_jsonValue: "9999-12-31T23:59:" + end)
    #expect(date._jsonValue as? String == "9999-12-31T23:59:59.999Z")
    #expect(try Date(_jsonValue: date._jsonValue) == date)
  }

  @Test("A time zone is understood")
  func timeZone() throws {
    #expect(try read(Date.self, #""2026-11-21T08:46:00+01:00""#) == (try read(Date.self, #""2026-11-21T07:46:00Z""#)))
  }

  @Test("URLs, UUIDs and data read what they write")
  func others() throws {
    #expect(written(try read(URL.self, #""https://example.com/a?b=c%20d""#)) == #""https://example.com/a?b=c%20d""#)
    let uuid = #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#
    #expect(written(try read(UUID.self, uuid)) == uuid)
    #expect(written(try read(UUID.self, uuid.uppercased())) == uuid)
    #expect(written(try read(Data.self, #""AAEC/w==""#)) == #""AAEC/w==""#)
  }

  @Test("Integers of 64 bits are exact, as strings and as numbers")
  func integers() throws {
    #expect(try read(Int64.self, #""9223372036854775807""#) == .max)
    #expect(try read(Int64.self, "-9223372036854775808") == .min)
    #expect(try read(UInt64.self, "18446744073709551615") == .max)
    #expect(written(UInt64.max) == #""18446744073709551615""#)
    for text in ["9223372036854775808", #""1.5""#, #""+1""#, "1.5", #""""#] {
      #expect(throws: ResponseDecodingError.self) { try read(Int64.self, text) }
    }
  }

  @Test("Decimals are exact, as strings and as numbers", arguments: ["0.1", "-12.345678901234567890123456789", "1e3"])
  func decimals(_ text: String) throws {
    let value = try #require(Decimal(string: text))
    #expect(try read(Decimal.self, text) == value)
    #expect(try read(Decimal.self, #""\#(text)""#) == value)
    #expect(try read(Decimal.self, written(value)) == value)
  }

  @Test(
    "A value that is not a decimal is an error",
    arguments: [#""1,5""#, #""""#, #""0x1""#, "true", "{}", #""1.5 ""#, #""NaN""#])
  func notDecimals(_ text: String) {
    let error = #expect(throws: ResponseDecodingError.self) { try read(Decimal.self, text) }
    #expect(error?.reason == .invalidScalar)
  }

  @Test("What is no such value is an error with its path", arguments: ["17", #""yesterday""#, "{}", "[]", "true"])
  func invalid(_ text: String) {
    for read in [{ _ = try self.read(Date.self, text) }, { _ = try self.read(UUID.self, text) }] as [() throws -> Void]
    {
      let error = #expect(throws: ResponseDecodingError.self) { try read() }
      #expect(error?.path == ["value"])
      #expect(error?.reason == .invalidScalar)
    }
  }
}

@Suite("JSON objects")
struct JSONObjectTests {
  struct Item: SelectionSet, Hashable {
    var name: String?
    var count: Int
    var ratio: Double
    var isNew: Bool
    var tags: [String?]

    static let __fields = __FieldTable(version: 1, "name count ratio isNew tags")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      name = try object.read(0)
      count = try object.read(1)
      ratio = try object.read(2)
      isNew = try object.read(3)
      tags = try object.read(4)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, name)
      writer.write(1, count)
      writer.write(2, ratio)
      writer.write(3, isNew)
      writer.write(4, tags)
    }
  }

  @Test("Data goes through JSONSerialization and back")
  func roundTrip() throws {
    let json = #"{"name":null,"count":1,"ratio":2.5,"isNew":true,"tags":["a",null]}"#
    let item = try Item(jsonObject: #require(try ResponseReader.jsonValue(ResponseBytes(json.utf8)) as? JSONObject))
    let serialized = try JSONSerialization.data(withJSONObject: item.jsonObject)
    let deserialized = try #require(try JSONSerialization.jsonObject(with: serialized) as? JSONObject)
    #expect(try Item(jsonObject: deserialized) == item)
    #expect(item.count == 1 && item.isNew && item.tags == ["a", nil])
  }

  private func written(_ value: JSONValue) -> String {
    var writer = __JSONWriter()
    writer.writeJSON(FoundationJSON.import(value))
    return writer.text
  }

  @Test("Numbers and Booleans stay what they are, whatever type of Swift or Foundation they have")
  func numbers() throws {
    // (On Apple's systems a number of Swift is an NSNumber as well, and an Int8 has the type of a Boolean.)
    for (value, text) in [
      (true, "true"), (false, "false"), (0, "0"), (1, "1"), (Int8(1), "1"), (Int8(-1), "-1"), (UInt8(1), "1"),
      (Int16(1), "1"), (Int64(1) << 53, "9007199254740992"), (Int64.max, "9223372036854775807"),
      (UInt64.max, "18446744073709551615"), (UInt(7), "7"), (1.0, "1"), (0.5, "0.5"), (Float(0.1), "0.1"),
    ] as [(JSONValue, String)] {
      #expect(written(value) == text, "\(type(of: value))")
    }
    for (number, text) in [
      (NSNumber(value: true), "true"), (NSNumber(value: false), "false"), (NSNumber(value: 1), "1"),
      (NSNumber(value: Int8(1)), "1"), (NSNumber(value: Int8(0)), "0"),
      (NSNumber(value: UInt64.max), "18446744073709551615"),
      (NSNumber(value: Int64.min), "-9223372036854775808"), (NSNumber(value: 2.5), "2.5"),
      (NSNumber(value: Float(0.1)), "0.1"), (NSNumber(value: Float(2)), "2"), (NSNumber(value: 0.1), "0.1"),
      (NSDecimalNumber(string: "12345678901234567890.125"), "12345678901234567890.125"),
    ] {
      #expect(written(number) == text)
    }
  }

  @Test("What JSONSerialization reads is written with the same digits, and what it is given, it writes")
  func digits() throws {
    let json = "[true,false,1,0,-1,1.5,9223372036854775807,18446744073709551615,123456789012345678901234567890]"
    let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [JSONValue])
    #expect(written(list) == json)
    let exported = FoundationJSON.export(try ResponseReader.jsonValue(ResponseBytes(json.utf8)))
    #expect(JSONSerialization.isValidJSONObject(exported))
    let data = try JSONSerialization.data(withJSONObject: exported)
    #expect(String(decoding: data, as: UTF8.self) == json)
  }

  @Test("What JSONSerialization has read can be the value of a variable, of a scalar and of an error")
  func foundation() throws {
    let json = #"{"a":0,"b":1,"c":1.5,"d":true,"e":null,"f":[1,{"g":0}],"h":false,"i":18446744073709551615}"#
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? JSONObject)
    let variables = Variables(object)
    #expect(String(decoding: variables.json, as: UTF8.self) == json && variables.failure == nil)
    #expect(try JSONScalar(_jsonValue: object).description == json)
    let own = try ResponseReader.jsonValue(ResponseBytes(json.utf8))
    #expect(GraphQLError(["extensions": object]) == GraphQLError(["extensions": own]))
  }

  @Test("JSON that does not fit is an error")
  func mismatch() {
    #expect(throws: ResponseDecodingError.self) { try Item(jsonObject: ["name": 1]) }
  }
}
