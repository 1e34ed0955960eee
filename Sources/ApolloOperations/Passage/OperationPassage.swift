public import ApolloTransport
public import ApolloAPI
package import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// An operation on its way through its steps: what was asked for, and what the steps have found out so far.
///
/// An operation over HTTP is an ``HTTPRequest``, which has an address and header fields as well. What goes over another
/// transport, such as a WebSocket, has no more than this.
open class OperationPassage<Operation: GraphQLOperation>: @unchecked Sendable {
  // Steps have it one after the other, never two at once. So Swift need not look for accesses at the same time, which
  // would take longer than the accesses.

  /// Where the data may come from.
  @exclusivity(unchecked) open var cachePolicy: CachePolicy
  /// Identifies the writer, because a watcher is not told of its own writes. nil: none.
  public let contextIdentifier: UUID?
  /// The value that the app passed with the operation, for its interceptors. nil: none.
  public let context: (any RequestContext)?
  /// What is different for this operation. An interceptor may change it, for example the timeout. Header fields and
  /// address of an operation over HTTP are changed in the ``HTTPRequest`` instead.
  public var requestConfiguration: RequestConfiguration {
    // Yielded in place, because copying its ten members takes longer than most uses of one of them.
    _read {
      takeContext()
      yield configuration
    }
    _modify {
      takeContext()
      yield &configuration
    }
  }
  /// What other parts of this package ask of it.
  @exclusivity(unchecked) final var options = OperationOptions()
  /// Set by the client. What an app makes takes it from its context.
  @exclusivity(unchecked) private var configuration = RequestConfiguration()
  @exclusivity(unchecked) private var knowsContext = false

  /// The cache that is read, and that the result is written to. Its rules make the keys of objects.
  @exclusivity(unchecked) package final var store: ApolloStore?
  /// When the operation was asked for.
  @exclusivity(unchecked) package final var asked = StoreEpoch.current
  /// What holds for all operations of the client; nil in a chain that an app runs itself.
  @exclusivity(unchecked) final var policies: ExchangePolicies?
  /// The response with the errors by which the server has ended a subscription; nil: it has not.
  @exclusivity(unchecked) package final var endResponse: OperationResponse<Operation>?
  /// Where the state of a subscription is shown; nil: nowhere.
  @exclusivity(unchecked) final var status: SubscriptionStatus?
  /// Whether the server is asked from now on, as the cache alone does not answer it.
  @exclusivity(unchecked) private(set) var isSending = false
  /// Whether it waits for a server from now on, and nothing yet ends that when the user signs out.
  @exclusivity(unchecked) private(set) var mustBeTracked = false
  /// Whether it is in a task that a sign-out ends.
  @exclusivity(unchecked) package private(set) final var isTracked = false
  /// How the steps ended that ran in a task which a sign-out ends. (It is here, because making a place for it would look up
  /// its type at run time.)
  @exclusivity(unchecked) final var trackedEnding = ChainEnding<Operation>.stopped
  /// Its place in the order of sending, from when it is clear that the cache alone does not answer it.
  @exclusivity(unchecked) private(set) var ticket: SendingTicket?
  /// The passage that code of the app goes on with in place of this one; nil: with this one.
  @exclusivity(unchecked) private final var successor: OperationPassage?
  /// When it was sent last, by ``date``.
  @exclusivity(unchecked) final var sentAt: Date?
  /// Whether the caller has a result of the cache that the server's follows. It is not delivered once more when the
  /// operation starts again.
  @exclusivity(unchecked) package final var hasResultOfCache = false
  /// Set before the operation starts again with other credentials, or with the document in place of its hash. Such a
  /// start does not count as a retry, and does not wait.
  @exclusivity(unchecked) package final var nextStartIsUncounted = false
  /// A response with errors that is written when the caller gets it, and the position of the step that writes it; nil if
  /// there is none.
  @exclusivity(unchecked) final var heldWrite: (step: Int, response: OperationResponse<Operation>)?
  /// Whether the source of the chain has given a response.
  @exclusivity(unchecked) final var hasResponse = false
  /// What a backend of the cache threw when it was asked for the data.
  @exclusivity(unchecked) final var cacheError: (any Error)?
  /// The transport of bytes that sends it; nil over HTTP.
  @exclusivity(unchecked) private var transportType: Any.Type?
  /// The response that the last failure is about, for errors that do not have it themselves.
  @exclusivity(unchecked) final var failedResponse: HTTPURLResponse?

  // The operation as the last property, because its size depends on the type: so generic code knows the offsets of the
  // others.
  /// The operation that is sent, with its variables.
  @exclusivity(unchecked) open var operation: Operation

  @inline(__always)
  init(
    _ operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) {
    self.operation = operation
    self.cachePolicy = cachePolicy
    self.contextIdentifier = contextIdentifier
    self.context = context
  }

  /// An operation that does not go over HTTP, as far as the client knows.
  convenience init(_ call: OperationCall<Operation>, over transport: any NetworkTransport) {
    self.init(
      call.operation, cachePolicy: call.cachePolicy, contextIdentifier: call.contextIdentifier, context: call.context)
    apply(call)
    transportType = type(of: transport)
  }

