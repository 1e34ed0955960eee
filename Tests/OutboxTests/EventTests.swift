@testable import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

extension OutboxTests {
  @Suite("What happens to mutations that wait")
  struct EventTests {
    @Test("Each state is told once, of its mutation, over every way to send", arguments: TodoServer.Way.allCases)
    func states(way: TodoServer.Way) async throws {
      let clock = TestClock(), server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(
        way,
        try Place(.memory).launch {
          $0.retry.baseDelay = 60
          $0.retry.maxDelay = 60
          $0.retry.enableJitter = false
        }, monitor: monitor
      ) { $0.clock = clock }
      let stream = client.events, events = Awaited<[UUID: [String]]>([:]), operations = Awaited<[String]>([])
      let task = Task {
        for await event in stream {
          if let operation = event.operation, case .operationEnded = event.kind {
            operations.change { $0.append(operation.name) }
          }
          guard case .outbox(let entry) = event.kind else { continue }
          let state =
            switch entry.state {
            case .queued: "queued"
            case .waitingForNetwork: "offline"
            case .waiting(let date): "waits \(Int(date.timeIntervalSince(clock.date).rounded()))"
            case .sending(let attempt): "sends \(attempt)"
            case .succeeded: "succeeded"
            case .failed: "failed"
            case .cancelled: "cancelled"
            }
          events.change { $0[entry.id, default: []].append(entry.operationName + " " + state) }
        }
      }
      server.plan(.noNetwork, .success, .body("nonsense"))
      let first = try await client.enqueue(CreateTodo(text: "a"))
      let second = try await client.enqueue(CreateTodo(text: "b"))
      let third = try await client.enqueue(CreateTodo(text: "c"))
      #expect(await client.outbox.cancel(third.id))
      try await events.until { $0[first.id]?.last == "CreateTodo offline" }
      monitor.isOnline = true
      // The network has failed, which its return ends.
      try await events.until { $0[first.id]?.count == 3 }
      await clock.advanceToNext()
      _ = try await first.value
      try await events.until { $0[third.id]?.last == "CreateTodo cancelled" && $0[second.id]?.count ?? 0 >= 2 }
      let all = events.value
      #expect(all[first.id]?.suffix(2) == ["CreateTodo sends 2", "CreateTodo succeeded"], "\(all)")
      #expect(all[second.id]?.contains("CreateTodo sends 1") == true, "\(all)")
      for (_, states) in all { #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 }, "\(states)") }
      try await operations.until { $0.count >= 3 }
      task.cancel()
    }
  }
}
