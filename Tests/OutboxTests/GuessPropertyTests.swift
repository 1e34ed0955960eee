@testable import Apollo
@testable import ApolloAPI
import ApolloSQLite
import Foundation
import StyledTests
import Testing
import Waiting

extension OutboxTests {
  @Suite("Guesses, ages, errors and launches at random")
  struct GuessPropertyTests {
    @Test(
      "A read has what a naive cache has: the last guess of each object, or else the server's value while it is fresh",
      arguments: [nil, 0, 60] as [Double?], [Place.Kind.memory, .disk])
    func property(maxAge: Double?, kind: Place.Kind) async throws {
      for seed in Effort.seeds(3) {
        var guesses = try Guesses(seed: seed, maxAge: maxAge, kind)
        try await guesses.run(steps: 40)
        if guesses.isWrong { return }
      }
    }
  }
}

/// A client, and a naive cache that is told of the same steps.
private struct Guesses {
  /// How a server answers a mutation that was sent.
  private enum Answer: CaseIterable {
    case success, errorWithoutPath, errorWithPath, nothingButAnError, status

    /// Whether the answer has the new value.
    var hasValue: Bool { self == .success || self == .errorWithoutPath }
  }

  /// A value of the server, and when it came.
  private struct Dated<Value> {
    let value: Value
    let date: Double
  }

  private struct Layer {
    let name: String
    var list: [String]?
    var texts: [String: String]
    /// For a mutation in the outbox.
    var answer: Answer?
  }

  // The naive cache.
  private var list: Dated<[String]>?
  private var texts: [String: Dated<String>] = [:]
  private var layers: [Layer] = []
  private var onServer: [String: String]

  private let maxAge: Double?
  private let clock = Locked(1_000_000.0)
  private let monitor = ManualNetworkMonitor(isOnline: false)
  private let server = TodoServer()
  private var place: Place
  private var client: ApolloClient
  private var dice: Numbers
  private var log: [String]
  private(set) var isWrong = false

  init(seed: UInt64, maxAge: Double?, _ kind: Place.Kind) throws {
    self.maxAge = maxAge
    dice = Numbers(seed + 1)
    log = ["seed \(seed), limit \(maxAge.map { "\($0)" } ?? "none"), \(kind)"]
    onServer = Dictionary(uniqueKeysWithValues: (0..<3).map { ("\($0)", "") })
    for id in onServer.keys.sorted() { server.add(id, "") }
    place = try Place(kind)
    client = try Self.launch(place, server, monitor, maxAge, clock)
  }

  private static func launch(
    _ place: Place, _ server: TodoServer, _ monitor: ManualNetworkMonitor, _ maxAge: Double?, _ clock: Locked<Double>
  ) throws -> ApolloClient {
    let file = place.folder.appendingPathComponent("cache.sqlite")
    let store =
      place.kind == .memory ? ApolloStore() : ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
    store.clock = { Date(timeIntervalSince1970: clock.withLock { $0 }) }
    store.defaultMaxAge = maxAge
    return server.client(.http, try place.launch(), store: store, monitor: monitor)
  }

  // MARK: The naive cache

  private func isFresh(_ date: Double) -> Bool { maxAge.map { clock.withLock { $0 } - date < $0 } ?? true }

  /// The texts of the list; nil for a miss.
  private var expected: [String]? {
    guard let ids = layers.last(where: { $0.list != nil })?.list ?? list.flatMap({ isFresh($0.date) ? $0.value : nil })
    else { return nil }
    var found: [String] = []
    for id in ids {
      if let text = layers.last(where: { $0.texts[id] != nil })?.texts[id] {
        found.append(text)
      } else if let text = texts[id], isFresh(text.date) {
        found.append(text.value)
      } else {
        return nil
      }
    }
    return found
  }

  private mutating func take(_ id: String, _ text: String) {
    onServer[id] = text
    texts[id] = Dated(value: text, date: clock.withLock { $0 })
  }

  // MARK: Steps

  mutating func run(steps: Int) async throws {
    // (The answers to queries say that there is a network.)
    await client.outbox.pause()
    for step in 0..<steps where !isWrong {
      switch Int.random(in: 0..<12, using: &dice) {
      case 0, 1: try await fetch()
      case 2, 3: try await guess("text \(step)")
      case 4: try await revert()
      case 5, 6, 7: try await enqueue("text \(step)")
      case 8: try await send()
      case 9: try await perform("text \(step)")
      case 10:
        let seconds: Double = [1, 30, 59, 61].randomElement(using: &dice) ?? 1
        log.append("\(seconds) s go by")
        clock.withLock { $0 += seconds }
      default: try await launchAgain()
      }
      let texts = try await client.store.texts(), expected = expected
      if texts != expected {
        isWrong = true
        Issue.record("\(texts as Any) for \(expected as Any), after\n\(log.joined(separator: "\n"))")
      }
    }
    await client.outbox.close()
  }

