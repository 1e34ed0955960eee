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

  @Test("A deadline ends an operation whose bytes keep coming", .timeLimit(.minutes(1)))
  func perOperation() async throws {
    let drip = (0..<400).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
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

  @Test("The session's limit for whole requests holds, also where Foundation ignores it", .timeLimit(.minutes(1)))
  func session() async throws {
    let drip = (0..<400).flatMap { _ in [ScriptedServer.Step.write(" "), .pause(milliseconds: 50)] }
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
