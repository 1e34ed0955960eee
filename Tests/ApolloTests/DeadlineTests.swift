import Apollo
import Foundation
import ScriptedServer
import Testing

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

  @Test(
    "A timeout of a part of a second is not cut down to none, and one without end is no trap", .timeLimit(.minutes(5)),
    arguments: [0.6, 1.7, .infinity, .greatestFiniteMagnitude])
  func fractions(_ seconds: TimeInterval) async throws {
    let pause = seconds < 1 ? 100 : 1200
    try await serve { _, _ in
      [.pause(milliseconds: pause), .respond(hero())]
    } _: { server async throws in
      let result = try await client(server).fetch(query: HeroQuery(), context: Patience(requestTimeout: seconds))
      #expect(result.data != nil)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = seconds
      let other = try await client(server, configuration: configuration).fetch(
        query: HeroQuery(), context: Deadline(requestDeadline: .infinity))
      #expect(other.data != nil)
      #expect(configuration.timeoutIntervalForRequest == seconds)
    }
  }

  @Test("Silence that is longer than the timeout ends a request", .timeLimit(.minutes(5)))
  func silence() async throws {
    try await serve { _, _ in
      [.pause(milliseconds: 50_000)]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server).fetch(query: HeroQuery(), context: Patience(requestTimeout: 0.4))
      }
      #expect(error?.message.contains("did not answer in time") == true, "\(String(describing: error))")
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
