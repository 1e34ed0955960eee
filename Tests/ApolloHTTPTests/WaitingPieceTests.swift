import Apollo
import Foundation
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of an app, which has a type of its own for bodies: an event, and a thousand comments.
private struct OwnSession: ApolloURLSession {
  /// Happens with each piece that is taken.
  let taken = Event()
  /// Happens when nothing reads the body any more.
  let isLeft = Event()

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let response = HTTPURLResponse(
      url: try #require(request.url), statusCode: 200, httpVersion: nil,
      headerFields: ["Content-Type": "text/event-stream"])
    return (Pieces(session: self), try #require(response))
  }

  struct Pieces: AsyncChunkSequence {
    let session: OwnSession

    func makeAsyncIterator() -> Iterator { Iterator(taken: session.taken, reading: Reading(end: session.isLeft)) }

    struct Iterator: AsyncIteratorProtocol {
      static let comment = Data((":" + String(repeating: "x", count: 1 << 16) + "\n\n").utf8)
      let taken: Event
      let reading: Reading

      mutating func next() async throws -> Data? {
        taken.happen()
        let count = taken.value
        if count == 1 { return Data("event: next\ndata: {\"data\":{\"count\":1}}\n\n".utf8) }
        return count <= 1_001 ? Self.comment : nil
      }
    }
  }

  final class Reading: Sendable {
    private let end: Event
    init(end: Event) { self.end = end }
    deinit { end.happen() }
  }
}

/// Lets pieces pass when something has happened.
private struct HoldingInterceptor: HTTPInterceptor {
  let event: Event

  func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
    await (try await next(request)).mapChunks { _, piece in
      try await event.wait()
      return piece
    }
  }
}

@Suite("Pieces of a body that wait", .timeLimit(.minutes(5)))
struct WaitingPieceTests {
  @Test("Those of a session of the app's own may wait up to the limit, and then the operation ends")
  func ownSession() async throws {
    let session = OwnSession()
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: "http://127.0.0.1:9/")))
    configuration.http.session = session
    configuration.http.limits = ResponseLimits(waitingSize: 1 << 20)
    configuration.http.interceptors = [HoldingInterceptor(event: session.isLeft)]
    let client = ApolloClient(configuration: configuration)
    var counts: [Int?] = []
    let error = await #expect(throws: OperationError.self) {
      for try await event in client.subscribe(to: CountSubscription()) { counts.append(event.data?.count) }
    }
    #expect((error?.cause as? ResponseLimits.Exceeded)?.limit == .waitingSize, "\(error as Any)")
    #expect(counts == [1])
    #expect((17..<100).contains(session.taken.value), "\(session.taken.value)")
  }

  @Test("An interceptor that changes pieces takes each of them when it is asked for")
  func mapped() async throws {
    let taken = Event(), url = try #require(URL(string: "http://127.0.0.1:9/"))
    let http = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
    let pieces = AsyncThrowingStream<Data, any Error>(unfolding: {
      taken.happen()
      return taken.value <= 100 ? Data("x".utf8) : nil
    })
    let response = ChunkedHTTPResponse(response: try #require(http), chunks: pieces)
    let mapped = await response.mapChunks { _, piece in piece + piece }
    var iterator = mapped.chunks.makeAsyncIterator()
    #expect(try await iterator.next() == Data("xx".utf8))
    // (What reads ahead has time to do so here.)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(taken.value == 1)
    #expect(try await mapped.data() == Data(String(repeating: "x", count: 198).utf8))
  }
}
