import Apollo
public import ApolloAPI
public import ApolloCache
public import ApolloOperations
public import ApolloRequestChain
public import ApolloTransport
public import ApolloHTTP
public import Foundation
public import GraphQLExecution

/// A transport without a network: a schema answers, or what a test expects.
///
///     let transport = MockNetworkTransport()
///     transport.expect(HeroQuery.self).respond(.data(["hero": ["__typename": "Droid", "id": "1", "name": "R2-D2"]]))
///     let client = ApolloClient(networkTransport: transport)
///
/// Everything but the sockets is what an app has: requests are made, bytes come back, as JSON or in parts, and the client
/// parses and caches them. To test a client with the settings of the app, give it the ``session`` of the mock:
///
///     var configuration = myConfiguration
///     configuration.http.session = transport.session
///
/// Of the expectations that fit a request, the one that was registered last answers it.
public final class MockNetworkTransport: UploadingNetworkTransport, RoutingTransport, Sendable {
  /// What is done with a request that nothing was registered for.
  public struct Unexpected: Sendable {
    enum Kind: Sendable {
      case fail
      case schema(MockSchema)
      case respond(@Sendable (MockRequest) throws -> MockResponse)
      case passThrough(any ApolloURLSession)
    }

    let kind: Kind

    /// It is an error, ``MockRequestError``, that says what was registered and how it differs; ``verify()`` reports it as well.
    public static var fail: Unexpected { Unexpected(kind: .fail) }

    /// A schema answers it.
    public static func schema(_ schema: MockSchema) -> Unexpected { Unexpected(kind: .schema(schema)) }

    /// A function answers it.
    ///
    /// - Parameter response: Makes the response. What it throws is an error of the connection.
    /// - Returns: The choice.
    public static func respond(_ response: @escaping @Sendable (MockRequest) throws -> MockResponse) -> Unexpected {
      Unexpected(kind: .respond(response))
    }

    /// It is sent to a server.
    ///
    /// - Parameter session: Sends it, such as `URLSession.shared`.
    /// - Returns: The choice.
    public static func passThrough(_ session: any ApolloURLSession) -> Unexpected {
      Unexpected(kind: .passThrough(session))
    }
  }

  private let server: MockBackend
  private let chain: RequestChainNetworkTransport
  /// The connection of the mock, for a client with settings of its own: `configuration.http.session`.
  public let session: any ApolloURLSession

  /// Makes a transport.
  ///
  /// - Parameters:
  ///   - unexpected: What is done with a request that nothing was registered for. By default it is an error.
  ///   - store: The cache of the client. By default a new one in memory.
  ///   - url: The address that requests have. It matters only if they are passed through.
  ///   - clock: The time of delays. nil, the default: that of the client, if the client has this transport, and otherwise
  ///     that of the device.
  ///   - options: What the interceptors do: retries, credentials and so on. By default nothing of that.
  public init(
    _ unexpected: Unexpected = .fail, store: ApolloStore = ApolloStore(), url: URL = MockNetworkTransport.url,
    clock: (any ClientClock)? = nil, options: DefaultInterceptorProvider.Options = DefaultInterceptorProvider.Options()
  ) {
    server = MockBackend(unexpected, clock: clock)
    let session = MockSession(server: server)
    self.session = session
    chain = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(session: session, store: store, options: options),
      endpointURL: url)
  }

  /// The address that requests have by default, which no server has.
  public static let url = URL(string: "https://mock.invalid/graphql") ?? URL(fileURLWithPath: "/")

  // MARK: Expectations

  /// Expects an operation.
  ///
  /// - Parameters:
  ///   - operation: The type of the operation.
  ///   - condition: Whether variables, as they are sent and with the defaults of the document, are those that are expected.
  ///     nil, the default: all are.
  ///   - fileID: The file in messages. By default that of the caller.
  ///   - line: The line in messages. By default that of the caller.
  /// - Returns: What says how it is answered. Until that is said, requests wait.
  @discardableResult
  public func expect<Operation: GraphQLOperation>(
    _ operation: Operation.Type, where condition: (@Sendable (GraphQLValue.Object) -> Bool)? = nil,
    fileID: String = #fileID, line: Int = #line
  ) -> MockExpectation<Operation> {
    expect(variables: nil, condition, "\(fileID):\(line)")
  }

  /// Expects an operation with its variables. Defaults of the document count as sent.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - fileID: The file in messages. By default that of the caller.
  ///   - line: The line in messages. By default that of the caller.
  /// - Returns: What says how it is answered. Until that is said, requests wait.
  @discardableResult
  public func expect<Operation: GraphQLOperation>(
    _ operation: Operation, fileID: String = #fileID, line: Int = #line
  ) -> MockExpectation<Operation> {
    expect(variables: operation.variableValues, nil, "\(fileID):\(line)")
  }

  private func expect<Operation: GraphQLOperation>(
    variables: GraphQLValue.Object?, _ accepts: (@Sendable (GraphQLValue.Object) -> Bool)?, _ place: String
  ) -> MockExpectation<Operation> {
    let expectation = Expectation(
      operationName: Operation.operationName, document: Operation.operationDocument.text, variables: variables,
      accepts: accepts, place: place)
    server.add(expectation)
    return MockExpectation(expectation: expectation)
  }

  /// Forgets all expectations, and what was unexpected.
  public func reset() { server.removeAll() }

  /// Checks, at the end of a test, that everything expected was sent, and nothing else.
  ///
  /// - Throws: ``MockRequestError`` that names the expectations which were not met, with the line of each, and the requests
  ///   that were not expected.
  public func verify() throws(MockRequestError) { try server.verify() }

  // MARK: Requests

  /// All requests so far, in order.
  public var requests: [MockRequest] { server.log.requests }

  /// The requests that wait for an answer, because it was not said how they are answered.
  public var pending: [MockRequest] { server.pending }

  /// The next request: each call gives the one after that of the call before, and waits for it.
  ///
  /// - Returns: The request.
  /// - Throws: `CancellationError` if the task is cancelled, as by the time limit of a test.
  public func next() async throws -> MockRequest { try await server.log.next() }

  // MARK: Sending

  package func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport {
    chain
  }

  /// Sends an operation to the mock, and calls a handler with each result or with the error that ended it.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    chain.send(
      operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: callbackQueue, completionHandler: completionHandler)
  }

  /// Sends an operation with files to the mock, and calls a handler with the result or with the error.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    chain.upload(
      operation: operation, files: files, context: context, callbackQueue: callbackQueue,
      completionHandler: completionHandler)
  }

  /// The name of the app, which each request tells the mock.
  public var clientName: String { chain.clientName }
  /// The version of the app, which each request tells the mock.
  public var clientVersion: String { chain.clientVersion }
}

extension MockNetworkTransport: ClientTransport {
  package var store: ApolloStore? { chain.store }

  package func join(_ client: ExchangePolicies, _ store: ApolloStore) {
    server.join(client.clock)
    chain.join(client, store)
  }
}
