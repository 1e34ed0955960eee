import Apollo
@testable import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the operations of the fixture as a server with one list of friends would, and notes them.
final class FriendsServer: ResponseTransport {
  /// What it does instead with one request.
  enum Action: Sendable {
    case answer(String)
    case fail
    /// Answers as always, and says that a cache must not store the answer.
    case answerWithoutStoring
    /// Waits, and then answers as always.
    case hold(Hold)
  }

  struct Failure: Error {}

  /// A request that has come, and waits until the test lets it go or it is cancelled.
  struct Hold: Sendable {
    let hasCome = Event(), mayGo = Event(), wasCancelled = Event()
  }

  struct Request: Sendable {
    var name: String
    var variables: [String: String]
  }

  private struct State: Sendable {
    var friends: [String]
    var requests: [Request] = []
    var actions: [Int: Action] = [:]
    var change: @Sendable (String) -> String = { $0 }
  }

  private let state: Locked<State>

  init(_ friends: [String]) { state = Locked(State(friends: friends)) }

  var requests: [Request] { state.withLock { $0.requests } }

  /// Sets what is done with a request, by its number from 0 on.
  func on(_ request: Int, _ action: Action) { state.withLock { $0.actions[request] = action } }

  /// Replaces the friends.
  func setFriends(_ friends: [String]) { state.withLock { $0.friends = friends } }

  /// Changes all answers.
  func changeAnswers(_ change: @escaping @Sendable (String) -> String) { state.withLock { $0.change = change } }

  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let values = try JSONSerialization.jsonObject(with: Data(request.operation.variables.json)) as? [String: Any] ?? [:]
    let noted = Request(name: Operation.operationName, variables: values.mapValues { "\($0)" })
    let action = state.withLock { state in
      state.requests.append(noted)
      return state.actions[state.requests.count - 1]
    }
    var httpResponse: HTTPURLResponse?
    switch action {
    case .answer(let body): return try await receive(TransportResponse(Data(body.utf8)))
    case .fail: throw Failure()
    case .answerWithoutStoring:
      httpResponse = HTTPURLResponse(
        url: URL(filePath: "/"), statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "no-store"])
    case .hold(let hold):
      hold.hasCome.fire()
      await withTaskCancellationHandler {
        await hold.mayGo.wait()
      } onCancel: {
        hold.wasCancelled.fire()
        hold.mayGo.fire()
      }
      try Task.checkCancellation()
    case nil: break
    }
    let change = state.withLock { $0.change }
    try await receive(TransportResponse(Data(change(answer(to: noted)).utf8), httpResponse: httpResponse))
  }

  private func answer(to request: Request) -> String {
    let friends = state.withLock { $0.friends }
    func place(_ cursor: String?) -> Int? { cursor.flatMap { text in friends.firstIndex { "c-\($0)" == text } } }
    func number(_ name: String) -> Int? { request.variables[name].flatMap { Int($0) } }
    let isRange = request.name.hasSuffix("Range")
    var first = number("offset") ?? place(request.variables["after"]).map { $0 + 1 } ?? 0
    var end = place(request.variables["before"]) ?? friends.count
    let count = request.name.hasPrefix("First") ? 2 : number("first") ?? number("limit")
    if let count { end = min(end, first + count) }
    if let last = number("last") { first = max(first, end - last) }
    let page = first < end ? Array(friends[first..<end]) : []
    let nodes = page.map {
      #"{"__typename":"Character","id":"\#($0)","name":"\#($0)","listedFriends":\#(Self.nested)}"#
    }
    .joined(separator: ",")
    let field =
      isRange
      ? #""range":[\#(nodes)]"#
      : #""friends":\#(Self.connection(nodes, page, previous: first > 0, next: end < friends.count, friends.count))"#
    return Self.hero(field)
  }

  static func hero(_ field: String, name: String = "R2-D2") -> String {
    #"{"data":{"hero":{"__typename":"Character","id":"2001","name":"\#(name)","listedFriends":\#(nested),\#(field)}}}"#
  }

  static func connection(_ nodes: String, _ page: [String], previous: Bool, next: Bool, _ total: Int) -> String {
    func cursor(_ name: String?) -> String { name.map { #""c-\#($0)""# } ?? "null" }
    return """
      {"__typename":"FriendsConnection","totalCount":\(total),"nodes":[\(nodes)],"pageInfo":{"__typename":"PageInfo",\
      "hasNextPage":\(next),"hasPreviousPage":\(previous),"startCursor":\(cursor(page.first)),\
      "endCursor":\(cursor(page.last))}}
      """
  }

  private static let nested = connection("", [], previous: false, next: false, 1)
  static let errorsOnly = #"{"data":null,"errors":[{"message":"no"}]}"#
}

/// Something that happens once, and may be waited for.
final class Event: Sendable {
  private let state = Locked<(hasFired: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func fire() {
    let waiting = state.withLock { state in
      state.hasFired = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let hasFired = state.withLock { state in
        if !state.hasFired { state.waiting.append(continuation) }
        return state.hasFired
      }
      if hasFired { continuation.resume() }
    }
  }
}

/// The outputs that a subscriber was given.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Locked<(values: [Value], waiting: [(Int, CheckedContinuation<Void, Never>)])>(([], []))

  var values: [Value] { state.withLock { $0.values } }

  func add(_ value: Value) {
    let ready = state.withLock { state in
      state.values.append(value)
      let count = state.values.count
      defer { state.waiting.removeAll { $0.0 <= count } }
      return state.waiting.filter { $0.0 <= count }.map(\.1)
    }
    for continuation in ready { continuation.resume() }
  }

  /// Waits until there are so many values.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.values.count < count { state.waiting.append((count, continuation)) }
        return state.values.count >= count
      }
      if isThere { continuation.resume() }
    }
  }
}
