@testable import ApolloOperations
@testable import Apollo
import ApolloTestSupport
import Foundation
import Logging
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ClientEvent {
  /// The event in a few words.
  var words: String {
    let what =
      switch kind {
      case .operationStarted(let start): "started \(start.cachePolicy)"
      case .result(let result): "result \(result.isFromCache ? "cache" : "server") \(result.errors.count)"
      case .operationEnded(.finished): "finished"
      case .operationEnded(.failed): "failed"
      case .operationEnded(.cancelled): "cancelled"
      case .requestSent(let request): "sent \(request.attempt)"
      case .responseReceived(let response): "received \(response.status ?? 0)"
      case .tryFailed: "try failed"
      case .retried(let retry): "retried \(retry.number) after \(retry.delay / .seconds(1))"
      case .cacheRead(let read): "read \(read.outcome)"
      case .cacheWritten(let write): "written\(write.error == nil ? "" : " in vain")"
      case .cacheChanged(let change): "changed \(change.fieldCount)"
      case .socket(let socket): "socket \(socket.state)"
      case .outbox(let entry): "outbox \(entry.state)"
      }
    return (operation.map { "\($0.name): " } ?? "") + what
  }
}

/// Takes the events of a client as they come.
final class Recorded: Sendable {
  let events = Awaited<[ClientEvent]>([])
  private let task: Task<Void, Never>

  init(_ stream: AsyncStream<ClientEvent>) {
    task = Task { [events] in
      for await event in stream { events.change { $0.append(event) } }
    }
  }

  deinit { task.cancel() }

  var words: [String] { events.value.map(\.words) }

  /// The events until so many operations have ended, without those that are of none.
  func ofOperations(_ count: Int = 1) async throws -> [ClientEvent] {
    try await events.until { events in
      events.count { if case .operationEnded = $0.kind { true } else { false } } >= count
    }
    return events.value.filter { $0.operation != nil }
  }
}

private struct Answering: ApolloURLSession {
  let answer: @Sendable (URLRequest) async throws -> (status: Int, body: String)

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let answer = try await answer(request)
    let response = HTTPURLResponse(
      url: request.url!, statusCode: answer.status, httpVersion: nil,
      headerFields: ["Content-Type": "application/json", "X-Answer": "1"])!
    return (ChunkedHTTPResponse.Chunks(Data(answer.body.utf8)), response)
  }
}

