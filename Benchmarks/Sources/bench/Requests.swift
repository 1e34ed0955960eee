import Apollo
import CHeap
import Foundation
import People

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What the client costs beyond the session under it, and whether it loses anything under load.

/// Prints the processor time of a request through the client, and through a bare `URLSession`.
///
/// The requests are the same, to a server in this process whose part is in both; the difference is the client's.
func printOverhead(_ body: [UInt8], count: Int = 50) async throws {
  let server = LoopbackServer(body: body)
  defer { server.stop() }
  let session = URLSession(configuration: .default)
  // What the client spares Foundation on Linux, anybody may spare it.
  let configuration = URLSessionConfiguration.default
  configuration.urlCache = nil
  let cacheless = URLSession(configuration: configuration)
  let store = ApolloStore()
  let transport = RequestChainNetworkTransport(
    interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: server.url)
  let client = ApolloClient(networkTransport: transport, store: store)
  // The very request that the client sends, of ready parts.
  let sample = try transport.constructRequest(for: UsersQuery(), cachePolicy: .default).toURLRequest()
  let url = server.url, header = sample.allHTTPHeaderFields, content = sample.httpBody

  func send(_ session: URLSession) async throws {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.allHTTPHeaderFields = header
    request.httpBody = content
    let data: Data = try await withCheckedThrowingContinuation { continuation in
      session.dataTask(with: request) { data, _, error in
        if let data { continuation.resume(returning: data) } else { continuation.resume(throwing: error!) }
      }.resume()
    }
    precondition(data.count == body.count)
  }

  func through(_ policy: CachePolicy) async throws {
    let result = try await client.fetch(query: UsersQuery(), cachePolicy: policy)
    precondition(result.data != nil)
  }

  func cost(_ body: () async throws -> Void) async throws -> Double {
    let before = cpuSeconds()
    for _ in 0..<count { try await body() }
    return (cpuSeconds() - before) / Double(count) * 1e6
  }

  // In turns, and the least of many short rounds each: what other processes do only adds to it.
  var base = Double.infinity, least = Double.infinity, uncached = Double.infinity, cached = Double.infinity
  for _ in 0..<150 {
    base = min(base, try await cost { try await send(session) })
    least = min(least, try await cost { try await send(cacheless) })
    uncached = min(uncached, try await cost { try await through(.fetchIgnoringCacheCompletely) })
    cached = min(cached, try await cost { try await through(.fetchIgnoringCacheData) })
  }
  print("Processor time of a request with a response of \(body.count) bytes, in µs:")
  print(String(format: "  URLSession                     %7.1f", base))
  print(String(format: "  URLSession without a URLCache  %7.1f", least))
  for (name, time) in [("client                ", uncached), ("client, into the cache", cached)] {
    print(
      String(
        format: "  %@         %7.1f   overhead %6.1f, over the second %6.1f", name, time, time - base, time - least))
  }
}

/// Runs many fetches at once, of which some lose their connection and some are cancelled.
///
/// - Returns: False if a call ended never or twice, or if memory or descriptors are left.
func soak(_ body: [UInt8], count: Int) async throws -> Bool {
  // What is made once, by this library and by Foundation, is not counted.
  _ = try await fetches(body, count: max(200, count / 4))
  try await settle()
  let heap = live_heap_bytes(), descriptors = openDescriptors()
  let clock = ContinuousClock()
  let start = clock.now
  let ends = try await fetches(body, count: count)
  let time = clock.now - start
  // (As long as it is being given back.)
  var growth = Int.max, left = 0
  for _ in 0..<10 {
    try await settle()
    let before = growth
    growth = Int(live_heap_bytes()) - Int(heap)
    left = openDescriptors() - descriptors
    if growth > before - 100_000, left == 0 { break }
  }
  print("\(count) fetches at once in \(time): \(ends.description)")
  print(
    String(
      format: "live heap %+.2f MB, descriptors %+d, peak of resident memory %.0f MB",
      Double(growth) / 1e6, left, Double(peak_memory_bytes()) / 1e6))
  return ends.isRight(count) && abs(growth) <= 5_000_000 && left == 0
}

private struct Ends: Sendable {
  var results = 0, failures = 0, cancelled = 0
  /// How often each of the calls that were not cancelled ended otherwise than once.
  var wrong = 0

  var description: String {
    "\(results) results, \(failures) failures, \(cancelled) cancelled, \(wrong) ended otherwise than once"
  }

  func isRight(_ count: Int) -> Bool {
    wrong == 0 && results + failures + cancelled == count && results > count * 8 / 10
  }
}

/// Half of the calls are `async`, half have callbacks; each twentieth is cancelled, each twentieth request loses its connection.
private func fetches(_ body: [UInt8], count: Int) async throws -> Ends {
  let server = LoopbackServer(body: body, dropped: 5)
  defer { server.stop() }
  let client = ApolloClient(url: server.url)
  let calls = CallCounter(count: count)
  await withTaskGroup(of: Void.self) { group in
    for number in 0..<count {
      let isCancelled = number % 20 == 7
      if number.isMultiple(of: 2) {
        let running = client.fetch(query: UsersQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .global()) {
          result in
          calls.end(number, (try? result.get().data) != nil)
        }
        if isCancelled {
          running.cancel()
          calls.cancel(number)
        }
      } else {
        group.addTask {
          let task = Task {
            try await client.fetch(query: UsersQuery(), cachePolicy: .fetchIgnoringCacheData).data != nil
          }
          if isCancelled { task.cancel() }
          let result = await task.result
          if case .failure(is CancellationError) = result {
            calls.cancel(number)
          } else {
            calls.end(number, (try? result.get()) == true)
          }
        }
      }
    }
  }
  for _ in 0..<1200 where calls.isWaiting { try await Task.sleep(for: .milliseconds(50)) }
  return calls.ends
}

private final class CallCounter: @unchecked Sendable {
  // What changes is behind `lock`.

  private struct State {
    var calls: [Int]
    var ends = Ends()
    var isCancelled: [Bool]
  }

  private let lock = NSLock()
  private var state: State

  init(count: Int) {
    state = State(calls: Array(repeating: 0, count: count), isCancelled: Array(repeating: false, count: count))
  }

  func end(_ number: Int, _ isResult: Bool) {
    lock.withLock {
      state.calls[number] += 1
      if isResult { state.ends.results += 1 } else { state.ends.failures += 1 }
    }
  }

  func cancel(_ number: Int) {
    lock.withLock {
      // A call may have ended before it could be cancelled.
      guard state.calls[number] == 0 else { return }
      state.isCancelled[number] = true
      state.ends.cancelled += 1
    }
  }

  var isWaiting: Bool { lock.withLock { zip(state.calls, state.isCancelled).contains { $0 == 0 && !$1 } } }

  var ends: Ends {
    lock.withLock {
      var ends = state.ends
      ends.wrong = zip(state.calls, state.isCancelled).count { $0 != ($1 ? 0 : 1) }
      return ends
    }
  }
}

/// Waits for what ends in the background: connections that are given up, tasks, deinitializers.
private func settle() async throws { try await Task.sleep(for: .seconds(2)) }

private func openDescriptors() -> Int {
  for folder in ["/proc/self/fd", "/dev/fd"] {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: folder) { return names.count }
  }
  return 0
}