  private func takeContext() {
    guard !knowsContext else { return }
    knowsContext = true
    if let context { configuration = RequestConfiguration(context) }
  }

  /// Takes when the operation was asked for, and what is different for it.
  func apply(_ call: OperationCall<Operation>) {
    asked = call.asked
    options = call.options
    apply(call.configuration)
  }

  func apply(_ configuration: RequestConfiguration) {
    self.configuration = configuration
    knowsContext = true
  }

  /// Whether it is an ``HTTPRequest``.
  var isOverHTTP: Bool { false }
  /// The operation, if it goes over HTTP. (Asked for in this way, because a cast to a generic class takes long.)
  package var asHTTP: HTTPRequest<Operation>? { nil }

  /// Where it is sent to, for logs.
  var placeDescription: String { transportType.map { "\($0)" } ?? "" }

  /// An error with what is known of where it came from.
  func described(_ error: any Error) -> any Error { error }

  // MARK: The order of sending

  /// Takes the next place in the order of sending. The event of a subscription counts as sent when it comes.
  package func beginSending() {
    isSending = true
    mustBeTracked = policies != nil && !isTracked
    // (A query whose answer is not written needs no place.)
    let isOrdered = Operation.operationType == .mutation || Operation.operationType == .query && writesCache
    if ticket == nil, isOrdered { take(makeTicket()) }
  }

  /// Notes that it is sent now. A mutation counts as sent from here, and so does each operation that is sent again.
  final func noteSending() {
    if Operation.operationType == .mutation || sentAt != nil { ticket?.renew() }
    sentAt = date
  }

  /// Takes a place in the order of sending. The guess of a mutation may end later than its steps do.
  private func take(_ ticket: SendingTicket?) {
    self.ticket = ticket
    if Operation.operationType == .mutation { options.effects?.hold(ticket) }
  }

  /// Notes that it starts again, or the part of it that a step surrounds. What has ended before had a task of its own.
  ///
  /// - Parameter isTracked: Whether it starts in a task that a sign-out ends.
  package final func beginAgain(isTracked: Bool) {
    endResponse = nil
    // (Until the server is asked, a sign-out has nothing to end.)
    if isSending { setTracked(isTracked) }
  }

  /// Notes whether a sign-out ends it from now on.
  func setTracked(_ isTracked: Bool) {
    self.isTracked = isTracked
    mustBeTracked = policies != nil && !isTracked
  }

  /// Notes that it starts again because of a failure, or because code of the app wants it.
  ///
  /// - Parameter isTracked: Whether it starts in a task that a sign-out ends.
  package final func beginRetry(isTracked: Bool) {
    ticket?.renew()
    beginAgain(isTracked: isTracked)
  }

  /// Gives its place in the order of sending back, when it has its last answer.
  func endSending() {
    ticket = nil
    let successor = successor
    self.successor = nil
    successor?.endSending()
  }

  /// Takes over what the client knows of an operation from the passage that code of the app has replaced with this one: for
  /// which user it was asked for, its cache, and its settings, as far as this one has none of its own.
  package func takePlace(of other: OperationPassage) {
    (asked, options, policies, ticket) = (other.asked, other.options, other.policies, other.ticket)
    (isSending, isTracked, mustBeTracked) = (other.isSending, other.isTracked, other.mustBeTracked)
    store = store ?? other.store
    requestConfiguration.fill(from: other.requestConfiguration)
    (status, hasResultOfCache, cacheError) = (other.status, other.hasResultOfCache, other.cacheError)
    (endResponse, sentAt) = (other.endResponse, other.sentAt)
    other.successor = self
  }

  /// The place in the order of sending for a response that has come.
  var ticketOfResponse: SendingTicket? { ticket ?? makeTicket() }

  private func makeTicket() -> SendingTicket? {
    store?.beginSending(Operation.operationType, asked: asked)
  }

  /// The date: that of the store, because values get it.
  var date: Date { store?.now ?? clock.date }

  /// The clock of the client.
  package var clock: any ClientClock { policies.clock }

  // MARK: What it may do

  /// Whether the server is asked only for data that is missing in the cache or too old.
  package var revalidatesCache: Bool { options.revalidatesCache }

  /// The header fields that were given for this operation alone.
  package var ownHeaders: [String: String] {
    let shared = options.sharedHeaders
    guard !shared.isEmpty else { return requestConfiguration.headers }
    return requestConfiguration.headers.filter { !shared.hasHeader($0.key) }
  }

  /// Notes that a part of a response has come.
  package func notePart(_ response: HTTPURLResponse, _ part: Data) { options.trace?.received(response, part) }

  /// Counts how often it is sent; nil: nothing needs to know.
  package final var sendingCount: SendingCount? { options.sendingCount }

  /// Whether the operation does no harm when it runs twice.
  package var mayRunTwice: Bool { requestConfiguration.isRepeatable ?? (Operation.operationType == .query) }

  /// Whether the cache is read before the server is asked, or instead of asking it.
  var readsCache: Bool { Operation.operationType == .query && cachePolicy.readsCache }

  /// Whether the result is written to the cache.
  package var writesCache: Bool { cachePolicy.writesCache(requestConfiguration) }
}
