import ApolloAPI
import ApolloCache
import ApolloHTTP
import ApolloTransport
import Foundation
import GraphQLExecution

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is behind the mock's connection: chooses the answer to each request.
final class MockBackend: Sendable {
  private struct State {
    var expectations: [Expectation] = []
    var unexpected: [MockRequestError] = []
    /// The documents of automatic persisted queries, by hash.
    var documents: [String: String] = [:]
  }

  private let state = Locked(State())
  let log = RequestLog()
  let otherwise: MockNetworkTransport.Unexpected
  private let given: (any ClientClock)?
  private let joined = Locked<(any ClientClock)?>(nil)

  init(_ otherwise: MockNetworkTransport.Unexpected, clock: (any ClientClock)?) {
    self.otherwise = otherwise
    given = clock
  }

  var clock: any ClientClock { given ?? joined.withLock { $0 } ?? .system }

  func join(_ clock: any ClientClock) { joined.withLock { $0 = clock } }

  func add(_ expectation: Expectation) { state.withLock { $0.expectations.append(expectation) } }

  func removeAll() {
    state.takeOut { state in
      defer { (state.expectations, state.unexpected) = ([], []) }
      return state.expectations
    }
  }

  var pending: [MockRequest] { log.requests.filter { $0.answer.isWaiting } }

  /// The answer to a request: that of the last expectation which fits it and is not used up, and otherwise what is done with
  /// unexpected requests.
  func answer(_ request: MockRequest) async throws -> MockResponse {
    let expectations = state.withLock { $0.expectations }
    for expectation in expectations.reversed() where expectation.fits(request) {
      guard let (responder, delay) = expectation.take(request) else { continue }
      let response: MockResponse
      if let responder {
        log.add(request)
        response = try responder(request)
      } else {
        response = try await request.answer.wait { self.log.add(request) }
      }
      if delay > .zero { try await clock.sleep(until: clock.now + delay) }
      return response
    }
    log.add(request)
    switch otherwise.kind {
    case .schema(let schema): return .schema(schema)
    case .respond(let respond): return try respond(request)
    case .passThrough(let session): return MockResponse(.session(session))
    case .fail:
      let error = mismatch(request, expectations)
      state.withLock { $0.unexpected.append(error) }
      throw error
    }
  }

  /// The request with the text of its document, if only a hash was sent.
  ///
  /// - Returns: nil if the hash is not known.
  func withDocument(_ request: MockRequest) -> MockRequest? {
    guard let hash = request.extensions["persistedQuery"]?["sha256Hash"]?.string else { return request }
    if let query = request.query {
      state.withLock { $0.documents[hash] = query }
      return request
    }
    guard let query = state.withLock({ $0.documents[hash] }) else { return nil }
    var whole = MockRequest(
      operationName: request.operationName, query: query, variables: request.variables, extensions: request.extensions,
      urlRequest: request.urlRequest)
    whole.onError = request.onError
    return whole
  }

  private func mismatch(_ request: MockRequest, _ expectations: [Expectation]) -> MockRequestError {
    let name = request.operationName
    var lines = [
      "Nothing was expected that fits this request. Its variables:", "  \(GraphQLValue.object(request.variables).text)",
    ]
    let same = expectations.filter { $0.operationName == name }
    if same.isEmpty {
      lines.append("Nothing is registered for it: transport.expect(\(name)….self).respond(…).")
    } else {
      lines.append("Registered for it:")
      for (index, expectation) in same.enumerated() {
        lines.append("  \(index + 1). \(expectation.description)")
        if let difference = expectation.difference(to: request) { lines.append("     \(difference)") }
      }
    }
    let others = Set(expectations.map(\.operationName)).subtracting([name]).sorted()
    if !others.isEmpty { lines.append("Registered for others: \(others.joined(separator: ", ")).") }
    if let query = request.query { lines.append(query) }
    return MockRequestError(lines.joined(separator: "\n"), operationName: name.isEmpty ? nil : name)
  }

  func verify() throws(MockRequestError) {
    let (expectations, unexpected) = state.withLock { ($0.expectations, $0.unexpected) }
    let unmet = expectations.compactMap { expectation -> String? in
      let (uses, limit) = expectation.state.withLock { ($0.uses, $0.limit) }
      guard uses < limit ?? 1 else { return nil }
      return
        "Expected, but not sent\(limit.map { $0 > 1 ? " \($0) times but \(uses)" : "" } ?? ""): \(expectation.description)"
    }
    let messages = unmet + unexpected.map(\.description)
    if !messages.isEmpty { throw MockRequestError(messages.joined(separator: "\n")) }
  }
}
