import ApolloAPI

/// Runs a task once for all callers that want its result at a time. The task is cancelled when its last caller is
/// cancelled.
package final class Deduplicator<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Running {
    let number: Int
    let task: Task<Value, any Error>
    var waiting = 1
  }

  private let state = Locked<(running: [Key: Running], count: Int)>(([:], 0))

  package init() {}

  /// How many callers wait.
  var callerCount: Int { state.withLock { $0.running.values.reduce(0) { $0 + $1.waiting } } }

  package func value(for key: Key, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let (task, number) = state.withLock { state in
      if let running = state.running[key] {
        state.running[key]?.waiting += 1
        return (running.task, running.number)
      }
      state.count += 1
      let number = state.count
      let task = Task {
        defer { self.remove(key, number) }
        return try await make()
      }
      state.running[key] = Running(number: number, task: task)
      return (task, number)
    }
    return try await withTaskCancellationHandler {
      try await task.valueUnlessCancelled()
    } onCancel: {
      leave(key, number)
    }
  }

  private func remove(_ key: Key, _ number: Int) {
    state.withLock { if $0.running[key]?.number == number { $0.running[key] = nil } }
  }

  private func leave(_ key: Key, _ number: Int) {
    let task: Task<Value, any Error>? = state.withLock { state in
      guard let running = state.running[key], running.number == number else { return nil }
      state.running[key]?.waiting -= 1
      guard running.waiting == 1 else { return nil }
      state.running[key] = nil
      return running.task
    }
    task?.cancel()
  }
}
