import Apollo
import ApolloWebSocket
import Fixture0001
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Names of the releases 0.x to 2.x, as apps have them in signatures.

/// Keeps fragments, whatever they are about.
public final class FragmentList<Item: GraphQLFragment> {
  public private(set) var items: [Item] = []
  public init() {}
  public func add<Source: Sequence>(_ source: Source) where Source.Element == Item { items += source }
}

/// What an app writes to its log of a request.
public func describe(_ variables: GraphQLMap?) -> String {
  (variables ?? [:]).keys.sorted().joined(separator: ", ")
}

/// A value that a field may have.
public func typeName<Value: OutputTypeConvertible>(_ type: Value.Type) -> String { "\(type)" }

/// An object that a field may have.
public func entityName<Entity: SelectionSetEntityValue>(_ entity: Entity) -> String { "\(type(of: entity))" }

/// A line of an app's log about any model.
public func line<Model: RootSelectionSet>(about model: Model) -> String {
  "\(model.__typename ?? "?") \(model.debugDescription)"
}

/// Whether an object is another one now.
public func hasChanged<Model: RootSelectionSet & Hashable>(_ model: Model, since before: Model) -> Bool {
  model != before
}

/// Whether a chain of the app is at fault, as of releases 0.34 to 1.0.
public func isOfChain(_ error: Error) -> Bool {
  switch error {
  case RequestChain.ChainError.noInterceptors, RequestChain.ChainError.invalidIndex: true
  case LegacyCacheWriteInterceptor.LegacyCacheWriteError.noResponseToParse: true
  default: false
  }
}

/// Parses with keys of the app, as of releases 0.34 to 0.41.
public func legacyParser(idField: String) -> LegacyParsingInterceptor {
  var parser = LegacyParsingInterceptor()
  parser.cacheKeyForObject = { object in object[idField] }
  return parser
}

/// What a badge says of a subscription.
public func badge(of state: SubscriptionState) -> String {
  switch state {
  case .pending: "…"
  case .active: "on"
  case .paused: "paused"
  case .reconnecting: "off"
  case .finished(let reason): reason == .completed ? "over" : "failed"
  }
}

/// A variable of a query that an app makes up of parts.
public struct NamedVariable {
  public let name: String
  public let value: GraphQLOperationVariableValue

  public init(_ name: String, _ value: GraphQLOperationVariableValue) {
    self.name = name
    self.value = value
  }
}

/// A setting that the user chooses.
public func policy(isOffline: Bool) -> CachePolicy_v1 { isOffline ? .returnCacheDataDontFetch : .default }

@available(*, deprecated, message: "Names that the compiler warns of, with what to write.")
public func explain(_ error: Error) -> String {
  if let error = error as? WebSocket.WSError { return "\(error.code): \(error.message)" }
  if let error = error as? WebSocketError, error.kind == .serializedMessageError { return "not written" }
  return error.localizedDescription
}

@available(*, deprecated, message: "Names that the compiler warns of, with what to write.")
public func listen(to socket: WebSocket, _ log: @escaping ([String: String]) -> Void) {
  socket.onHttpResponseHeaders = { headers in log(headers) }
}

/// Keeps no response of the server's in the system's cache.
public final nonisolated class UncachedClient: URLSessionClient {
  override public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }
}