  private mutating func fetch() async throws {
    log.append("fetch")
    _ = try await client.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
    list = Dated(value: onServer.keys.sorted(), date: clock.withLock { $0 })
    for (id, text) in onServer { take(id, text) }
  }

  /// Writes a whole list with a new object, or one object.
  private mutating func guess(_ text: String) async throws {
    let name = "guess \(log.count)", isList = Bool.random(using: &dice)
    let id = isList ? "new \(log.count)" : "\(Int.random(in: 0..<3, using: &dice))"
    log.append("\(name) of \(id): \(text)")
    if isList {
      let ids = ["0", id]
      let todos = ids.map { #"{"__typename":"Todo","id":"\#($0)","text":"\#(text)"}"# }.joined(separator: ",")
      let data = try ResponseReader.read(
        TodosQuery.Data.self, from: ResponseBytes(Data("{\"data\":{\"todos\":[\(todos)]}}".utf8))
      ).data
      guard let data else { return }
      try await client.store.applyOptimisticUpdate(id: name) { try $0.write(data: data, for: TodosQuery()) }
      layers.append(Layer(name: name, list: ids, texts: Dictionary(uniqueKeysWithValues: ids.map { ($0, text) })))
    } else {
      let todo = Todo(id: id, text: text)
      try await client.store.applyOptimisticUpdate(id: name) { try $0.write(selectionSet: todo, withKey: "Todo:\(id)") }
      layers.append(Layer(name: name, texts: [id: text]))
    }
  }

  private mutating func revert() async throws {
    guard let place = layers.indices.filter({ layers[$0].answer == nil }).randomElement(using: &dice) else { return }
    let name = layers.remove(at: place).name
    log.append("\(name) is taken back")
    try await client.store.revertOptimisticUpdate(id: name)
  }

  private mutating func enqueue(_ text: String) async throws {
    let id = "\(Int.random(in: 0..<3, using: &dice))", answer = Answer.allCases.randomElement(using: &dice) ?? .success
    log.append("enqueue \(id): \(text), \(answer)")
    try await client.enqueue(
      RenameTodo(id: id, text: text), optimisticData: .init(renameTodo: Todo(id: id, text: text)))
    layers.append(Layer(name: text, texts: [id: text], answer: answer))
  }

  /// Lets the outbox send all that it has.
  private mutating func send() async throws {
    log.append("send")
    let sent = layers.filter { $0.answer != nil }
    for layer in sent { if let (id, text) = layer.texts.first, let answer = layer.answer { plan(answer, id, text) } }
    monitor.isOnline = true
    let outbox = client.outbox
    await outbox.resume()
    try await outbox.flush()
    try await eventually("nothing waits") { outbox.count == 0 }
    await outbox.pause()
    monitor.isOnline = false
    layers.removeAll { $0.answer != nil }
    for layer in sent where layer.answer?.hasValue == true {
      for (id, text) in layer.texts { take(id, text) }
    }
  }

  private mutating func perform(_ text: String) async throws {
    let id = "\(Int.random(in: 0..<3, using: &dice))", answer = Answer.allCases.randomElement(using: &dice) ?? .success
    log.append("perform \(id): \(text), \(answer)")
    plan(answer, id, text)
    let data = RenameTodo.Data(renameTodo: Todo(id: id, text: text))
    _ = try? await client.perform(mutation: RenameTodo(id: id, text: text), optimisticData: data)
    if answer.hasValue { take(id, text) }
  }

  private func plan(_ answer: Answer, _ id: String, _ text: String) {
    let object = #"{"__typename":"Todo","id":"\#(id)","text":"\#(text)"}"#
    switch answer {
    case .success: server.plan(.success)
    case .errorWithoutPath:
      server.plan(.done(#"{"data":{"renameTodo":\#(object)},"errors":[{"message":"careful"}]}"#))
    case .errorWithPath:
      server.plan(.body(#"{"data":{"renameTodo":null},"errors":[{"message":"no","path":["renameTodo"]}]}"#))
    case .nothingButAnError: server.plan(.body(#"{"data":null,"errors":[{"message":"no"}]}"#))
    case .status: server.plan(.status(400))
    }
  }

  /// The process is stopped, and the app is started again.
  private mutating func launchAgain() async throws {
    log.append("a new launch")
    try await client.store.flush()
    await client.outbox.close()
    place = try place.copy()
    client = try Self.launch(place, server, monitor, maxAge, clock)
    layers.removeAll { $0.answer == nil }
    // What may have no age is not on disk.
    if place.kind == .memory || maxAge == 0 { (list, texts) = (nil, [:]) }
    try await client.outbox.ready()
    await client.outbox.pause()
  }
}
