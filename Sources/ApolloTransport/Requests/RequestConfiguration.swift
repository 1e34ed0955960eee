public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// What is different for one operation: timeouts, header fields and so on. Every function of ``ApolloClient`` that
/// sends an operation takes one. It has the name that Apollo iOS 2 gave it.
///
///     let result = try await client.fetch(
///       query: HeroQuery(), requestConfiguration: RequestConfiguration(requestTimeout: 5, headers: ["X-Trace": "7"]))
///
/// A member that is nil or empty changes nothing. A member takes precedence over the operation's context (such as
/// ``RequestContextHeaders``), and the context over ``ApolloClient/defaultRequestConfiguration``. A timeout or deadline
/// that is negative or not a number, a header field with a line break, and an endpoint that is not an HTTP address fail
/// the operation with ``ApolloErrorCode/invalidRequest``; nothing is sent.
///
/// For a transport of the app that implements only `send`, the client handles the deadline and the buffering. The other
/// members reach the ``RequestChainNetworkTransport`` or `WebSocketTransport` that it passes the operation to, if it
/// does so before its `send` returns.
public struct RequestConfiguration: Sendable {
  /// How many seconds a request may wait for an answer, or for the next piece of one. Over a WebSocket: how many
  /// seconds a query or a mutation may wait for its result. `.infinity` means no limit; nil means the timeout of the
  /// session or connection.
  public var requestTimeout: TimeInterval?
  /// How many seconds the operation may take in all, from the call to the last result, including retries. `.infinity`
  /// means no limit; nil means the client's deadline.
  public var deadline: TimeInterval?
  /// Header fields of the request over HTTP, by name. They replace the client's header fields with equal names, and those
  /// of its authenticator, compared without regard to case. `Accept` is the client's, which has to read the response.
  /// Over a WebSocket, whose connection is open already, those of one operation are an error, and those of all operations
  /// (``ApolloClient/defaultRequestConfiguration``) have no effect.
  public var headers: [String: String]
  /// The address that the request over HTTP is sent to. The credentials of the client's authenticator are sent there only
  /// if it is one of the client's own origins; see ``OriginPolicy``. Over a WebSocket it is an error, as ``headers`` are.
  /// nil: the client's address.
  public var endpointURL: URL?
  /// Members of `extensions` in the body of the request, over HTTP and over a WebSocket. They replace the client's
  /// members with equal names.
  public var bodyExtensions: JSONObject
  /// Whether the operation does no harm when it runs twice, so that it may be sent again after a failure. nil: true for
  /// queries over HTTP, and for the `resentOperations` of a `WebSocketTransport`.
  public var isRepeatable: Bool?
  /// True to share the response of an identical query that is under way, false to send the query in any case. nil: as
  /// the client is configured. Over HTTP it needs the interceptors of a ``DefaultInterceptorProvider``, and a query with
  /// ``onProgress`` is sent in any case.
  public var deduplicates: Bool?
  /// True to send the operation over HTTP in one request with others that start at about that moment, false to send it
  /// by itself. nil: as the client is configured. It needs the interceptors of a ``DefaultInterceptorProvider``. If the
  /// options of that provider name no ``RequestChainNetworkTransport/RequestBatcher``, operations wait for ten
  /// milliseconds and are sent in groups of at most ten.
  public var batches: Bool?
  /// What happens to results that come faster than a sequence
  /// (``ApolloClient/subscribe(to:requestConfiguration:context:)``) is iterated. nil: the transport decides. A
  /// WebSocket has a limit, HTTP has none.
  public var buffering: RequestConfiguration.ResultBuffering?
  /// Called as the body of the request is sent and as the body of the response arrives, over HTTP. It is called often,
  /// from any thread, and with the last piece as well. For an operation in a batch, it is called with the bytes of the
  /// whole batch. A query that has it shares no request with another query. nil: nothing is called.
  public var onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)?
  /// False to keep results out of the cache, whatever the cache policy. The cache is still read as the policy says.
  /// nil: results are written. Apollo iOS 2 has this member, too; there it is not optional. Apollo Kotlin calls false
  /// `doNotStore`; see ``doNotStore`` for the difference.
  public var writeResultsToCache: Bool?
  /// True to keep results in the cache only as long as they are read, as after a server's
  /// `Cache-Control: no-store`: watchers of the data are told of them, no later operation reads them, the next collection
  /// (`ApolloStore.collectGarbage(maxStale:)`) removes what is not watched, and no backend ever has them. An earlier
  /// value of such a field is removed from the backend. With `writeResultsToCache: false` nothing of the result is in
  /// the cache at all, and watchers of others are not told. nil: results are stored as the server and the schema allow.
  public var doNotStore: Bool?
  /// True to keep results in memory and never in a backend of the cache, for data that must not be on a disk. Operations
  /// and watchers read them like all others until the process ends. An earlier value of such a field is removed from the
  /// backend. A `max-age` of the server is not followed for them, unless it is 0; the ages of the schema, the operation
  /// and the app are. With ``doNotStore`` it has no effect. The cache is read as the policy says, with its backend. nil:
  /// results are written to the backend, too.
  public var memoryOnly: Bool?
  /// True to deliver results before they are in the cache: the caller does not wait for the writes that were asked for
  /// before, nor for a backend. The cache has them soon after that, in the order of the results; what a backend throws
  /// then is in no result. An operation with a `contextIdentifier`, and so each request of a watcher, is written first all
  /// the same, and so is a mutation with a guess or an `update`. nil: results are in the cache when they are delivered. Apollo Kotlin calls it `writeToCacheAsynchronously`.
  public var writesToCacheAsynchronously: Bool?
  /// What happens to values of the cache that are older than they may be. nil: they are as good as missing, except where
  /// ``CachePolicy/Query/SingleResponse/networkFirst`` falls back to the cache. Apollo iOS 3 has announced this member.
  public var ttlEnforcement: TTLEnforcement?
  /// How many seconds longer than it may be used a value of the cache is given nevertheless. It has no effect with
  /// `ttlEnforcement: .permissive`, which gives values of any age. nil: no second longer.
  public var maxStale: TimeInterval?
  /// True for data of which the cache has only a part: what is missing is nil where it may be null, and an error at its
  /// path says so. What may not be null makes the nearest object or list nil that may. A query with one result gets a
  /// part only if the server is not asked or does not answer. A watcher, and a query with up to two results, gets the
  /// part first and the whole after it. nil: data of which a part is missing is as good as missing.
  public var returnsPartialData: Bool?
  /// After how many seconds a watcher sends its query again, and again after that. Each wait is up to a tenth shorter or
  /// longer. Nothing is sent while a request of the watcher is under way, while the app is in the background, and while a
  /// sequence of results is not iterated. It has no effect on other operations. nil: never.
  public var pollInterval: TimeInterval? {
    get { rare?.members.pollInterval }
    set { setRare { $0.pollInterval = newValue } }
  }
  /// After which events a watcher sends its query again; see ``ApolloClient/post(_:)``. It has no effect on other
  /// operations. nil: after none.
  public var refetchesOn: RefetchCondition? {
    get { rare?.members.refetchesOn }
    set { setRare { $0.refetchesOn = newValue } }
  }
  /// True to fail at once while it is known that there is no network, and not after a timeout. What the cache has is
  /// given as the policy says. The error has the code ``ApolloErrorCode/network``. What is known comes from the client's
  /// ``ApolloClient/Configuration/networkMonitor``, by default a ``SystemNetworkMonitor``, and from what became of earlier
  /// requests. nil: each request is tried. Apollo Kotlin calls it `failFastIfOffline`.
  public var failsFastWhenOffline: Bool? {
    get { rare?.members.failsFastWhenOffline }
    set { setRare { $0.failsFastWhenOffline = newValue } }
  }
  /// True for a query that waits for the network: what fails because of the network is sent again when there is one, until
  /// it is answered, cancelled, or its deadline has passed. It has no effect on mutations, which have
  /// ``ApolloClient/enqueue(_:optimisticData:optimisticUpdate:update:files:scope:policy:localID:idMapping:refetchQueries:)``, nor
  /// on ``CachePolicy/Query/SingleResponse/networkFirst``. nil: such a failure ends the query.
  public var waitsForNetwork: Bool? {
    get { rare?.members.waitsForNetwork }
    set { setRare { $0.waitsForNetwork = newValue } }
  }
  /// What becomes of a result that has errors of fields. The default is ``ErrorPolicy/inherited``; without any other, a
  /// result has its data and its errors.
  public var errorPolicy: ErrorPolicy {
    get { rare?.members.errorPolicy ?? .inherited }
    set { setRare { $0.errorPolicy = newValue } }
  }
  /// What the server is to do with the error of a field that may not be null: a member of the request's body, over every
  /// transport. Set it only for a server that says that it supports it, with the capability `graphql.onError`: others may
  /// refuse the request. nil: nothing is sent, and the server decides.
  public var onError: ErrorBehavior? {
    get { rare?.members.onError }
    set { setRare { $0.onError = newValue } }
  }
  /// What few operations have; nil if none of it is set. A configuration is copied often.
  private var rare: Rare?

  /// Makes a configuration. Arguments that are left out change nothing.
  ///
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
  ///   - ttlEnforcement: See ``ttlEnforcement``.
  ///   - maxStale: In seconds; see ``maxStale``.
  ///   - returnsPartialData: See ``returnsPartialData``.
  ///   - doNotStore: See ``doNotStore``.
  ///   - memoryOnly: See ``memoryOnly``.
  ///   - writesToCacheAsynchronously: See ``writesToCacheAsynchronously``.
  ///   - pollInterval: In seconds; see ``pollInterval``.
  ///   - refetchesOn: See ``refetchesOn``.
  ///   - failsFastWhenOffline: See ``failsFastWhenOffline``.
  ///   - waitsForNetwork: See ``waitsForNetwork``.
  ///   - errorPolicy: See ``errorPolicy``.
  ///   - onError: See ``onError``.
  public init(
    requestTimeout: TimeInterval? = nil, writeResultsToCache: Bool? = nil, deadline: TimeInterval? = nil,
    headers: [String: String] = [:], endpointURL: URL? = nil, bodyExtensions: JSONObject = [:],
    isRepeatable: Bool? = nil, deduplicates: Bool? = nil, batches: Bool? = nil,
    buffering: RequestConfiguration.ResultBuffering? = nil,
    onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)? = nil,
    ttlEnforcement: TTLEnforcement? = nil, maxStale: TimeInterval? = nil, returnsPartialData: Bool? = nil,
    doNotStore: Bool? = nil, memoryOnly: Bool? = nil, writesToCacheAsynchronously: Bool? = nil,
    pollInterval: TimeInterval? = nil, refetchesOn: RefetchCondition? = nil,
    failsFastWhenOffline: Bool? = nil,
    waitsForNetwork: Bool? = nil, errorPolicy: ErrorPolicy = .inherited, onError: ErrorBehavior? = nil
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
    self.ttlEnforcement = ttlEnforcement
    self.maxStale = maxStale
    self.returnsPartialData = returnsPartialData
    self.doNotStore = doNotStore
    self.memoryOnly = memoryOnly
    self.writesToCacheAsynchronously = writesToCacheAsynchronously
    let hasRare =
      pollInterval != nil || refetchesOn != nil || failsFastWhenOffline != nil || waitsForNetwork != nil
      || errorPolicy != .inherited || onError != nil
    // (Set once, for both cases: where only one of them sets it, the compiler copies the whole value.)
    rare =
      hasRare
      ? Rare(
        RareMembers(
          pollInterval: pollInterval, refetchesOn: refetchesOn, failsFastWhenOffline: failsFastWhenOffline,
          waitsForNetwork: waitsForNetwork, errorPolicy: errorPolicy, onError: onError)) : nil
  }
}

