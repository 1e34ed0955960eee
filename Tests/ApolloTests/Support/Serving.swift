import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of a server, with as many settings as a test needs.
func client(
  _ server: ScriptedServer, configuration: URLSessionConfiguration = .ephemeral,
  provider: DefaultInterceptorProvider.Options = .init(), autoPersistQueries: Bool = false,
  useGETForQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false, headers: [String: String] = [:],
  bodies: any RequestBodyCreator = ApolloRequestBodyCreator(), origins: OriginPolicy = OriginPolicy(),
  limits: ResponseLimits? = nil
) -> ApolloClient {
  client(
    at: server.address, configuration: configuration, provider: provider, autoPersistQueries: autoPersistQueries,
    useGETForQueries: useGETForQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry, headers: headers,
    bodies: bodies, origins: origins, limits: limits)
}

func client(
  at address: String, configuration: URLSessionConfiguration = .ephemeral,
  provider: DefaultInterceptorProvider.Options = .init(), autoPersistQueries: Bool = false,
  useGETForQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false, headers: [String: String] = [:],
  bodies: any RequestBodyCreator = ApolloRequestBodyCreator(),
  streamProtocol: RequestChainNetworkTransport.StreamProtocol = .any, origins: OriginPolicy = OriginPolicy(),
  limits: ResponseLimits? = nil
) -> ApolloClient {
  let store = ApolloStore()
  let transport = RequestChainNetworkTransport(
    interceptorProvider: testedProvider(
      configuration, store: store, options: provider, origins: origins, limits: limits ?? ResponseLimits()),
    endpointURL: URL(string: address)!, additionalHeaders: headers, autoPersistQueries: autoPersistQueries,
    requestBodyCreator: bodies, useGETForQueries: useGETForQueries,
    useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
  transport.streamProtocol = streamProtocol
  transport.limits = limits
  return ApolloClient(networkTransport: transport, store: store)
}

/// Runs a server that answers by a script which knows how many requests came before, and gives its requests.
@discardableResult
func serve(
  _ script: @escaping @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step],
  _ body: (ScriptedServer) async throws -> Void
) async throws -> [ScriptedServer.Request] {
  let log = RequestLog()
  try await ScriptedServer.with { request in
    script(log.add(request), request)
  } _: { server async throws in
    try await body(server)
  }
  return log.all
}

/// What a server was asked.
final class RequestLog: Sendable {
  private let requests = Awaited<[ScriptedServer.Request]>([])

  func add(_ request: ScriptedServer.Request) -> Int {
    requests.change { requests in
      requests.append(request)
      return requests.count
    }
  }

  var all: [ScriptedServer.Request] { requests.value }
  var count: Int { all.count }

  /// Waits until there are so many.
  func until(count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await requests.until(sourceLocation: sourceLocation) { $0.count >= count }
  }
}

/// The error of a query that is answered so.
func failure(
  _ steps: [ScriptedServer.Step], _ options: DefaultInterceptorProvider.Options = .init()
) async throws -> OperationError? {
  var error: OperationError?
  try await serve { _, _ in
    steps
  } _: { server async throws in
    error = await #expect(throws: OperationError.self) {
      try await client(server, provider: options).fetch(query: HeroQuery())
    }
  }
  return error
}

/// A subscription of a number.
struct CountSubscription: GraphQLSubscription {
  static let operationName = "Count"
  static let operationDocument = OperationDocument("subscription Count { count }")

  struct Data: SelectionSet, Hashable {
    var count: Int
    static let __fields = __FieldTable(version: 1, "count")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { count = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, count) }
  }
}

/// A query with an identifier, for persisted queries.
struct IdentifiedQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument(
    "query Hero($name: String) { hero { __typename id name height } }", operationIdentifier: "abc123")
  var name: GraphQLNullable<String> = .none
  func __writeVariables(to writer: inout __JSONWriter) { writer.write("name", name) }
  typealias Data = HeroQuery.Data
}

struct IdentifiedMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument(
    "mutation Rename { rename { __typename id name height } }", operationIdentifier: "def456")
  typealias Data = RenameMutation.Data
}

/// A clock that stands, and waits by a function of a test, which gets seconds.
struct SleepFunction: ClientClock {
  let now = ContinuousClock.now
  private let body: @Sendable (Double) async throws -> Void

  init(_ body: @escaping @Sendable (Double) async throws -> Void) { self.body = body }

  var date: Date { Date() }

  func sleep(until deadline: ContinuousClock.Instant) async throws { try await body((deadline - now) / .seconds(1)) }
}
