public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is different for one operation: every verb of ``ApolloClient`` takes one, under the name that release 2 of Apollo iOS
/// gave it.
///
///     let result = try await client.fetch(
///       query: HeroQuery(), requestConfiguration: RequestConfiguration(requestTimeout: 5, headers: ["X-Trace": "7"]))
///
/// What is nil, or empty, is as the client is configured. A member wins over what a context says (``RequestContextHeaders``,
/// for instance), and that over ``ApolloClient/defaultRequestConfiguration``. A timeout or a deadline that is negative or not a
/// number, a header field with a line break, and an endpoint that is not an address of HTTP are an ``OperationError`` with
/// ``ApolloErrorCode/invalidRequest``, and nothing is sent.
///
/// A transport of an app's own that has only `send` is given the deadline and the buffering. The other members reach the
/// ``RequestChainNetworkTransport`` or `WebSocketTransport` that it passes the operation on to, if it does so before its `send`
/// returns.
public struct RequestConfiguration: Sendable {
  /// How many seconds a request may wait for an answer, or for the next piece of one; `.infinity` for no limit. Over a
  /// WebSocket, how many seconds a query or a mutation may wait for its result. In release 2 of Apollo iOS as well.
  public var requestTimeout: TimeInterval?
  /// How many seconds the operation may take in all, from the call to the last result, retries included; `.infinity` for no
  /// limit.
  public var deadline: TimeInterval?
  /// Header fields of the request over HTTP, by name. They replace those of the client that have the same names in letters of
  /// any case. An operation over a WebSocket has no header fields.
  public var headers: [String: String]
  /// Where the request over HTTP goes. The credentials of the client's authenticator are sent there, too.
  public var endpointURL: URL?
  /// Members of `extensions` in the body of the request, over HTTP and over a WebSocket. They replace the client's own that
  /// have the same names.
  public var bodyExtensions: JSONObject
  /// True if the operation does no harm when it runs twice: then it may be sent again after a failure. By default that is so
  /// for queries over HTTP, and for the `resentOperations` of a `WebSocketTransport`.
  public var isRepeatable: Bool?
  /// True to send the query only once if an identical one is under way, false to send it in any case. Over HTTP it needs the
  /// interceptors of a ``DefaultInterceptorProvider``.
  public var deduplicates: Bool?
  /// True to send the operation over HTTP in one request with others of the same moment, false to send it by itself. It needs
  /// the interceptors of a ``DefaultInterceptorProvider``; if its options name no ``RequestBatcher``, operations wait for ten
  /// milliseconds and go together by tens.
  public var batches: Bool?
  /// What happens to results that come faster than a sequence (``ApolloClient/subscribe(to:requestConfiguration:context:)``)
  /// is iterated. By default that is up to the transport: a WebSocket has a limit, HTTP has none.
  public var buffering: ResultBuffering?
  /// Called as the body of the request is sent, and as that of the response comes, over HTTP: from any thread, often, and with the
  /// last piece as well. It is not called for operations in batches, nor for a query that shares another one's request. By default
  /// nothing is.
  public var onProgress: (@Sendable (TransferProgress) -> Void)?
  /// False to keep results out of the cache, whatever the cache policy; the cache is read as the policy says. By default they
  /// are written. In release 2 of Apollo iOS as well, where it is not optional.
  public var writeResultsToCache: Bool?

  /// - Parameters:
  ///   - requestTimeout: In seconds; see ``requestTimeout``.
  ///   - writeResultsToCache: See ``writeResultsToCache``.
  ///   - deadline: In seconds; see ``deadline``.
  ///   - headers: See ``headers``.
  ///   - endpointURL: See ``endpointURL``.
  ///   - bodyExtensions: See ``bodyExtensions``.
  ///   - isRepeatable: See ``isRepeatable``.
  ///   - deduplicates: See ``deduplicates``.
  ///   - batches: See ``batches``.
  ///   - buffering: See ``buffering``.
  ///   - onProgress: See ``onProgress``.
  public init(
    requestTimeout: TimeInterval? = nil, writeResultsToCache: Bool? = nil, deadline: TimeInterval? = nil,
    headers: [String: String] = [:], endpointURL: URL? = nil, bodyExtensions: JSONObject = [:],
    isRepeatable: Bool? = nil, deduplicates: Bool? = nil, batches: Bool? = nil, buffering: ResultBuffering? = nil,
    onProgress: (@Sendable (TransferProgress) -> Void)? = nil
  ) {
    self.requestTimeout = requestTimeout
    self.deadline = deadline
    self.headers = headers
    self.endpointURL = endpointURL
    self.bodyExtensions = bodyExtensions
    self.isRepeatable = isRepeatable
    self.deduplicates = deduplicates
    self.batches = batches
    self.buffering = buffering
    self.onProgress = onProgress
    self.writeResultsToCache = writeResultsToCache
  }
}

