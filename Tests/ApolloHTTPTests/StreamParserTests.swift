@testable import ApolloHTTP
import Foundation
import Testing

@testable import Apollo

extension MultipartParser {
  fileprivate mutating func append(_ bytes: some Collection<UInt8>) throws(Failure) -> [Part] {
    var parts: [Part] = []
    try append(bytes, to: &parts)
    return parts
  }
}

@Suite("A multipart body")
struct MultipartParserTests {
  typealias Part = MultipartParser.Part

  func parse(
    _ text: String, boundary: String = "b", piece: Int = .max, limit: Int = 1 << 20
  ) throws -> (parts: [String], isComplete: Bool) {
    var parser = MultipartParser(boundary: boundary, maximumPartSize: limit)
    var parts: [Part] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      parts += try parser.append(rest.prefix(piece))
      rest = rest.dropFirst(piece)
    }
    return (parts.map { String(decoding: $0.body, as: UTF8.self) }, parser.isComplete)
  }

  @Test("It has the same parts in whatever pieces it comes")
  func pieces() throws {
    let text =
      "preamble\r\n--b\r\nContent-Type: application/json\r\n\r\n{\"a\":\"--b\"}\r\n--b  \t\r\n\r\n😀\r\n\r\n--b--\r\nepilogue"
    for size in 1...text.utf8.count {
      let (parts, isComplete) = try parse(text, piece: size)
      #expect(parts == ["{\"a\":\"--b\"}", "😀\r\n"])
      #expect(isComplete)
    }
  }

  @Test("The first delimiter may stand at the very start, and may be missing before what is ignored")
  func firstDelimiter() throws {
    #expect(try parse("--b\r\n\r\nx\r\n--b--").parts == ["x"])
    #expect(try parse("\r\nA: b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--").parts == ["x"])
  }

  @Test("Empty parts are not parts")
  func emptyPart() throws {
    #expect(try parse("--b\r\n\r\nx\r\n--b\r\n--b--\r\n").parts == ["x"])
    #expect(try parse("--b\r\n\r\nx\r\n--b\r\n\r\n\r\n--b--").parts == ["x"])
  }

  @Test("A part is there as soon as the delimiter behind it is")
  func early() throws {
    let (parts, isComplete) = try parse("--b\r\n\r\nx\r\n--b")
    #expect(parts == ["x"])
    #expect(!isComplete)
  }

  @Test("A part that is an object is there as soon as the object is whole, and the delimiter behind it adds nothing")
  func wholeObject() throws {
    let object = #" {"a":{"b":"}\"{\\"},"c":[{}]}"#
    var parser = MultipartParser(boundary: "b", maximumPartSize: 100)
    #expect(try parser.append(Array("--b\r\nA: b\r\n\r\n\(object.dropLast())".utf8)).isEmpty)
    #expect(try parser.append(Array("}".utf8)) == [Part(headers: ["a": "b"], body: Array(object.utf8))])
    #expect(try parser.append(Array("\r\n--b".utf8)).isEmpty)
    let text = "--b\r\nA: {}\r\n\r\n\(object)\r\n--b\r\n\r\n{}\n\r\n--b\r\n\r\nx{}\r\n--b\r\n\r\n{\"z\":1}\r\n"
    for size in 1...text.utf8.count {
      let (parts, isComplete) = try parse(text, piece: size)
      #expect(parts == [object, "{}", "x{}", "{\"z\":1}"])
      #expect(!isComplete)
    }
  }

  @Test("Text behind an object, before the delimiter, is not passed over")
  func textBehindObject() throws {
    for size in 1...30 { #expect(try parse("--b\r\n\r\n{} x\r\n--b--", piece: size).parts == ["{}", " x"]) }
  }

  @Test("A boundary of hyphens is told from its closing delimiter")
  func hyphens() throws {
    for size in 1...40 {
      let (parts, isComplete) = try parse("---\r\n\r\n1\r\n---\r\n\r\n2\r\n-----\r\n", boundary: "-", piece: size)
      #expect(parts == ["1", "2"])
      #expect(isComplete)
    }
  }

  @Test("Header fields are found by name in letters of any case")
  func headers() throws {
    var parser = MultipartParser(boundary: "b", maximumPartSize: 100)
    let parts = try parser.append(Array("--b\r\nCONTENT-type:a/b\r\nX: y: z\r\n\r\n.\r\n--b--".utf8))
    #expect(parts.first?.headers == ["content-type": "a/b", "x": "y: z"])
  }

  @Test("What is malformed is refused")
  func malformed() {
    #expect(throws: MultipartParser.Failure.malformedDelimiter) { try parse("--bx\r\n\r\n1\r\n--b--") }
    #expect(throws: MultipartParser.Failure.malformedDelimiter) { try parse("--b-x\r\n\r\n1\r\n--b--") }
    #expect(throws: MultipartParser.Failure.self) { try parse("--b\r\nno header\r\n\r\n1\r\n--b--") }
    #expect(throws: MultipartParser.Failure.self) { try parse("--b\r\nA: b\r\n--b--") }
    #expect(throws: MultipartParser.Failure.self) { try parse("--b\r\n{\"a\":1}\r\n--b--") }
    #expect(throws: MultipartParser.Failure.partTooLarge(limit: 10)) {
      try parse("--b\r\n\r\n{" + String(repeating: " ", count: 100) + "}", limit: 10)
    }
    #expect(throws: MultipartParser.Failure.partTooLarge(limit: 10)) {
      try parse("--b\r\n\r\n" + String(repeating: "x", count: 100), limit: 10)
    }
    #expect(throws: MultipartParser.Failure.partTooLarge(limit: 10)) {
      try parse("--b\r\n\r\n" + String(repeating: "x", count: 100) + "\r\n--b--", limit: 10)
    }
  }

  @Test("What is right in a piece is given, and what is malformed behind it is the error")
  func rightBeforeMalformed() {
    var parser = MultipartParser(boundary: "b", maximumPartSize: 100)
    var parts: [MultipartParser.Part] = []
    #expect(throws: MultipartParser.Failure.malformedDelimiter) {
      try parser.append(Array("--b\r\n\r\n1\r\n--bxy".utf8), to: &parts)
    }
    #expect(parts.map(\.body) == [[UInt8(ascii: "1")]])
    var stream = EventStreamParser(maximumEventSize: 10)
    var events: [EventStreamParser.Event] = []
    #expect(throws: EventStreamParser.Failure.eventTooLarge(limit: 10)) {
      try stream.append(Array("data: 1\n\ndata: 0123456789\n\n".utf8), to: &events)
    }
    #expect(events.map(\.data) == [[UInt8(ascii: "1")]])
  }

  @Test("A large part in small pieces takes linear time: each byte is looked at a few times", arguments: ["-", "{"])
  func linear(_ character: String) throws {
    // Quadratic time would take minutes.
    var parser = MultipartParser(boundary: "b", maximumPartSize: 1 << 24)
    _ = try parser.append(Array("--b\r\n\r\n".utf8))
    let piece = Array(String(repeating: character, count: 16).utf8)
    for _ in 0..<100_000 { #expect(try parser.append(piece).isEmpty) }
    #expect(try parser.append(Array("\r\n--b--".utf8)).first?.body.count == 1_600_000)
  }
}

