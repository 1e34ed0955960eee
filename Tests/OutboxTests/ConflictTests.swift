@testable import Apollo
@testable import ApolloOutbox
import ApolloTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Answers with 409, which may say that the server is still doing what was sent before.

extension OutboxTests {
  @Suite("Answers with 409")
  struct ConflictTests {
    @Test("After a try that may have been done, 409 says that it still is being done", arguments: [false, true])
    func conflict(isGraphQL: Bool) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let fields: [String: String] =
        isGraphQL
        ? ["Content-Type": "application/graphql-response+json", "Body": #"{"errors":[{"message":"busy"}]}"#] : [:]
      server.plan(.status(503), .status(409, fields), .status(409, fields), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      #expect(try await queued.value.data?.createTodo?.text == "a")
      #expect(server.requests.count == 4 && Set(server.requests.map(\.extensionKey)).count == 1)
    }

    @Test("As a first answer, 409 is a refusal, and the next try has another key")
    func firstConflict() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.status(409))
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == 409)
      #expect(await client.outbox.retry(queued.id))
      try await client.outbox.flush()
      #expect(server.texts == ["a"] && Set(server.requests.map(\.extensionKey)).count == 2)
    }

    private static let unsent: [URLError.Code] = [
      .notConnectedToInternet, .cannotFindHost, .dataNotAllowed, .internationalRoamingOff, .secureConnectionFailed,
    ]

    @Test("What no server can have got is not a try before a 409", arguments: unsent, TodoServer.Way.allCases)
    func conflictAfterNoConnection(code: URLError.Code, way: TodoServer.Way) async throws {
      let server = TodoServer(), client = server.client(way, try Place(.memory).launch())
      server.plan(.failure(URLError(code)), .failure(URLError(code)), .status(409))
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == 409 && server.requests.count == 3)
    }

    @Test("A cancelled request that is told as one to a server without trust may have been done before a 409")
    func conflictAfterCancellation() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let cancelled: [String: Any] = [NSUnderlyingErrorKey: URLError(.cancelled)]
      server.plan(
        .failure(URLError(.serverCertificateUntrusted, userInfo: cancelled)), .status(409), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      #expect(try await queued.value.data?.createTodo?.text == "a")
      #expect(server.requests.count == 3 && Set(server.requests.map(\.extensionKey)).count == 1)
    }

    @Test(
      "Where an app's transport makes the requests, an error of the disk says that nothing was sent",
      arguments: [TodoServer.Way.responseTransport, .foreign])
    func conflictAfterFullDisk(way: TodoServer.Way) async throws {
      let server = TodoServer(), client = server.client(way, try Place(.memory).launch())
      server.plan(.failure(POSIXError(.ENOSPC)), .failure(POSIXError(.EACCES)), .status(409))
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == 409 && server.requests.count == 3)
    }

    @Test("If it was sent twice in one try, the server may have it although the second request came nowhere")
    func conflictAfterTwoRequests() async throws {
      let server = TodoServer()
      let client = server.client(.http, try Place(.memory).launch()) {
        $0.defaultRequestConfiguration.isRepeatable = true
      }
      // (The first two are one try: what may run twice is sent again at once when the connection is lost.)
      server.plan(.lost, .noNetwork, .status(400))
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == 400 && server.requests.count == 3)
      #expect(await client.outbox.retry(queued.id))
      try await client.outbox.flush()
      #expect(server.texts == ["a"] && Set(server.requests.map(\.extensionKey)).count == 1)
    }

    @Test("After five minutes, the tenth 409 is a refusal, and the app can try it again")
    func lastingConflict() async throws {
      let server = TodoServer(), clock = TestClock()
      let settings = try Place(.memory).launch {
        $0.retry.baseDelay = 200
        $0.retry.maxDelay = 200
      }
      let client = server.client(.http, settings) { $0.clock = clock }
      server.plan(.status(503))
      server.always = .status(409)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      // A user may ask for it many times within seconds.
      for _ in 0..<14 { try await client.outbox.flush() }
      #expect(await client.outbox.failed.isEmpty && server.requests.count > 12)
      await clock.advance(by: .seconds(300))
      // (The first one may only wait for what the clock has sent.)
      for _ in 0..<20 where await client.outbox.failed.isEmpty { try await client.outbox.flush() }
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == 409 && Set(server.requests.map(\.extensionKey)).count == 1)
      server.always = nil
      #expect(await client.outbox.retry(queued.id))
      try await client.outbox.flush()
      #expect(server.texts == ["a"])
    }

    @Test("Answers with 409 are counted across launches", arguments: Place.Kind.allCases)
    func conflictOfManyLaunches(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), clock = TestClock()
      func launch() throws -> ApolloClient {
        let settings = try place.launch {
          $0.retry.baseDelay = 3600
          $0.retry.maxDelay = 3600
        }
        return server.client(.http, settings) { $0.clock = clock }
      }
      server.plan(.status(503))
      server.always = .status(409)
      let first = try launch()
      try await first.enqueue(CreateTodo(text: "a"))
      await first.outbox.close()
      var isGivenUp = false
      for _ in 0..<20 where !isGivenUp {
        await clock.advance(by: .seconds(60))
        let client = try launch()
        try await client.outbox.flush()
        isGivenUp = await !client.outbox.failed.isEmpty
        await client.outbox.close()
      }
      #expect(isGivenUp && server.requests.count { $0.status == 409 } == 10)
    }

    @Test("The date of the first 409 is looked at as all dates of a storage are")
    func date() async throws {
      let server = TodoServer(), storage = Outbox.InMemoryStorage()
      let client = server.client(
        .http, Outbox.Configuration(storage: storage), monitor: ManualNetworkMonitor(isOnline: false))
      try await client.enqueue(CreateTodo(text: "a"))
      var row = try #require(storage.load().rows.first)
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      // With a clock that was set back it begins anew, and does not last for ever.
      let times: [Double] = Array(repeating: 0, count: 12) + [-86_400, -86_101, -86_100]
      var mayPass: [Bool] = []
      for time in times { mayPass.append(row.countConflict(at: now.addingTimeInterval(time))) }
      #expect(mayPass == Array(repeating: true, count: 14) + [false])
      #expect(row.problem == nil)
      row.conflictsSince = .distantPast
      #expect(row.problem != nil)
      await client.outbox.close()
    }
  }
}