extension RequestConfiguration {
  /// The members that few operations have.
  private struct RareMembers: Sendable {
    var pollInterval: TimeInterval?
    var refetchesOn: RefetchCondition?
    var failsFastWhenOffline: Bool?
    var waitsForNetwork: Bool?
    var errorPolicy = ErrorPolicy.inherited
    var onError: ErrorBehavior?
  }

  private final class Rare: Sendable {
    let members: RareMembers

    init(_ members: RareMembers) { self.members = members }
  }

  private mutating func setRare(_ body: (inout RareMembers) -> Void) {
    var members = rare?.members ?? RareMembers()
    body(&members)
    rare = Rare(members)
  }

  /// No member says anything.
  private var isEmpty: Bool {
    requestTimeout == nil && deadline == nil && headers.isEmpty && endpointURL == nil && bodyExtensions.isEmpty
      && isRepeatable == nil && deduplicates == nil && batches == nil && buffering == nil && onProgress == nil
      && writeResultsToCache == nil && ttlEnforcement == nil && maxStale == nil
      && returnsPartialData == nil && doNotStore == nil && memoryOnly == nil
      && writesToCacheAsynchronously == nil && rare == nil
  }

  /// Takes the members that are not set from another configuration.
  ///
  /// - Returns: Whether the other one says anything.
  @discardableResult package mutating func fill(from other: RequestConfiguration) -> Bool {
    guard !other.isEmpty else { return false }
    take(other)
    return true
  }