@Suite("Very many parts")
struct ManyPartsTests {
  @Test("Parts in one piece take linear time as well: none of them is moved once for each part before it")
  func onePiece() throws {
    // Quadratic time would take minutes.
    let count = 400_000
    var parser = MultipartParser(boundary: "b", maximumPartSize: 100)
    let body = "--b" + String(repeating: "\r\n\r\nx\r\n--b", count: count) + "--"
    #expect(try parser.append(Array(body.utf8)).count == count)
    #expect(parser.isComplete)
  }
}

@Suite("A body in parts of either kind", .timeLimit(.minutes(10)))
struct MessageParserTests {
  @Test(
    "What waits is not copied for each piece: the rest of a large part may come byte by byte",
    arguments: [
      ("multipart/mixed;boundary=b", "--b\r\n\r\n", "\r\n--b--"), ("text/event-stream", "data: ", "\n\n"),
    ])
  func linear(type: String, head: String, end: String) throws {
    // With a copy for each byte, a terabyte would be copied.
    let size = 8 << 20, count = 200_000, byte = Data("x".utf8)
    var parser = try MessageParser(MediaType(type), maximumSize: 1 << 26)
    var messages: ArraySlice<[UInt8]> = []
    try parser.append(Data(head.utf8) + Data(repeating: UInt8(ascii: "x"), count: size), to: &messages)
    for _ in 0..<count { try parser.append(byte, to: &messages) }
    #expect(messages.isEmpty)
    try parser.append(Data(end.utf8), to: &messages)
    #expect(messages.map(\.count) == [size + count])
  }
}

