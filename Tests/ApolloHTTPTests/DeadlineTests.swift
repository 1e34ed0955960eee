@testable import ApolloHTTP
import Foundation
import ScriptedServer
import Testing

@testable import Apollo

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Time limits")
struct DeadlineTests {
  struct Deadline: RequestContextDeadlineConfigurable {
    var requestDeadline: TimeInterval?
  }

  @Test("A deadline ends an operation whose bytes keep coming", .timeLimit(.minutes(5)))
  func perOperation() async throws {
    let drip = (0..<4000).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
    try await serve { _, _ in
      [.begin(contentType: "application/json")] + drip
    } _: { server async throws in
      let client = client(server)
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), context: Deadline(requestDeadline: 0.3))
      }
      #expect(error?.code == .network)
      #expect(error?.message.contains("deadline of 0.3 seconds") == true)
      let result: Result<GraphQLResult<HeroQuery.Data>, any Error> = await withCheckedContinuation { continuation in
        client.fetch(query: HeroQuery(), context: Deadline(requestDeadline: 0.2), queue: .global()) {
          continuation.resume(returning: $0)
        }
      }
      #expect(throws: OperationError.self) { try result.get() }
    }
  }

  struct Patience: RequestContextTimeoutConfigurable {
    var requestTimeout: TimeInterval
  }

  #if !canImport(Darwin)
    @Test(
      "Foundation on Linux is given whole seconds, never fewer than were asked for",
      arguments: [
        (0.001, 1.0), (0.6, 1), (1, 1), (1.2, 2), (60, 60), (-1, 1), (.nan, 1), (.infinity, 31_536_000),
        (.greatestFiniteMagnitude, 31_536_000),
      ])
    func wholeSeconds(_ seconds: TimeInterval, _ expected: TimeInterval) throws {
      var request = URLRequest(url: try #require(URL(string: "http://localhost")))
      request.timeoutInterval = seconds
      #expect(request.withTimeoutFoundationKeeps.timeoutInterval == expected)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = seconds
      #expect(configuration.withTimeoutsFoundationKeeps.timeoutIntervalForRequest == expected)
      #expect(configuration.timeoutIntervalForRequest == seconds || seconds.isNaN, "what the app has stays")
    }
  #endif

  @Test(
    "A timeout of a part of a second does not end every request at once, and one without end is not a trap",
    .timeLimit(.minutes(5)), arguments: [0.6, .infinity])
  func fractions(_ seconds: TimeInterval) async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = seconds
      let client = client(server, configuration: configuration)
      // (A busy machine may need longer than that for some.)
      var results = 0
      for _ in 0..<50 where results < 2 {
        let context: any RequestContext =
          results == 0 ? Patience(requestTimeout: seconds) : Deadline(requestDeadline: .infinity)
        let result = try? await client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, context: context)
        if result?.data != nil { results += 1 }
      }
      #expect(results == 2)
    }
  }

  @Test("Silence that is longer than the timeout ends a request", .timeLimit(.minutes(5)))
  func silence() async throws {
    try await serve { _, _ in
      [.wait(.init())]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server).fetch(query: HeroQuery(), context: Patience(requestTimeout: 0.4))
      }
      // (Foundation on Linux counts whole seconds.)
      let limits = ["0.4", "1.0"].map { "did not answer in time: the limit is \($0) s (\(server.address))" }
      #expect(limits.contains { error?.message.contains($0) == true }, "\(String(describing: error))")
    }
  }

  @Test("The session's limit for whole requests holds, also where Foundation ignores it", .timeLimit(.minutes(5)))
  func session() async throws {
    let drip = (0..<4000).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
    try await serve { _, _ in
      [.begin(contentType: "application/json")] + drip
    } _: { server async throws in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = 0.3
      let error = await #expect(throws: OperationError.self) {
        try await client(server, configuration: configuration).fetch(query: HeroQuery())
      }
      #expect(error?.message.contains("did not answer in time") == true, "\(String(describing: error))")
    }
  }
}
