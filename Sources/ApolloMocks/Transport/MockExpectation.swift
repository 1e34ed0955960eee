public import ApolloAPI
import GraphQLExecution

/// An operation that a ``MockNetworkTransport`` expects, and how it is answered.
///
/// Until it is told how, requests wait; `respond` then answers those that wait, and later ones.
public struct MockExpectation<Operation: GraphQLOperation>: Sendable {
  let expectation: Expectation

  /// Answers with a response, each time.
  ///
  /// - Parameter response: The response.
  /// - Returns: This expectation.
  @discardableResult
  public func respond(_ response: MockResponse) -> Self { respond { _ in response } }

  /// Answers with what a function makes of each request.
  ///
  /// - Parameter response: Makes the response. What it throws is an error of the connection.
  /// - Returns: This expectation.
  @discardableResult
  public func respond(_ response: @escaping @Sendable (MockRequest) throws -> MockResponse) -> Self {
    expectation.respond(response)
    return self
  }

  /// Answers with typed data. If a value of it has no form in JSON, the answer is a ``MockRequestError`` that says so.
  ///
  /// - Parameter data: The data, as the client is to be given it.
  /// - Returns: This expectation.
  @discardableResult
  public func respond(data: Operation.Data) -> Self {
    var writer = __JSONWriter()
    writer.writeResponse { data.__write(to: &$0) }
    if let failure = writer.failure { return respond(.failure(Self.unwritten(failure))) }
    let bytes = writer.bytes
    return respond { _ in .json(bytes) }
  }

  /// Answers with a mock of the root object. If a value that the operation selects has no form in JSON, the answer is a
  /// ``MockRequestError`` that says so.
  ///
  /// - Parameter mock: The mock, such as `Mock<Query>(hero: …)`. What is set in it later has no effect.
  /// - Returns: This expectation.
  @discardableResult
  public func respond<Root: MockObject>(mock: Mock<Root>) -> Self {
    // Safe: nothing changes this copy.
    nonisolated(unsafe) let copy = mock.copy(MockCopies())
    return respond { request in
      do {
        return .json(try copy.response(for: Operation.Data.self, variables: request.conditions))
      } catch let error as JSONEncodingError {
        throw Self.unwritten(error)
      }
    }
  }

  private static func unwritten(_ error: JSONEncodingError) -> MockRequestError {
    MockRequestError("The answer cannot be sent. \(error)", operationName: Operation.operationName)
  }

  /// Lets each answer take a time, by the clock of the client.
  ///
  /// - Parameter duration: How long an answer takes. By default it comes at once.
  /// - Returns: This expectation.
  @discardableResult
  public func after(_ duration: Duration) -> Self {
    expectation.state.withLock { $0.delay = duration }
    return self
  }

  /// Takes one request. Without it any number of requests are taken.
  ///
  /// - Returns: This expectation.
  @discardableResult
  public func once() -> Self { times(1) }

  /// Takes so many requests; the next one is for the expectation that was registered before.
  ///
  /// - Parameter count: How many. Without it any number are taken.
  /// - Returns: This expectation.
  @discardableResult
  public func times(_ count: Int) -> Self {
    expectation.state.withLock { $0.limit = max(0, count) }
    return self
  }

  /// How many requests it has taken.
  public var count: Int { expectation.state.withLock { $0.uses } }
}

extension MockRequest {
  /// The variables that `@include` and `@skip` may ask for.
  fileprivate var conditions: Variables {
    var values = JSONObject()
    for (name, value) in variables {
      if let flag = value.bool { values[name] = flag }
    }
    return Variables(values)
  }
}