@Suite("An event stream")
struct EventStreamParserTests {
  func parse(_ text: String, piece: Int = .max, limit: Int = 1000) throws -> [String] {
    var parser = EventStreamParser(maximumEventSize: limit)
    var events: [EventStreamParser.Event] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      try parser.append(rest.prefix(piece), to: &events)
      rest = rest.dropFirst(piece)
    }
    return events.map { $0.name + "=" + String(decoding: $0.data, as: UTF8.self) }
  }

  @Test("Lines end in LF, CR or both, in whatever pieces they come")
  func lineEnds() throws {
    for end in ["\n", "\r", "\r\n"] {
      let lines = [
        "\u{feff}: sign of life", "event: next", "data: {\"a\":", "data:1}", "", ":", "event:complete", "data:", "", "",
      ]
      let text = lines.joined(separator: end)
      for size in [1, 2, 3, 7, 1000] {
        #expect(try parse(text, piece: size) == ["next={\"a\":\n1}", "complete="])
      }
    }
  }

  @Test("Unknown fields are ignored, an event without a name is a message, and one space is dropped")
  func fields() throws {
    #expect(try parse("id: 7\nretry: 10\ndata:  x\nfoo\n\n") == ["message= x"])
    #expect(try parse("data\n\n") == ["message="])
    #expect(try parse("event: complete\n\n") == ["complete="])
    #expect(try parse("\n\n: only a comment\n\n") == [])
  }

  @Test("The last line of a body may name its last event without a line end; only its name counts")
  func lastLine() throws {
    let cases = [
      ("event: complete", "complete"), ("data: {}\n\nevent: complete\ndata: 1", "complete"), ("event: comp", "comp"),
      ("event: complete\n\n", "message"), ("data: complete", "message"), ("", "message"),
    ]
    for (text, name) in cases {
      var parser = EventStreamParser(maximumEventSize: 100)
      var events: [EventStreamParser.Event] = []
      try parser.append(Array(text.utf8), to: &events)
      #expect(parser.finish() == name, "\(text)")
    }
  }

  @Test("An event that never ends is refused")
  func tooLarge() {
    #expect(throws: EventStreamParser.Failure.eventTooLarge(limit: 50)) {
      try parse("data: " + String(repeating: "x", count: 100), limit: 50)
    }
  }
}

@Suite("A media type")
struct MediaTypeTests {
  @Test("Type and parameters are found in all ways of writing them")
  func parameters() {
    #expect(MediaType("APPLICATION/JSON; charset=utf-8").isJSON)
    #expect(MediaType("application/graphql-response+json;charset=utf-8").isGraphQLResponse)
    #expect(MediaType("multipart/mixed; boundary=\"-\"").parameters == ["boundary": "-"])
    #expect(MediaType("multipart/mixed;boundary=graphql;subscriptionSpec=1.0").parameters["subscriptionspec"] == "1.0")
    #expect(MediaType("multipart/mixed; Boundary = \"a;\\\"b\" ; x").parameters["boundary"] == "a;\"b")
    #expect(!MediaType("text/html").isJSON)
    #expect(MediaType("").type == "")
  }
}
