import Apollo
import Foundation
import StyledTests
import Testing

/// What real servers answered, read from `Tests/Transcripts`.
struct Transcript: CustomTestStringConvertible {
  let server: String
  let request: String
  let status: Int
  /// By lower-case name.
  let headers: [String: String]
  let body: Data

  var testDescription: String { "\(server)/\(request)" }

  /// By the library they are written with.
  private static let servers = ["ariadne", "gophers", "graphene", "noderef", "ruby", "strawberry"]

  /// The HTTP responses; frame logs of WebSockets are left out.
  static func all() throws -> [Transcript] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Transcripts")
    let manager = FileManager.default
    return try servers.flatMap { server in
      try manager.contentsOfDirectory(atPath: folder.appendingPathComponent(server).path).sorted()
        .filter { name in !["lws_", "tws_", "ws_"].contains { name.hasPrefix($0) } }
        .map { name in
          let data = try Data(contentsOf: folder.appendingPathComponent("\(server)/\(name)"))
          return Transcript(server: server, request: String(name.dropLast(4)), data)
        }
    }
  }

  private init(server: String, request: String, _ data: Data) {
    let separator = ["\r\n\r\n", "\n\n"].lazy.compactMap { data.range(of: Data($0.utf8)) }.first
    let lines = String(decoding: data[..<(separator?.lowerBound ?? data.endIndex)], as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    self.server = server
    self.request = request
    body = separator.map { data[$0.upperBound...] } ?? Data()
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    headers = lines.dropFirst().reduce(into: [:]) { headers, line in
      guard let colon = line.firstIndex(of: ":") else { return }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
  }
}

/// Nothing selected: any object will do.
struct Anything: SelectionSet, Hashable {
  static let __fields = __FieldTable(version: 1, "")
  init(__reading object: inout __ObjectReader) throws(__ReadError) {}
  func __writeFields(to writer: inout __JSONWriter) {}
}

@Suite("Recorded responses of six servers", .everyStyle)
struct RecordedResponseTests {
  func read<T: SelectionSet>(_ type: T.Type, _ transcript: Transcript) throws -> ResponseReader.Contents<T> {
    try ResponseReader.read(type, from: ResponseBytes(ResponseStyle.restyle(Array(transcript.body))))
  }

  @Test("Each of the 281 is read as Foundation's parser sees it, or refused where that sees no response")
  func all() throws {
    let transcripts = try Transcript.all()
    #expect(transcripts.count == 281)
    var responses = 0
    for transcript in transcripts {
      let json = try? JSONSerialization.jsonObject(with: transcript.body) as? [String: Any]
      let isResponse = json?["data"] != nil || json?["errors"] is [Any]
      guard isResponse, let json else {
        #expect(throws: ResponseDecodingError.self, "\(transcript.testDescription)") {
          try read(Anything.self, transcript)
        }
        continue
      }
      responses += 1
      let contents = try read(Anything.self, transcript)
      #expect((contents.data != nil) == (json["data"] is [String: Any]), "\(transcript.testDescription)")
      let errors = json["errors"] as? [Any] ?? []
      #expect((contents.errors ?? []).count == errors.count, "\(transcript.testDescription)")
      for (read, sent) in zip(contents.errors ?? [], errors) {
        #expect(read.message == (sent as? String ?? (sent as? [String: Any])?["message"] as? String))
      }
    }
    #expect(responses == 217)
  }

  @Test("A plain query is typed data on every server")
  func plainQuery() throws {
    for transcript in try Transcript.all() where ["post_json", "post_gql_response"].contains(transcript.request) {
      let contents = try read(ReadHeroData.self, transcript)
      #expect(contents.data?.hero.id == "2001", "\(transcript.testDescription)")
      #expect(contents.data?.hero.name == "R2-D2", "\(transcript.testDescription)")
      #expect(contents.errors == nil)
    }
  }

  @Test("A field error is partial data with its path on every server, whatever the order of the members")
  func fieldError() throws {
    for transcript in try Transcript.all() where transcript.request == "field_error_null" {
      let contents = try read(Anything.self, transcript)
      #expect(contents.data != nil, "\(transcript.testDescription)")
      #expect(contents.errors?.map(\.message) == ["boom!"], "\(transcript.testDescription)")
      #expect(contents.errors?.first?.path == ["boom"], "\(transcript.testDescription)")
    }
  }

  @Test("Errors of requests have a message on every server that answers in GraphQL")
  func requestErrors() throws {
    let requests = ["parse_error", "validation_error", "var_error", "unknown_op", "missing_query", "bad_json"]
    for transcript in try Transcript.all() where requests.contains(transcript.request) {
      guard let contents = try? read(Anything.self, transcript) else { continue }
      #expect(contents.data == nil, "\(transcript.testDescription)")
      #expect(contents.errors?.first?.message?.isEmpty == false, "\(transcript.testDescription)")
    }
  }
}

/// `{ hero { id name } }`
private struct ReadHeroData: SelectionSet {
  var hero: ReadHero
  static let __fields = __FieldTable(version: 1, "hero")
  init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
}

private struct ReadHero: SelectionSet {
  var id: ID
  var name: String
  static let __fields = __FieldTable(version: 1, "__typename id!# name")
  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    name = try object.read(2)
  }
  func __writeFields(to writer: inout __JSONWriter) {}
}
