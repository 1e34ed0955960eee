@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Reading a response", .everyStyle)
struct ReaderTests {
  func hero(_ json: String, full: Bool = false) throws -> HeroQuery.Hero {
    let query = HeroQuery(full: full)
    return try #require(try ResponseReader.data(HeroQuery.Data.self, json, query.variables).hero)
  }

  @Test("Fields, fragments and inline fragments of one object are read from one pass")
  func wholeObject() throws {
    let hero = try hero(droid)
    #expect(hero.__typename == "Droid")
    #expect(hero.id == "2001")
    #expect(hero.appearsIn == [.case(.newHope), .unknown("JEDI")])
    #expect(hero.grid == [[1, nil], []])
    #expect(hero.friends?.first??.name == "Luke Skywalker")
    #expect(hero.friends?.last == .some(nil))
    #expect(hero.card.name == "R2-D2")
    #expect(hero.card.size?.meters == 0.96)
    #expect(hero.asDroid?.primaryFunction == "Astromech")
    #expect(hero.asDroid?.name == "R2-D2")
    #expect(hero.asDroid?.friends?.first??.episode == "Luke")
  }

  @Test("Texts of each length are read, in characters of one to four bytes", arguments: ["a", "é", "€", "😀"])
  func lengths(character: String) throws {
    for length in 0...24 {
      for prefix in ["", "x", "xyz"] {
        let text = prefix + String(repeating: character, count: length)
        #expect(try hero(droid.replacing("R2-D2", with: text)).name == text)
      }
    }
  }

  @Test("Room for as many elements as the last list had is not taken for an empty list")
  func room() throws {
    let grid = try hero(droid.replacing("[[1,null],[]]", with: "[[1,2,3,4,5,6,7,8,9],[],[1],[ ],[null,2]]")).grid
    #expect(grid == [[1, 2, 3, 4, 5, 6, 7, 8, 9], [], [1], [], [nil, 2]])
    #expect(grid.filter(\.isEmpty).allSatisfy { $0.capacity == 0 })
    #expect(grid.allSatisfy { $0.capacity < 20 })
  }

