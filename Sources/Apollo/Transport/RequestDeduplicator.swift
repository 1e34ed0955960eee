import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends identical queries that are under way at the same time only once.
///
/// Queries are identical if their requests are, to the last byte of headers and body: what is sent for one user is never
/// handed to another. The request is stopped when the last one who waits for it is cancelled.
public final class RequestDeduplicator: Sendable {
  typealias Send = @Sendable () async throws -> FetchedResponse

  private struct Key: Hashable {
    let url: URL?
    let method: String?
    let headers: [String: String]
    let body: Data?
  }

  private struct Running {
    let number: Int
    let task: Task<FetchedResponse, any Error>
    var waiting = 1
  }

  private let state = Locked<(running: [Key: Running], count: Int)>(([:], 0))

  public init() {}

  func fetch(_ request: URLRequest, _ send: @escaping Send) async throws -> FetchedResponse {
    let key = Key(
      url: request.url, method: request.httpMethod, headers: request.allHTTPHeaderFields ?? [:], body: request.httpBody)
    let (task, number) = state.withLock { state in
      if let running = state.running[key] {
        state.running[key]?.waiting += 1
        return (running.task, running.number)
      }
      state.count += 1
      let number = state.count
      let task = Task {
        defer { self.remove(key, number) }
        return try await send().collected()
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
    let task: Task<FetchedResponse, any Error>? = state.withLock { state in
      guard let running = state.running[key], running.number == number else { return nil }
      state.running[key]?.waiting -= 1
      guard running.waiting == 1 else { return nil }
      state.running[key] = nil
      return running.task
    }
    task?.cancel()
  }
}

extension FetchedResponse {
  /// The response with its whole body: several readers cannot share a stream.
  func collected() async throws -> FetchedResponse {
    guard case .pieces(let pieces) = body else { return self }
    var data = Data()
    for try await piece in pieces { data += piece }
    var whole = self
    whole.body = .whole(data)
    return whole
  }
}