  // (In a function of its own, whose frame most operations do not need.)
  @inline(never) private mutating func take(_ other: RequestConfiguration) {
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
    ttlEnforcement = ttlEnforcement ?? other.ttlEnforcement
    maxStale = maxStale ?? other.maxStale
    returnsPartialData = returnsPartialData ?? other.returnsPartialData
    doNotStore = doNotStore ?? other.doNotStore
    memoryOnly = memoryOnly ?? other.memoryOnly
    writesToCacheAsynchronously = writesToCacheAsynchronously ?? other.writesToCacheAsynchronously
    if other.rare != nil {
      pollInterval = pollInterval ?? other.pollInterval
      refetchesOn = refetchesOn ?? other.refetchesOn
      failsFastWhenOffline = failsFastWhenOffline ?? other.failsFastWhenOffline
      waitsForNetwork = waitsForNetwork ?? other.waitsForNetwork
      if errorPolicy == .inherited { errorPolicy = other.errorPolicy }
      onError = onError ?? other.onError
    }
  }

  /// How long values may be too old and are used nevertheless.
  ///
  /// - Parameter enforcement: What happens to values that are too old, if the configuration does not say it.
  /// - Returns: The limit for a read.
  package func staleLimit(default enforcement: TTLEnforcement = .strict) -> StaleLimit {
    let given: TTLEnforcement? = maxStale == nil ? nil : .strict
    return StaleLimit(ttlEnforcement ?? given ?? enforcement, maxStale: maxStale)
  }

