import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the recorded servers answered, sent once more by a server to the whole client: session, chain, parsers.
@Suite("Recorded responses through the whole client", .timeLimit(.minutes(5)))
struct TranscriptTests {
  struct AnyQuery: GraphQLQuery {
    static let operationName = "Any"
    static let operationDocument = OperationDocument("query Any { any }")
    static let hasDeferredFragments = true
    typealias Data = AnyData
  }

  struct AnySubscription: GraphQLSubscription {
    static let operationName = "Any"
    static let operationDocument = OperationDocument("subscription Any { any }")
    typealias Data = AnyData
  }

  /// What came of a response: a line for each result, and one for an error.
  typealias Outcome = [String]

  private func line(_ result: GraphQLResult<AnyData>) -> String {
    "data: \(result.data?.json ?? "none"), errors: \((result.errors ?? []).map(\.description)), more: \(result.hasNext)"
  }

  private func outcome(of transcript: Transcript, _ steps: [ScriptedServer.Step]) async throws -> Outcome {
    try await ScriptedServer.with { _ in
      [transcript.head] + steps + [.close]
    } _: { server async throws in
      let client = client(server)
      var lines: Outcome = []
      do {
        if transcript.isSubscription {
          for try await event in client.subscribe(to: AnySubscription()) { lines.append(line(event)) }
        } else {
          for try await result in client.results(of: AnyQuery(), cachePolicy: .fetchIgnoringCacheCompletely) {
            lines.append(line(result))
          }
        }
      } catch let error as OperationError {
        // (Each server has a port of its own.)
        lines.append("error: \(error.code): \(error.message)".replacing(/127\.0\.0\.1:\d+/, with: "server"))
      }
      return lines
    }
  }

  @Test("All 281, whole and one byte at a time: the same results, which are those that the body has")
  func all() async throws {
    let transcripts = try Transcript.all()
    #expect(transcripts.count == 281)
    var results = 0, errors = 0
    for transcript in transcripts {
      let whole = try await outcome(of: transcript, [.writeBytes(Array(transcript.body))])
      let bytewise = try await outcome(of: transcript, transcript.body.map { .writeBytes([$0]) })
      #expect(whole == bytewise, "\(transcript.testDescription)")
      let failures = whole.filter { $0.hasPrefix("error: ") }
      let expected = transcript.expectedResults
      #expect(whole.count - failures.count == expected, "\(transcript.testDescription): \(whole)")
      #expect((failures.count == 0) == (expected > 0), "\(transcript.testDescription): \(whole)")
      results += expected
      errors += failures.count
    }
    print("281 recorded responses: \(results) results, \(errors) errors, whole and by single bytes")
  }

  /// Hands over a recorded response in pieces that are cut where it is told, which a network does not promise to do.
  final class CuttingClient: URLSessionClient, @unchecked Sendable {
    // Set before it is used.
    var response: HTTPURLResponse?
    var pieces: [Data] = []

    override func sendRequest(
      _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
      completion: @escaping Completion
    ) -> URLSessionTask {
      if let response { for piece in pieces { completion(.success((piece, response))) } }
      rawTaskCompletionHandler?(nil, response, nil)
      return URLSession.shared.dataTask(with: request)
    }
  }

  @Test("Every response in parts, cut in two at its bytes, has the same results")
  func cuts() async throws {
    let streams = try Transcript.all().filter(\.isStream)
    #expect(streams.count > 10)
    for transcript in streams {
      let session = CuttingClient()
      session.response = transcript.response
      let store = ApolloStore()
      let transport = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(client: session, store: store),
        endpointURL: URL(string: "http://server/graphql")!)
      let client = ApolloClient(networkTransport: transport, store: store)
      var first: Outcome?
      for cut in stride(from: 0, through: transcript.body.count, by: Effort.isLong ? 1 : 3) {
        let index = transcript.body.startIndex + cut
        session.pieces = [Data(transcript.body[..<index]), Data(transcript.body[index...])]
        var lines: Outcome = []
        do {
          if transcript.isSubscription {
            for try await event in client.subscribe(to: AnySubscription()) { lines.append(line(event)) }
          } else {
            for try await result in client.results(of: AnyQuery(), cachePolicy: .fetchIgnoringCacheCompletely) {
              lines.append(line(result))
            }
          }
        } catch {
          lines.append("\(error)")
        }
        if let first, first != lines {
          Issue.record("\(transcript.testDescription) cut at \(cut): \(lines) instead of \(first)")
        }
        first = lines
      }
      #expect(first?.count == transcript.expectedResults, "\(transcript.testDescription)")
    }
  }
}

/// Any data, as the JSON it is.
struct AnyData: SelectionSet, Hashable {
  var json: String
  static let __fields = __FieldTable(version: 1, "")
  static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> AnyData {
    AnyData(json: try reader.rawJSON())
  }
  init(json: String) { self.json = json }
  init(__reading object: inout __ObjectReader) throws(__ReadError) { self = try Self.__read(from: &object) }
  func __writeFields(to writer: inout __JSONWriter) {}
}

extension Transcript {
  var isSubscription: Bool {
    request.hasPrefix("multipart_sub") || (request.hasPrefix("sse") && request != "sse_query")
  }

  var isStream: Bool {
    let type = headers["content-type"] ?? ""
    return status == 200 && (type.hasPrefix("multipart/mixed") || type.hasPrefix("text/event-stream"))
  }

  /// The recorded head, with the length and the coding that the body has here.
  var head: ScriptedServer.Step {
    var text = "HTTP/1.1 \(status) Recorded\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key })
    where !["transfer-encoding", "content-encoding", "content-length", "connection"].contains(name) {
      text += "\(name): \(value)\r\n"
    }
    if !isStream { text += "Content-Length: \(body.count)\r\n" }
    return .write(text + "Connection: close\r\n\r\n")
  }

  var response: HTTPURLResponse {
    HTTPURLResponse(
      url: URL(string: "http://server/graphql")!, statusCode: status, httpVersion: "1.1", headerFields: headers)!
  }

  /// How many results a client has to see, found without the client's own parsers.
  var expectedResults: Int {
    let text = String(decoding: body, as: UTF8.self)
    if isStream {
      let isEventStream = headers["content-type"]?.hasPrefix("text/event-stream") == true
      if isEventStream { return text.matches(of: /event: next/).count }
      return text.matches(of: isSubscription ? /\{"payload":\{/ : /"hasNext":/).count
    }
    let type = headers["content-type"] ?? ""
    guard (200..<300).contains(status) || type.contains("application/graphql-response+json"),
      let json = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    else { return 0 }
    return json["data"] is [String: Any] || json["errors"] is [Any] ? 1 : 0
  }
}
