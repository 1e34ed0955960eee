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
  // would take longer than the accesses. (While a step still has what was cancelled, the end of the operation
  // leaves it as it is. And where code of the app surrounds a part of the chain, the steps behind that part have a result
  // while the part goes on, and may begin anew. So what they read is not written once more then.)

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
  /// Where the state of a subscription is shown; nil: nowhere.
  @exclusivity(unchecked) final var status: SubscriptionStatus?
  /// Whether the server is asked from now on, as the cache alone does not answer it.
  @exclusivity(unchecked) private(set) var isSending = false
  /// Whether it waits for a server from now on, and nothing yet ends that when the user signs out.
  @exclusivity(unchecked) private(set) var mustBeTracked = false
  /// Set before the operation starts again with other credentials, or with the document in place of its hash. Such a
  /// start does not count as a retry, and does not wait.
  @exclusivity(unchecked) package final var nextStartIsUncounted = false
  /// A response with errors that is written when the caller gets it, and the position of the step that writes it; nil if
  /// there is none.
  @exclusivity(unchecked) final var heldWrite: (step: Int, response: OperationResponse<Operation>)?
  /// Whether the source of the chain has given a response.
  @exclusivity(unchecked) final var hasResponse = false
  /// The transport of bytes that sends it; nil over HTTP.
  @exclusivity(unchecked) private var transportType: Any.Type?

  /// The first passage of the operation, if code of the app has gone on with this one in its place; nil: this is the
  /// first. What becomes known on the way is there. So it is the same for all of them, whichever the code goes on with.
  @exclusivity(unchecked) private final var first: OperationPassage?
  @exclusivity(unchecked) private final var ownTicket: SendingTicket?
  @exclusivity(unchecked) private final var ownSentAt: Date?
  @exclusivity(unchecked) private final var ownHasResultOfCache = false
  @exclusivity(unchecked) private final var ownCacheError: (any Error)?
  @exclusivity(unchecked) private final var ownEndResponse: OperationResponse<Operation>?
  @exclusivity(unchecked) private final var ownFailedResponse: HTTPURLResponse?

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

  // MARK: What becomes known on the way

  // (Two branches, and not a property with the passage that has it: that would be retained for each access.)

  /// Its place in the order of sending, from when it is clear that the cache alone does not answer it.
  private(set) final var ticket: SendingTicket? {
    get { if let first { first.ownTicket } else { ownTicket } }
    set { if let first { first.ownTicket = newValue } else { ownTicket = newValue } }
  }
  /// When it was sent last, by ``date``.
  private(set) final var sentAt: Date? {
    get { if let first { first.ownSentAt } else { ownSentAt } }
    set { if let first { first.ownSentAt = newValue } else { ownSentAt = newValue } }
  }
  /// Whether the caller has a result of the cache that the server's follows. It is not delivered once more when the
  /// operation starts again.
  package final var hasResultOfCache: Bool {
    get { if let first { first.ownHasResultOfCache } else { ownHasResultOfCache } }
    set { if let first { first.ownHasResultOfCache = newValue } else { ownHasResultOfCache = newValue } }
  }
  /// What a backend of the cache threw when it was asked for the data.
  final var cacheError: (any Error)? {
    get { if let first { first.ownCacheError } else { ownCacheError } }
    set { if let first { first.ownCacheError = newValue } else { ownCacheError = newValue } }
  }
  /// The response with the errors by which the server has ended a subscription; nil: it has not.
  package final var endResponse: OperationResponse<Operation>? {
    get { if let first { first.ownEndResponse } else { ownEndResponse } }
    set { if let first { first.ownEndResponse = newValue } else { ownEndResponse = newValue } }
  }
  /// The response that the last failure since the start is about, for errors that do not have it themselves.
  final var failedResponse: HTTPURLResponse? {
    get { if let first { first.ownFailedResponse } else { ownFailedResponse } }
    set { if let first { first.ownFailedResponse = newValue } else { ownFailedResponse = newValue } }
  }

  // MARK: The order of sending

  /// Takes the next place in the order of sending. The event of a subscription counts as sent when it comes.
  package func beginSending() {
    // (Not once more: the steps behind a surrounded part may read it.)
    if !isSending { (isSending, mustBeTracked) = (true, policies != nil) }
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

  /// Whether it waits for a server from now on, so that a sign-out must end it. (Until the server is asked, a sign-out has
  /// nothing to end.)
  final var waitsForServer: Bool { isSending && policies != nil }

  /// Notes that it starts again, or the part of it that a step surrounds.
  package final func beginAgain() { (endResponse, failedResponse) = (nil, nil) }

  /// Notes that a sign-out ends it from now on.
  final func beginTracking() {
    // (Not once more: the steps behind a surrounded part may read it.)
    if mustBeTracked { mustBeTracked = false }
  }

  /// Notes that it starts again because of a failure, or because code of the app wants it.
  package final func beginRetry() {
    ticket?.renew()
    beginAgain()
  }

  /// Gives its place in the order of sending back, when it has its last answer.
  func endSending() { ticket = nil }

  /// Goes on in place of a passage that code of the app was called with.
  ///
  /// What the client knows of the operation holds for this one too: for which user it was asked for, how far it is,
  /// its cache, and its settings, as far as this one has none of its own. The code may do so several times, and go back
  /// to a former passage.
  package func takePlace(of other: OperationPassage) {
    (asked, options, policies, status) = (other.asked, other.options, other.policies, other.status)
    (isSending, mustBeTracked) = (other.isSending, other.mustBeTracked)
    store = store ?? other.store
    requestConfiguration.fill(from: other.requestConfiguration)
    let known = other.first ?? other
    if known !== (first ?? self) { first = known }
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

  /// What the configuration says about the transfer over HTTP. (It is read here: another module would copy the whole
  /// configuration for each member.)
  package final var transfer:
    (
      onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)?, batches: Bool?, deduplicates: Bool?
    )
  {
    takeContext()
    return (configuration.onProgress, configuration.batches, configuration.deduplicates)
  }

  /// Whether the operation does no harm when it runs twice.
  package var mayRunTwice: Bool { requestConfiguration.isRepeatable ?? (Operation.operationType == .query) }

  /// Whether the cache is read before the server is asked, or instead of asking it.
  package var readsCache: Bool { options.mayReadCache(for: Operation.operationType) && cachePolicy.readsCache }

  /// Whether the result is written to the cache.
  package var writesCache: Bool { cachePolicy.writesCache(requestConfiguration) }
}
