@testable import ApolloAPI
import Testing

/// What no honest server sends. Each is an error or a value, in time that grows with its size.
@Suite("Hostile responses")
struct HostileInputTests {
  func read(_ member: String, _ text: String, maximumDepth: Int = 512) throws -> Scalars? {
    let bytes = ResponseBytes(Array(#"{"data":{"\#(member)":\#(text)}}"#.utf8))
    return try ResponseReader.read(Scalars.self, from: bytes, maximumDepth: maximumDepth).data
  }

  @Test("A long list of any JSON takes linear time, in debug builds as well: no element is copied for those behind it")
  func longList() throws {
    // Quadratic time would take minutes.
    let text = "[" + String(repeating: "1,", count: 300_000) + "{}]"
    let value = try ResponseReader.jsonValue(ResponseBytes(Array(text.utf8)))
    #expect((value as? [JSONValue])?.count == 300_001)
  }

  @Test("A number of 100,000 digits is an error, or is passed over where no field reads it")
  func longNumber() throws {
    let digits = String(repeating: "7", count: 100_000)
    for member in ["int", "float"] {
      let error = #expect(throws: ResponseDecodingError.self) { try read(member, digits) }
      #expect(error?.reason == .numberOutOfRange)
    }
    #expect(try read("float", "0." + digits)?.float == 7.0 / 9)
    #expect(try read("id", digits)?.id == digits)
    #expect(try read("unknown", digits) != nil)
  }

  @Test("A million keys in one object are passed")
  func manyKeys() throws {
    let members = (0..<1_000_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    let text = #"{"data":{\#(members),"boolean":true,"string":"found"}}"#
    let data = try ResponseReader.read(Scalars.self, from: ResponseBytes(Array(text.utf8))).data
    #expect(data?.string == "found")
    #expect(data?.boolean == true)
  }

  @Test("A string of 100 MB is read, with escapes and without")
  func longString() throws {
    let plain = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000_000)
    for escape in ["", "\\n"] {
      let text = Array(#"{"data":{"string":""#.utf8) + plain + Array("\(escape)\"}}".utf8)
      let data = try ResponseReader.read(Scalars.self, from: ResponseBytes(text)).data
      #expect(data?.string?.utf8.count == 100_000_000 + (escape.isEmpty ? 0 : 1))
    }
  }

  @Test("Nesting is limited for every reader", arguments: ["[", #"{"a":"#, #"[{"a":"#])
  func depth(_ opening: String) {
    let text = String(repeating: opening, count: 100_000)
    for member in ["unknown", "string"] {
      #expect(throws: ResponseDecodingError.self) { try read(member, text) }
      #expect(throws: ResponseDecodingError.self) { try read(member, text, maximumDepth: .max) }
    }
    #expect(throws: ResponseDecodingError.self) { try ResponseReader.jsonValue(ResponseBytes(Array(text.utf8))) }
  }

  @Test(
    "A value that no field reads may be nested in every way, and has to end as it began",
    arguments: [1, 63, 64, 65, 128, 200])
  func nested(depth: Int) throws {
    for kinds in [0, ~0, 0x5555_5555, 0x0f0f_3c01] {
      let isObject = (0..<depth).map { kinds >> ($0 % 32) & 1 == 1 }
      let beginning = isObject.map { $0 ? #"{"a" : 1, "b" :"# : "[ [], {}, " }.joined()
      let ends = isObject.reversed().map { $0 ? " }" : "]" }
      #expect(try read("unknown", beginning + "0" + ends.joined()) != nil)
      for index in [0, depth / 2, depth - 1] {
        var wrong = ends
        wrong[index] = wrong[index] == "]" ? "}" : "]"
        #expect(throws: ResponseDecodingError.self) { try read("unknown", beginning + "0" + wrong.joined()) }
        wrong.remove(at: index)
        #expect(throws: ResponseDecodingError.self) { try read("unknown", beginning + "0" + wrong.joined()) }
      }
      #expect(throws: ResponseDecodingError.self) { try read("unknown", beginning + "0," + ends.joined()) }
    }
  }

  @Test("The limit of nesting can be set")
  func configuredDepth() throws {
    let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    #expect(try read("unknown", text) != nil)
    #expect(throws: ResponseDecodingError.self) { try read("unknown", text, maximumDepth: 50) }
  }
}
