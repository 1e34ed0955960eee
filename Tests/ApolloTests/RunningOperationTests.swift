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
        }
      }
      await Task.yield()
      operation.cancel()
      flag.withLock { $0 = true }
      await operation.value
    }
    #expect(wrong.withLock { $0 } == 0)
  }
}
