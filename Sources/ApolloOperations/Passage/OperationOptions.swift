import ApolloAPI
import ApolloCache

/// What other parts of this ask of an operation, besides what an app can configure.
struct OperationOptions: Sendable {
  /// Whether the server is asked only for data that is missing in the cache or too old: see
  /// ``CachePolicy/Query/CacheAndNetwork/revalidateCache``.
  var revalidatesCache = false
  /// Whether the cache policy was named for the operation. Only then does a subscription begin with what the cache has.
  var hasOwnCachePolicy = false
  /// Whether a part of the data is a result that another one follows, whatever the cache policy.
  var deliversPartFirst = false
  /// Whether a result is written to the cache although one of its errors has no path, without its nulls then.
  var writesUncertainResults = true
  /// What a mutation does in the cache besides being stored; nil for other operations.
  var effects: MutationEffects?
  /// Whether the caller shows the guess of the mutation, and takes it back.
  var showsNoGuess = false
  /// Whether it fails where the server would be asked, because there is no network.
  var failsForServer = false
  /// Whether header fields or an address were given for this operation alone.
  var hasOwnRoute = false
  /// The header fields of its configuration that were given for all operations of the client.
  var sharedHeaders: [String: String] = [:]
  /// Tells what happens to it; nil: nothing listens.
  var trace: OperationTrace?
  /// Whether it is told already what happens now.
  var isTold = false
  /// Takes the answer before it is written to the cache, for a caller that writes it later.
  var answer: UnwrittenAnswer?
  /// Takes what reads the cache if the server does not answer; nil: it is not read then.
  var standIn: StandInReading?
  /// Whether the cache is read for it because the server does not answer.
  var isStandIn = false
  /// Counts how often it is sent; nil: nothing needs to know.
  var sendingCount: SendingCount?

  init() {}

  /// Whether the cache is read for an operation, if its cache policy says so.
  ///
  /// - Parameter type: The type of the operation.
  /// - Returns: Whether it is.
  func mayReadCache(for type: GraphQLOperationType) -> Bool {
    switch type {
    case .query: true
    case .subscription: hasOwnCachePolicy
    case .mutation: false
    }
  }
}

/// How often an operation was sent, for a caller that must know whether a server can have got it.
package final class SendingCount: Sendable {
  private let state = Locked((count: 0, isMade: false))

  package init() {}

  /// How often a server can have got it, as far as that is counted. A transport of an app that makes results itself
  /// does not count: then only the error says whether it was sent.
  package var value: Int { state.withLock { $0.count } }

  /// Whether a request is known to have been made, so that what fails later is not the making of the first one. Where
  /// a transport of bytes, or one of an app, makes the request itself, it is not known.
  package var isMade: Bool { state.withLock { $0.isMade } }

  /// Notes that a request is sent now.
  ///
  /// - Parameter mayRepeat: Whether what sends it may send it once more by itself.
  package func add(mayRepeat: Bool) {
    state.withLock { state in
      state.count += mayRepeat ? 2 : 1
      state.isMade = true
    }
  }

  /// Notes that a transport gets it now that makes the request itself.
  ///
  /// - Parameter mayRepeat: Whether the transport may send it once more by itself.
  package func handOver(mayRepeat: Bool) { state.withLock { $0.count += mayRepeat ? 2 : 1 } }
}

/// An answer of a server that is not in the cache yet.
final class UnwrittenAnswer: Sendable {
  private struct State {
    var bytes: ResponseBytes?
    var records: OperationPipeline.Records?
    weak var store: ApolloStore?
  }

  private let state = Locked(State())

  init() {}

  /// The whole response; nil if the transport gives no bytes.
  var bytes: ResponseBytes? { state.withLock { $0.bytes } }

  /// Takes the bytes of a response, before they are read.
  func take(_ bytes: ResponseBytes) { state.withLock { $0 = State(bytes: bytes) } }

  /// Takes what was read from the bytes, by the rules of a store.
  func take(_ records: OperationPipeline.Records?, for store: ApolloStore?) {
    state.withLock { state in (state.records, state.store) = (records, store) }
  }

  /// Gives the objects to the caller that writes them, once; nil if they were read by the rules of another store, or
  /// are written on the way.
  func takeRecords(for store: ApolloStore) -> OperationPipeline.Records? {
    state.withLock { state in state.store === store ? state.records.take() : nil }
  }
}