/// How much of a body has been sent, or has come.
public struct TransferProgress: Hashable, Sendable {
  public enum Direction: Hashable, Sendable {
    /// The body of the request.
    case upload
    /// The body of the response.
    case download
  }

  public let direction: Direction
  /// In bytes.
  public let completed: Int64
  /// In bytes; nil if the server does not say how much will come.
  public let total: Int64?

  /// - Parameter total: In bytes; nil if it is not known.
  public init(_ direction: Direction, completed: Int64, total: Int64?) {
    self.direction = direction
    self.completed = completed
    self.total = total
  }
}

extension RequestConfiguration {
  /// It says nothing.
  var isEmpty: Bool {
    requestTimeout == nil && deadline == nil && headers.isEmpty && endpointURL == nil && bodyExtensions.isEmpty
      && isRepeatable == nil && deduplicates == nil && batches == nil && buffering == nil && onProgress == nil
      && writeResultsToCache == nil
  }

  /// Takes what it does not say itself from another one.
  mutating func fill(from other: RequestConfiguration) {
    requestTimeout = requestTimeout ?? other.requestTimeout
    deadline = deadline ?? other.deadline
    if !other.headers.isEmpty {
      var fields = other.headers
      fields.setHeaders(headers)
      headers = fields
    }
    endpointURL = endpointURL ?? other.endpointURL
    if !other.bodyExtensions.isEmpty { bodyExtensions.merge(other.bodyExtensions) { own, _ in own } }
    isRepeatable = isRepeatable ?? other.isRepeatable
    deduplicates = deduplicates ?? other.deduplicates
    batches = batches ?? other.batches
    buffering = buffering ?? other.buffering
    onProgress = onProgress ?? other.onProgress
    writeResultsToCache = writeResultsToCache ?? other.writeResultsToCache
  }

  /// Why no request can be made with it; nil if one can be made.
  func problem(in operationName: String) -> OperationError? {
    func invalid(_ message: String) -> OperationError {
      OperationError(.invalidRequest, message, operationName: operationName)
    }
    // (A comparison with what is not a number is false.)
    if let requestTimeout, !(requestTimeout >= 0) {
      return invalid("The 'requestTimeout' of its configuration is \(requestTimeout) seconds.")
    }
    if let deadline, !(deadline >= 0) {
      return invalid("The 'deadline' of its configuration is \(deadline) seconds.")
    }
    if let field = headers.first(where: { $0.breaksHeader || $1.breaksHeader }) {
      return .brokenHeader(field.key, operationName: operationName)
    }
    if let endpointURL, !endpointURL.isHTTP {
      return invalid(
        "The 'endpointURL' of its configuration, '\(endpointURL.placeDescription)', is not an address of HTTP with a host."
      )
    }
    return nil
  }
}

extension URL {
  /// Requests can be sent there.
  var isHTTP: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host?.isEmpty == false
  }
}

extension URLRequest {
  /// Checks the address of a request that an app's code may have changed.
  func checked(of operationName: String) throws -> URLRequest {
    guard url?.isHTTP == true else {
      throw OperationError(
        .invalidRequest, "'\(url?.placeDescription ?? "")' is not an address of HTTP with a host.",
        operationName: operationName)
    }
    return self
  }
}

extension OperationError {
  static func brokenHeader(_ name: String, operationName: String) -> OperationError {
    OperationError(
      .invalidRequest, "The header field '\(name)' has a line break or a null character, perhaps at its end.",
      operationName: operationName)
  }
}

extension String {
  /// A header with it would end there, and what follows would be another one (RFC 9110, section 5.5).
  var breaksHeader: Bool {
    func breaks(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d || byte == 0 }
    return utf8.withContiguousStorageIfAvailable { $0.contains(where: breaks) } ?? utf8.contains(where: breaks)
  }
}