  /// Why no request can be made with this configuration; nil if one can be made.
  package func problem(in operationName: String) -> OperationError? {
    func invalid(_ message: String) -> OperationError {
      OperationError(.invalidRequest, message, operationName: operationName)
    }
    // Written this way because every comparison with NaN is false.
    if let requestTimeout, !(requestTimeout >= 0) {
      return invalid("The 'requestTimeout' of its configuration is \(requestTimeout) seconds.")
    }
    if let deadline, !(deadline >= 0) {
      return invalid("The 'deadline' of its configuration is \(deadline) seconds.")
    }
    if let maxStale, !(maxStale >= 0) {
      return invalid("The 'maxStale' of its configuration is \(maxStale) seconds.")
    }
    if let pollInterval, !(pollInterval > 0) {
      return invalid("The 'pollInterval' of its configuration is \(pollInterval) seconds.")
    }
    if let problem = headers.brokenField(operationName: operationName) { return problem }
    if let endpointURL, !endpointURL.isHTTP {
      return invalid(
        "The 'endpointURL' of its configuration, '\(endpointURL.placeDescription)', is not an address of HTTP with a host."
      )
    }
    return nil
  }
}

extension URL {
  /// Whether it is an HTTP address with a host.
  fileprivate var isHTTP: Bool {
    switch scheme {
    case "https", "http": break
    default: guard ["https", "http"].contains(scheme?.lowercased()) else { return false }
    }
    return host?.isEmpty == false
  }
}

extension URLRequest {
  /// Checks the address of a request that an app's code may have changed.
  package func checked(of operationName: String) throws -> URLRequest {
    guard url?.isHTTP == true else {
      throw OperationError(
        .invalidRequest, "'\(url?.placeDescription ?? "")' is not an address of HTTP with a host.",
        operationName: operationName)
    }
    return self
  }
}

extension [String: String] {
  /// The error for a header field whose name or value would be read as several fields; nil if there is none.
  package func brokenField(operationName: String) -> OperationError? {
    for (name, value) in self where name.breaksHeader || value.breaksHeader {
      return OperationError(
        .invalidRequest, "The header field '\(name)' has a line break or a null character, perhaps at its end.",
        operationName: operationName)
    }
    return nil
  }
}

extension String {
  /// Whether it contains a byte that ends a header field, so that the rest would be read as another field (RFC 9110,
  /// section 5.5).
  fileprivate var breaksHeader: Bool {
    // Each byte is looked at, which lets the compiler compare many of them at once.
    func breaks(_ bytes: some Sequence<UInt8>) -> Bool {
      var count = 0 as UInt8
      for byte in bytes { count |= byte == 0x0a || byte == 0x0d || byte == 0 ? 1 : 0 }
      return count > 0
    }
    return utf8.withContiguousStorageIfAvailable { breaks($0) } ?? breaks(utf8)
  }
}