@Suite("What happens in a client", .timeLimit(.minutes(5)))
struct EventTests {
  private func client(
    _ configure: (inout ApolloClient.Configuration) -> Void = { _ in },
    _ answer: @escaping @Sendable (Int) async throws -> (status: Int, body: String)
  ) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: URL(string: "http://events.example/graphql?key=hidden")!)
    let count = Locked(0)
    configuration.http.session = Answering { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return try await answer(number)
    }
    configure(&configuration)
    return ApolloClient(configuration: configuration)
  }

  @Test("A fetch, its tries, the cache, and another one that the cache answers")
  func fetch() async throws {
    let clock = TestClock()
    let client = client {
      $0.clock = clock
      $0.retry = .automatic
      $0.retry.enableJitter = false
      $0.retry.baseDelay = 60
      $0.retry.maxDelay = 60
    } _: { number in
      if number == 1 { throw URLError(.timedOut) }
      return number == 2 ? (503, "busy") : (200, hero())
    }
    let recorded = Recorded(client.events)
    let result = Task { try await client.fetch(query: HeroQuery()) }
    for _ in 0..<2 { await clock.advanceToNext() }
    _ = try await result.value
    _ = try await client.fetch(query: HeroQuery())
    let events = try await recorded.ofOperations(2)
    #expect(
      events.map(\.words) == [
        "Hero: started returnCacheDataElseFetch", "Hero: read miss", "Hero: sent 1", "Hero: try failed",
        "Hero: retried 1 after 60.0", "Hero: read miss", "Hero: sent 2", "Hero: received 503", "Hero: try failed",
        "Hero: retried 2 after 60.0", "Hero: read miss", "Hero: sent 3", "Hero: received 200", "Hero: written",
        "Hero: result server 0", "Hero: finished",
        "Hero: started returnCacheDataElseFetch", "Hero: read hit", "Hero: result cache 0", "Hero: finished",
      ])
    #expect(
      Set(events.prefix(16).map(\.operation?.id)).count == 1 && events[15].operation?.id != events[16].operation?.id)
    #expect(events[15].date.timeIntervalSince(events[0].date) == 120)
    #expect(events[15].instant - events[0].instant == .seconds(120))
    #expect(
      recorded.events.value.contains {
        if case .cacheChanged(let change) = $0.kind { change.fieldCount > 0 && change.change == nil } else { false }
      })
    if case .cacheRead(let read) = events[1].kind { #expect(read.missing == "hero") }
  }

  @Test("Variables, header fields and bodies are there if they are asked for, and never a secret of the address")
  func details() async throws {
    let client = client({ $0.http.additionalHeaders = ["Authorization": "Bearer x"] }) { _ in (200, hero()) }
    let plain = Recorded(client.events), all = Recorded(client.events(including: [.variables, .headerFields, .bodies]))
    _ = try await client.fetch(query: HeroQuery(episode: "JEDI"))
    let (few, many) = (try await plain.ofOperations(), try await all.ofOperations())
    #expect(few.map(\.words) == many.map(\.words))
    let shown = plain.events.value.map { "\($0)" }.joined()
    for secret in ["JEDI", "Bearer", "R2-D2", "hidden", "X-Answer"] { #expect(!shown.contains(secret), "\(shown)") }
    for event in many {
      switch event.kind {
      case .operationStarted(let start): #expect(start.variables?["episode"] as? String == "JEDI")
      case .requestSent(let request):
        #expect(request.headerFields?["Authorization"] == "Bearer x" && !request.address.contains("hidden"))
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) }?.contains("JEDI") == true)
      case .responseReceived(let response):
        #expect(response.headerFields?["X-Answer"] == "1" && response.byteCount == response.body?.count)
        #expect(response.body == Data(hero().utf8))
      case .cacheRead(let read): #expect(read.missing == "hero")
      default: break
      }
    }
    #expect(
      all.events.value.contains { if case .cacheChanged(let change) = $0.kind { change.change != nil } else { false } })
  }

  @Test("Failures, cancelled operations, and what only the cache is asked for")
  func endings() async throws {
    let began = Awaited(false)
    let client = client { number in
      if number == 1 { return (500, "no") }
      began.change { $0 = true }
      try await untilCancelled()
    }
    let recorded = Recorded(client.events)
    await #expect(throws: (any Error).self) { try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly) }
    let task = Task { try await client.perform(mutation: RenameMutation()) }
    try await began.until { $0 }
    task.cancel()
    _ = await task.result
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) == nil)
    let words = try await recorded.ofOperations(3).map(\.words)
    #expect(
      words.prefix(5) == [
        "Hero: started fetchIgnoringCacheData", "Hero: sent 1", "Hero: received 500", "Hero: try failed",
        "Hero: failed",
      ])
    #expect(words.contains("Rename: cancelled") && !words.contains("Rename: result server 0"))
    #expect(words.suffix(3).dropFirst() == ["Hero: read miss", "Hero: failed"])
  }

  @Test("A consumer that leaves with the last result has finished; a deadline is a failure, and in the log")
  func lastResult() async throws {
    let lines = Locked<[String]>([]), clock = TestClock(), asked = Awaited(false)
    let client = client {
      $0.clock = clock
      $0.logging = {
        LoggingInterceptor(logger: Logger(label: "test") { _ in MemoryLog(lines: lines, logLevel: .debug) })
      }
    } _: { number in
      if number == 1 { return (200, hero()) }
      asked.change { $0 = true }
      try await untilCancelled()
    }
    let recorded = Recorded(client.events)
    for try await _ in client.results(of: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) { break }
    #expect(try await recorded.ofOperations().last?.words == "Hero: finished")
    let late = Task {
      try await client.fetch(
        query: HeroQuery(), cachePolicy: .networkOnly, requestConfiguration: RequestConfiguration(deadline: 60))
    }
    try await asked.until { $0 }
    await clock.advanceToNext()
    await #expect(throws: OperationError.self) { try await late.value }
    #expect(try await recorded.ofOperations(2).last?.words == "Hero: failed")
    #expect(lines.withLock { $0 }.last?.contains("failed after 60.0 seconds") == true, "\(lines.withLock { $0 })")
  }

  @Test("Nothing is made while nothing listens; a sequence ends with its task, and with the client")
  func listeners() async throws {
    var client: ApolloClient? = client { _ in (200, hero()) }
    func makesTrace() -> Bool {
      client!.run(OperationCall(HeroQuery(), cachePolicy: .default)).call.options.trace != nil
    }
    #expect(!makesTrace())
    var recorded: Recorded? = Recorded(client!.events)
    #expect(makesTrace())
    recorded = nil
    try await eventually("nothing listens") { !makesTrace() }
    #expect(recorded == nil)
    let ended = Awaited(false)
    let stream = client!.events
    let task = Task {
      for await _ in stream {}
      ended.change { $0 = true }
    }
    _ = try await client!.fetch(query: HeroQuery())
    client = nil
    try await ended.until { $0 }
    await task.value
  }

  @Test("A slow consumer has the last events, and keeps no more of them than it says")
  func limits() async throws {
    let client = client { _ in (200, hero()) }
    let stream = client.events(including: [], buffering: 3)
    for _ in 0..<10 { _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly) }
    await client.settle()
    var last: [String] = []
    for await event in stream {
      last.append(event.words)
      if last.count == 3 { break }
    }
    #expect(last.last?.hasSuffix("finished") == true)
  }

  /// Each way to run operations: random scripts, of which every operation begins once and is over once.
  @Test("Each operation begins once and ends once, whatever happens", arguments: 0..<4)
  func property(seed: Int) async throws {
    let client = client({ $0.retry = MaxRetryInterceptor.Configuration(maxRetries: 1, retryRule: .transientFailures) })
    { number in
      switch (number &* 7 &+ seed) % 6 {
      case 0: throw URLError(.timedOut)
      case 1: (500, "no")
      case 2: (200, "not JSON")
      case 3: (200, #"{"errors":[{"message":"a"}]}"#)
      default: (200, hero("\(number)"))
      }
    }
    let recorded = Recorded(client.events(including: [], buffering: 100_000))
    let count = 60
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          let policy: CachePolicy.Query.SingleResponse =
            number % 3 == 0 ? .networkOnly : number % 3 == 1 ? .cacheFirst : .networkFirst
          let task = Task {
            _ = try await client.fetch(query: HeroQuery(episode: .some("\(number % 5)")), cachePolicy: policy)
          }
          if number % 7 == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    let events = Dictionary(grouping: try await recorded.ofOperations(count)) { $0.operation?.id }
    #expect(events.count == count)
    for (_, events) in events {
      let words = events.map(\.words)
      #expect(words.first?.contains("started") == true, "\(words)")
      #expect(words.count { $0.contains("started") } == 1, "\(words)")
      #expect(words.count { ["Hero: finished", "Hero: failed", "Hero: cancelled"].contains($0) } == 1, "\(words)")
      #expect(
        words.last.map { ["Hero: finished", "Hero: failed", "Hero: cancelled"].contains($0) } == true, "\(words)")
      #expect(zip(events, events.dropFirst()).allSatisfy { $0.instant <= $1.instant }, "\(words)")
      if words.last == "Hero: finished" { #expect(words.contains { $0.contains("result") }, "\(words)") }
    }
  }
}
