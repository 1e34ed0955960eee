import ApolloHTTP
public import ApolloOperations
public import ApolloTransport
public import Foundation

extension Outbox {
  /// What holds for one mutation of an outbox. It is kept with the mutation.
  public struct Policy: Sendable, Codable, Hashable {
    /// What happens to the mutations behind one that was given up.
    public enum FailureAction: String, Sendable, Codable, CaseIterable {
      /// The next mutation of the scope is sent.
      case dropAndContinue
      /// They wait until the mutation is tried again or dismissed.
      case pauseScope
      /// They are given up as well.
      case dropScope
    }

    /// What happens to the mutations behind this one in its scope if it is given up. The default is
    /// ``FailureAction/dropAndContinue``. In any case the mutation stays readable: see ``Outbox/failed``.
    public var onFailure: FailureAction
    /// How often it is tried to send the mutation. Tries that fail because of the network do not count, unless a deadline or
    /// a timeout has passed. nil, the default: as often as it takes.
    public var maximumAttempts: Int?
    /// For how many seconds the mutation is of use. It is given up if it was not sent within them. nil, the default: there
    /// is not a limit.
    public var expiresAfter: TimeInterval?
    /// Header fields of the request. They are kept on disk, so they are not a place for credentials: those come from the
    /// client's authenticator. The default is none.
    public var headers: [String: String]

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - onFailure: What happens to the mutations of the scope if this one is given up.
    ///   - maximumAttempts: How often it is tried to send the mutation. nil: as often as it takes.
    ///   - expiresAfter: For how many seconds the mutation is of use. nil: there is no limit.
    ///   - headers: Header fields of the request. The default is none.
    public init(
      onFailure: FailureAction = .dropAndContinue, maximumAttempts: Int? = nil, expiresAfter: TimeInterval? = nil,
      headers: [String: String] = [:]
    ) {
      self.onFailure = onFailure
      self.maximumAttempts = maximumAttempts
      self.expiresAfter = expiresAfter
      self.headers = headers
    }
  }

  /// The settings of a client's outbox.
  public struct Configuration: Sendable {
    /// Where mutations are kept. The default is in memory: they end with the process.
    public var storage: any Storage
    /// What an app says of its mutations, for those that an earlier launch has enqueued. The default is nothing.
    public var registry: Registry
    /// Which failures are tried again, and after which delays. The default: what no server has answered is tried again
    /// without end, after one second, two, four and so on, up to five minutes.
    public var retry: MaxRetryInterceptor.Configuration
    /// How many mutations are sent at the same time at most, each of another scope. The default is 4.
    public var maximumConcurrentScopes: Int
    /// How many seconds one try may take. The default is 60. It does not hold for a mutation with files, and where the
    /// client's configuration has a `deadline`, that one holds for all mutations.
    public var deadline: TimeInterval
    /// Whose mutations the client enqueues and sends at first, such as the id of an account: any text. On disk it is a hash.
    /// nil, the default: mutations without an owner. See ``Outbox/setOwner(_:_:)``.
    public var owner: String?
    /// Called when the storage fails, on any thread. What could not be loaded or written is tried again. It is called as
    /// well when a guess or an update needs what the cache cannot read for now. nil, the default: nothing is called. A
    /// call of `enqueue` throws in any case.
    public var onStorageFailure: (@Sendable (any Swift.Error) -> Void)?

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - storage: Where mutations are kept. The default is in memory.
    ///   - registry: What the app says of its mutations.
    ///   - retry: Which failures are tried again, and after which delays.
    ///   - maximumConcurrentScopes: How many mutations are sent at the same time at most.
    ///   - deadline: How many seconds one try may take that sends no files.
    ///   - owner: Whose mutations the client enqueues and sends at first. nil, the default: those without an owner.
    ///   - onStorageFailure: Called when the storage fails. nil, the default: nothing is called.
    public init(
      storage: any Storage = InMemoryStorage(), registry: Registry = Registry(),
      retry: MaxRetryInterceptor.Configuration = .queuedMutations, maximumConcurrentScopes: Int = 4,
      deadline: TimeInterval = 60, owner: String? = nil,
      onStorageFailure: (@Sendable (any Swift.Error) -> Void)? = nil
    ) {
      self.storage = storage
      self.registry = registry
      self.retry = retry
      self.maximumConcurrentScopes = maximumConcurrentScopes
      self.deadline = deadline
      self.owner = owner
      self.onStorageFailure = onStorageFailure
    }
  }
}

extension MaxRetryInterceptor.Configuration {
  /// Without end, after one second, two, four and so on, up to five minutes, for what no server has answered: see
  /// ``MaxRetryInterceptor/RetryRule/queuedMutations``.
  public static let queuedMutations = MaxRetryInterceptor.Configuration(
    maxRetries: .max, baseDelay: 1, multiplier: 2, maxDelay: 300, enableExponentialBackoff: true, enableJitter: true,
    retryRule: .queuedMutations)
}

extension MaxRetryInterceptor.RetryRule {
  /// Failures after which it makes sense to send a mutation again that the server can recognize by its key.
  ///
  /// Such failures are failures of the network; the statuses 408, 425, 429 and those from 500 on; a body that is not JSON,
  /// or a redirect to another origin that is not allowed, with which a network answers that wants a sign-in first; errors
  /// of the client's authenticator; and, in an outbox, a request that cannot be made because the disk is full, or because
  /// a file cannot be read for now. (A file that cannot be read for longer than a day is not waited for.) Elsewhere it is
  /// not known whether the request was made, and failures of the disk are not tried again.
  public static let queuedMutations = MaxRetryInterceptor.RetryRule { failure in
    if let status = failure.httpStatus, passes(status) { return true }
    if (failure.error as? any ApolloError)?.code == .credentials || failure.error.isPassing { return true }
    if !failure.isSent, DiskFailure(failure.error) != nil { return true }
    // What is redirected elsewhere has not come to the GraphQL server.
    if (failure.error as? NetworkFetchInterceptor.RedirectError)?.reason == .notAllowed { return true }
    if case JSONResponseParsingInterceptor.JSONResponseParsingError.couldNotParseToJSON = failure.error { return true }
    return failure.isNetworkFailure
  }

  /// Whether a server that answers with a status may answer otherwise later.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - isRepeated: Whether the server may have got the mutation before. Then 409 may say that it is still doing it.
  /// - Returns: Whether the mutation is tried again.
  static func passes(_ status: Int, isRepeated: Bool = false) -> Bool {
    [408, 425, 429].contains(status) || status >= 500 || isRepeated && status == 409
  }
}

extension ApolloErrorCode {
  /// A queued mutation is of an operation that the app no longer has.
  public static let unknownOperation = Self("unknownOperation")
  /// A queued mutation names a temporary id for which there is no id of the server.
  public static let unknownID = Self("unknownID")
  /// A queued mutation was not sent as long as it was of use.
  public static let expired = Self("expired")
  /// Another mutation of the scope was given up, and this one with it.
  public static let scopeDropped = Self("scopeDropped")
  /// Something could not be kept on disk.
  public static let storage = Self("storage")
}