  @Test("An inline fragment on another type is nil")
  func otherType() throws {
    let human = droid.replacing(#""Droid""#, with: #""Human""#)
    #expect(try hero(human).asDroid == nil)
  }

  @Test("Keys may come in any order, among unknown ones and white space")
  func anyOrder() throws {
    let json = """
      { "hero" : { "unknown": {"a":[1,{"b":"}"}]}, "size": null, "friends" : null, "grid" : [ [ ] ],
        "appearsIn" : [ ] , "n\\u0061me" : "R2" , "primaryFunction": null, "id" : "1" , "__typename" : "Droid" } }
      """
    let hero = try hero(json)
    #expect(hero.name == "R2")
    #expect(hero.card.name == "R2")
    #expect(hero.friends == nil)
    #expect(hero.asDroid != nil)
  }

  @Test("A field under @include is read if the condition holds, and is required then")
  func conditions() throws {
    let tall = droid.replacing(#""appearsIn""#, with: #""height":1.5,"appearsIn""#)
    #expect(try hero(tall, full: true).height == 1.5)
    #expect(try hero(droid, full: false).height == nil)
    let error = #expect(throws: ResponseDecodingError.self) { try hero(droid, full: true) }
    #expect(error?.path == ["hero", "height"])
    #expect(error?.reason == .missingValue)
  }

  @Test("A missing nullable field is nil; a missing non-null field is an error with its path")
  func missing() throws {
    #expect(
      try hero(droid.replacing(#""primaryFunction":"Astromech""#, with: #""x":0"#)).asDroid?.primaryFunction == nil)
    let error = #expect(throws: ResponseDecodingError.self) {
      try hero(droid.replacing(#""name":"Luke Skywalker","#, with: ""))
    }
    #expect(error?.path == ["hero", "friends", 0, "name"])
    #expect(error?.reason == .missingValue)
  }

  @Test("Null in a non-null position is an error with its path")
  func null() throws {
    let error = #expect(throws: ResponseDecodingError.self) {
      try hero(droid.replacing(#""Luke Skywalker""#, with: "null"))
    }
    #expect(error?.path == ["hero", "friends", 0, "name"])
    #expect(error?.reason == .nullValue)
  }

  @Test("A value of another type is an error that says what was expected and found")
  func wrongType() throws {
    let error = #expect(throws: ResponseDecodingError.self) {
      try hero(droid.replacing(#""name":"R2-D2""#, with: #""name":{"first":"R2"}"#))
    }
    #expect(error?.path == ["hero", "name"])
    #expect(error?.reason == .wrongType(expected: "a String", found: "an object"))
    #expect(error?.message.contains(#"a Swift type: extend scalar … @map(to: "…", module: "…")"#) == true)
    if ResponseStyle.current == nil { #expect(error?.excerpt?.contains(#""name":{"first""#) == true) }
  }

  @Test(
    "Of members with the same name, the last one counts",
    arguments: [
      #"{"__typename":"Droid","name":"old","name":"new"}"#, #"{"name":"old","__typename":"Droid","name":"new"}"#,
      #"{"__typename":"Droid","name":"old","n\u0061me":"new"}"#, #"{"__typename":"Droid","name":null,"name":"new"}"#,
      #"{"__typename":"Droid","name":{"a":1},"x":2,"name":"new"}"#, #"{"x":2,"x":3,"name":"new","__typename":"Droid"}"#,
      #"{"__typename":"Human","name":"new","__typename":"Droid"}"#,
      #"{"name":"new","__typename":"Human","__typename":"Droid"}"#,
      #"{"__typename":"Droid","name":"old","size":{"meters":1},"name":"older","size":null,"name":"new"}"#,
    ])
  func repeatedMembers(_ object: String) throws {
    let rest = #","id":"1","appearsIn":[],"grid":[],"friends":null,"primaryFunction":"f"}"#
    let objectFirst = String(object.dropLast()) + rest
    let objectLast = "{\(rest.dropFirst().dropLast()),\(object.dropFirst())"
    for text in [objectFirst, objectLast] {
      let hero = try hero(#"{"hero":\#(text)}"#)
      #expect(hero.name == "new")
      #expect(hero.card.name == "new")
      #expect(hero.asDroid?.primaryFunction == "f")
      #expect(try self.hero(#"{"hero":{"id":7},"hero":\#(text)}"#) == hero)
      let response = ResponseBytes(Array(#"{"data":{"hero":null},"data":{"hero":\#(text)}}"#.utf8))
      #expect(
        try ResponseReader.read(HeroQuery.Data.self, from: response, variables: HeroQuery().variables).data?.hero
          == hero)
    }
  }

  @Test("White space and escapes may stand anywhere in a type's name")
  func typename() throws {
    for typename in [#" "Droid""#, "\n\t \"Droid\" ", #""\u0044roid""#, #" "Dr\u006fid""#] {
      #expect(try hero(droid.replacing(#""Droid""#, with: typename)).asDroid?.primaryFunction == "Astromech")
    }
  }

  @Test("A response that is cut off anywhere is an error, with records or without")
  func truncated() throws {
    let text = Array(#"{"data":\#(droid)}"#.utf8)
    for length in 0..<text.count {
      for rootKey in [nil, "QUERY_ROOT"] {
        #expect(throws: ResponseDecodingError.self) {
          try ResponseReader.read(
            HeroQuery.Data.self, from: ResponseBytes(Array(text[..<length])), variables: .none, rootKey: rootKey)
        }
      }
    }
  }

  @Test("No change of one byte can crash the reader")
  func flipped() {
    let text = Array(#"{"data":\#(droid)}"#.utf8)
    let bytes: [UInt8] = [0, 0x20, 0x22, 0x2c, 0x30, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xff]
    for index in text.indices {
      // Every third byte, of which the next place takes the next.
      for byte in Effort.isLong ? bytes : stride(from: index % 3, to: bytes.count, by: 3).map({ bytes[$0] }) {
        var changed = text
        changed[index] = byte
        for rootKey in [nil, "QUERY_ROOT"] {
          _ = try? ResponseReader.read(
            HeroQuery.Data.self, from: ResponseBytes(changed), variables: HeroQuery().variables, rootKey: rootKey)
        }
      }
    }
  }

  @Test("data, errors and extensions may come in any order; unknown members are passed")
  func envelope() throws {
    let text = #"{"extensions":{"a":[1]},"x":[{}],"errors":[{"message":"no","path":["hero",0]},"plain"],"data":null}"#
    let contents = try ResponseReader.read(HeroQuery.Data.self, from: ResponseBytes(Array(text.restyled.utf8)))
    #expect(contents.data == nil)
    #expect(contents.errors?.map(\.message) == ["no", "plain"])
    #expect(contents.errors?.first?.path == ["hero", 0])
    #expect((contents.extensions?["a"] as? [JSONValue])?.count == 1)
  }

  @Test("A byte order mark is passed")
  func byteOrderMark() throws {
    let text = [0xef, 0xbb, 0xbf] + Array(#"{"data":\#(droid)}"#.utf8)
    #expect(try ResponseReader.read(HeroQuery.Data.self, from: ResponseBytes(text)).data != nil)
  }

  @Test(
    "Text that is not a response is an error",
    arguments: [
      "", "[]", "{}", "null", "{\"data\":{\"hero\":null}} x", "{\"data\":{\"hero\":null},}", "<html>", "{\"data\":{}",
    ])
  func notAResponse(_ text: String) {
    #expect(throws: ResponseDecodingError.self) {
      try ResponseReader.read(HeroQuery.Data.self, from: ResponseBytes(Array(text.restyled.utf8)))
    }
  }

  @Test("Values nested too deeply are an error")
  func depth() throws {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: ResponseDecodingError.self) {
      try ResponseReader.data(HeroQuery.Data.self, #"{"x":\#(deep)"#)
    }
    #expect(error?.description.contains("512") == true)
  }
}

@Suite("Reading scalars", .everyStyle)
struct ScalarReadingTests {
  func read(_ json: String) throws -> Scalars { try ResponseReader.data(Scalars.self, json) }

  @Test(
    "Strings are decoded",
    arguments: [
      (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\ud83d\ude00""#, "é😀"),
      (#""zażółć 😀""#, "zażółć 😀"), (#""\ud800x""#, "\u{fffd}x"), (#""\udc00""#, "\u{fffd}"),
      (#""0123456789abcdef0123456789""#, "0123456789abcdef0123456789"),
    ])
  func strings(_ json: String, _ expected: String) throws {
    #expect(try read(#"{"string":\#(json)}"#).string == expected)
  }

  @Test("Malformed strings are errors", arguments: [#""\x""#, #""\u12g4""#, "\"\u{1}\"", "\"a\nb\"", "\"", "'a'"])
  func malformedStrings(_ json: String) {
    #expect(throws: ResponseDecodingError.self) { try read(#"{"string":\#(json)}"#) }
    #expect(throws: ResponseDecodingError.self) { try read(#"{"unknown":\#(json)}"#) }
  }

  @Test(
    "Invalid UTF-8 anywhere is an error",
    arguments: [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) {
    for member in ["string", "unknown"] {
      let text = Array(#"{"data":{"\#(member)":"some text "#.utf8) + bytes + Array(#""}}"#.utf8)
      let error = #expect(throws: ResponseDecodingError.self) {
        try ResponseReader.read(Scalars.self, from: ResponseBytes(text))
      }
      #expect(error?.reason == .invalidJSON("invalid UTF-8"))
    }
  }

  @Test("Invalid UTF-8 is found wherever it stands in a long text")
  func invalidUTF8AtAnyPlace() {
    for place in 0..<100 {
      let text =
        Array(#"{"data":{"string":""#.utf8) + Array(repeating: UInt8(ascii: "a"), count: place) + [0xff]
        + Array(repeating: UInt8(ascii: "a"), count: 100 - place) + Array(#""}}"#.utf8)
      #expect(throws: ResponseDecodingError.self, "at \(place)") {
        try ResponseReader.read(Scalars.self, from: ResponseBytes(text))
      }
    }
  }

  @Test(
    "Integers are read exactly",
    arguments: [
      ("0", 0), ("-0", 0), ("-17", -17), ("2147483648", 2_147_483_648), ("9223372036854775807", .max),
      ("-9223372036854775808", .min),
    ])
  func integers(_ json: String, _ expected: Int) throws {
    #expect(try read(#"{"int":\#(json)}"#).int == expected)
  }

  @Test(
    "A value that is not an integer is an error",
    arguments: [
      "1.5", "15e-1", "1e-9999999999999999999", "01", "1.", "-", "+1", "9223372036854775808", "1e30",
      "1e99999999999999999999",
      "\"1\"", "true",
    ])
  func notIntegers(_ json: String) {
    #expect(throws: ResponseDecodingError.self) { try read(#"{"int":\#(json)}"#) }
  }

  @Test(
    "An integer is one in every spelling",
    arguments: [
      ("1.0", 1), ("1e3", 1000), ("10e-1", 1), ("0e99999999999999999999", 0), ("-0.0", 0), ("-120E-1", -12),
      ("0.5e1", 5),
      ("9007199254740993.000", 9_007_199_254_740_993), ("9223372036854775807.0", .max),
      ("1E+18", 1_000_000_000_000_000_000),
    ])
  func spellings(_ json: String, _ expected: Int) throws {
    #expect(try read(#"{"int":\#(json)}"#).int == expected)
    #expect(try read(#"{"id":\#(json)}"#).id == String(expected))
  }

  @Test(
    "Floats are rounded correctly",
    arguments: [
      ("0", 0), ("1.5", 1.5), ("-2.25e2", -225), ("0.1", 0.1), ("123456789012345678", 123_456_789_012_345_680),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1E+2", 100), ("9007199254740993", 9007199254740992),
      ("0.30000000000000004", 0.30000000000000004),
    ])
  func floats(_ json: String, _ expected: Double) throws {
    #expect(try read(#"{"float":\#(json)}"#).float == expected)
  }

  @Test("A value that is not a number is an error", arguments: [".5", "1.", "1e", "1e400", "00.5", "NaN", "\"1\""])
  func notFloats(_ json: String) {
    #expect(throws: ResponseDecodingError.self) { try read(#"{"float":\#(json)}"#) }
  }

  @Test("An ID may be a number", .everyStyle(changing: [.order, .repeats]))
  func ids() throws {
    #expect(try read(#"{"id":17}"#).id == "17")
    #expect(try read(#"{"id": 9007199254740993123}"#).id == "9007199254740993123")
    #expect(try read(#"{"id":1.50}"#).id == "1.50")
    #expect(try read(#"{"id":1e400}"#).id == "1e400")
  }

  @Test(
    "A number for a String is the text that was sent, and nothing else is", .everyStyle(changing: [.order, .repeats]),
    arguments: ["17", "1.50", "-0", "1e400"])
  func otherScalars(_ json: String) throws {
    #expect(try read(#"{"string":\#(json)}"#).string == json)
    for other in ["{}", "[]", "tru", "true", "false", "01", "nul"] {
      #expect(throws: ResponseDecodingError.self) { try read(#"{"string":\#(other)}"#) }
    }
  }

  @Test(
    "An enum is a name: a number or a Boolean is an error at the field, in a list too",
    .everyStyle(changing: [.order, .repeats]), arguments: ["10", "10.0", "true", "false", "{}", "[]"])
  func enums(_ json: String) throws {
    struct Data: SelectionSet {
      var episode: GraphQLEnum<Episode>?
      var episodes: [GraphQLEnum<Episode>]?
      static let __fields = __FieldTable(version: 1, "episode episodes")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        episode = try object.read(0)
        episodes = try object.read(1)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, episode)
        writer.write(1, episodes)
      }
    }
    func episodes(_ json: String) throws -> Data { try ResponseReader.data(Data.self, json) }
    #expect(try episodes(#"{"episode":"NEWER","episodes":null}"#).episode == .unknown("NEWER"))
    let error = #expect(throws: ResponseDecodingError.self) {
      try episodes(#"{"episode":\#(json),"episodes":null}"#)
    }
    #expect(error?.path == ["episode"])
    let inList = #expect(throws: ResponseDecodingError.self) {
      try episodes(#"{"episode":null,"episodes":["JEDI",\#(json)]}"#)
    }
    #expect(inList?.path == ["episodes", 1])
  }

  @Test("Booleans are only true and false", arguments: ["1", "\"true\"", "True", "tru", "falsy"])
  func booleans(_ json: String) throws {
    #expect(try read(#"{"boolean":true}"#).boolean == true)
    #expect(try read(#"{"boolean":false}"#).boolean == false)
    #expect(throws: ResponseDecodingError.self) { try read(#"{"boolean":\#(json)}"#) }
  }
}
