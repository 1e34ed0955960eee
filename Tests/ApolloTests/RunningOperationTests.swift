import Apollo
import ApolloCache
import Foundation
import Testing
import Waiting

@testable import ApolloAPI
@testable import ApolloOperations

@Suite("Operations under way")
struct RunningOperationTests {
  @Test("What was cancelled knows it from the start, at whatever moment that was")
  func cancelledFromTheStart() async {
    let running = RunningOperations(), isCalledOff = (0..<5000).map { _ in Locked(false) }, wrong = Locked(0)
    for flag in isCalledOff {
      let operation = Task {
        _ = await running.run(.current, beginsAtOnce: false) {
          // (The flag first: it is set when cancelling is over.)
          if flag.withLock({ $0 }), !Task.isCancelled { wrong.withLock { $0 += 1 } }
          return .done
        }
      }
      await Task.yield()
      operation.cancel()
      flag.withLock { $0 = true }
      await operation.value
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("What was cancelled before it began knows it from the start", arguments: [false, true])
  func cancelledBefore(atOnce: Bool) async {
    let running = RunningOperations(), knows = Locked<Bool?>(nil)
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = await running.run(.current, beginsAtOnce: atOnce) {
        knows.withLock { $0 = Task.isCancelled }
        return .done
      }
    }.value
    #expect(knows.withLock { $0 } == true)
  }

  @Test(
    "A mutation of a task that was cancelled before is not sent, whatever sends it",
    arguments: [HeldServer.Way.chain, .responseTransport])
  func unsent(way: HeldServer.Way) async {
    let server = HeldServer(way), client = server.client
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await client.perform(mutation: RenameMutation())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.waitingCount == 0)
  }
}
