@testable import ApolloCache
@testable import Apollo
import Dispatch
import Testing
import Waiting

/// The values that a callback was called with, one after the other.
struct Received<Value: Sendable>: Sendable {
  private let values = Awaited<[Value]>([])

  var count: Int { values.value.count }

  func add(_ value: Value) { values.change { $0.append(value) } }

  /// The next value; nil, and an issue, if none comes.
  func next(sourceLocation: SourceLocation = #_sourceLocation) async -> Value? {
    try? await values.take(sourceLocation: sourceLocation) { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// True if nothing more comes of all that has happened to a client.
  func isQuiet(after client: ApolloClient) async -> Bool {
    await client.settle()
    return count == 0
  }
}

extension DispatchQueue {
  /// Where the callbacks of tests are called that look whether something comes.
  static let callbacks = DispatchQueue(label: "callbacks of tests")

  /// Waits until all that it was given so far has run.
  func drain() async { await withCheckedContinuation { done in async { done.resume() } } }
}

extension ApolloClient {
  /// Waits until the watchers have been told of all that has happened, and have been called for it on the main queue or
  /// on the one for callbacks; also of what their own requests bring.
  func settle() async {
    // What is told may make a watcher read from a backend, or ask the server, and be told of that.
    for _ in 0..<3 {
      await store.waitUntilTold()
      await activeQueries.waitUntilAnswered()
    }
    await DispatchQueue.callbacks.drain()
    await DispatchQueue.main.drain()
  }
}
