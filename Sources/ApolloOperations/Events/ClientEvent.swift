public import ApolloTransport
public import ApolloCache
public import ApolloAPI
public import Foundation

/// Something that has happened in a client: to an operation, on its way to the server, in the cache, on a WebSocket, or to a
/// mutation of the outbox.
///
///     for await event in client.events {
///       if case .responseReceived(let response) = event.kind { histogram.record(response.duration) }
///     }
///
/// Errors are those that the caller gets. Their messages may have values of the user; their codes have none.
///
/// An operation begins with ``Kind-swift.enum/operationStarted(_:)`` and is over with ``Kind-swift.enum/operationEnded(_:)``.
/// Later releases may add kinds, so a `switch` needs a `default`.
public struct ClientEvent: Sendable {
  /// The date, by the clock of the client.
  public let date: Date
  /// The time by which durations are measured, by the clock of the client.
  public let instant: ContinuousClock.Instant
  /// The operation that it happened to. nil for what happens to a socket, to the cache, or to a mutation that waits.
  public let operation: Operation?
  /// What has happened.
  public let kind: Kind

  /// One call of an operation.
  public struct Operation: Hashable, Sendable {
    /// Identifies the call among all of its client.
    public let id: Int
    /// The name of the operation.
    public let name: String
    /// Whether it is a query, a mutation or a subscription.
    public let type: GraphQLOperationType
  }

  /// What the events of a listener have besides. By default they have nothing of it, since it may be secret.
  public struct Details: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The values of an operation's variables.
    public static let variables = Details(rawValue: 1)
    /// The header fields of requests and responses.
    public static let headerFields = Details(rawValue: 2)
    /// The bodies of requests and responses.
    public static let bodies = Details(rawValue: 4)
  }

  /// What has happened.
  public enum Kind: Sendable {
    // The operation.

    /// An operation begins.
    case operationStarted(Start)
    /// The caller has a result, of which there may be more.
    case result(Result)
    /// An operation is over.
    case operationEnded(End)

    // On its way to the server.

    /// It is sent: a request over HTTP, or a message over a WebSocket.
    case requestSent(Request)
    /// A response has come, or a part of one.
    case responseReceived(Response)
    /// A try has failed: there was no response, or none that can be read. Another try may follow.
    case tryFailed(any Error)
    /// It is tried again, after a wait.
    case retried(Retry)

    // The cache.

    /// The cache was asked for an operation.
    case cacheRead(CacheRead)
    /// An operation's result was written to the cache; with
    /// ``RequestConfiguration/writesToCacheAsynchronously``, it is going to be.
    case cacheWritten(CacheWrite)
    /// Something in the cache is different: by a result, a transaction, a guess, a removal.
    case cacheChanged(CacheChange)

    // What the client does by itself.

    /// The state of a WebSocket.
    case socket(Socket)
    /// The state of a mutation in the outbox.
    case outbox(OutboxEntry)
  }
}

extension ClientEvent {
  /// How an operation begins.
  public struct Start: Sendable {
    /// Where its data may come from.
    public let cachePolicy: CachePolicy
    /// The values of its variables. nil unless ``Details/variables`` are asked for.
    public var variables: JSONObject? { json.map { Self.object($0) } }
    let json: Data?

    private static func object(_ json: Data) -> JSONObject {
      (try? ResponseReader.jsonValue(ResponseBytes(json)) as? JSONObject) ?? [:]
    }
  }

  /// A result of an operation.
  public struct Result: Sendable {
    /// Whether it comes from the cache, and not from the server.
    public let isFromCache: Bool
    /// The errors of the server that are in the result.
    public let errors: [GraphQLError]
    /// The fields with `@required(action: LOG)` that are null, as errors with their paths.
    public let nullRequiredFields: [GraphQLError]
    /// How many bytes the response had; 0 for a result of the cache.
    public let byteCount: Int
    /// Whether the server has promised more parts.
    public let hasNext: Bool
  }

  /// How an operation ended.
  public enum End: Sendable {
    /// It had its last result.
    case finished
    /// It failed.
    case failed(any Error)
    /// It was cancelled before its last result.
    case cancelled
  }

  /// A request.
  public struct Request: Sendable {
    /// The number of the try, from 1.
    public let attempt: Int
    /// The address, without what may be secret in it; for a transport without one, the name of its type.
    public let address: String
    /// The header fields, as far as they are known before the request is made. nil unless ``Details/headerFields`` are asked
    /// for.
    public let headerFields: [String: String]?
    /// The body as JSON. nil unless ``Details/bodies`` are asked for, and if the operation is sent in another form.
    public let body: Data?
    /// The names of the header fields that an authenticator gave.
    var credentialNames: Set<String> = []
  }

  /// A response.
  public struct Response: Sendable {
    /// The status of HTTP; nil over a transport that has none.
    public let status: Int?
    /// How many bytes have come; nil if the body comes in parts, each of which is an event of its own.
    public let byteCount: Int?
    /// The time since the request was sent.
    public let duration: Duration
    /// The header fields. nil unless ``Details/headerFields`` are asked for.
    public let headerFields: [String: String]?
    /// What has come. nil unless ``Details/bodies`` are asked for.
    public let body: Data?
  }

  /// Another try.
  public struct Retry: Sendable {
    /// The number of the retry, from 1.
    public let number: Int
    /// How long it waits before.
    public let delay: Duration
  }

  /// A read of the cache.
  public struct CacheRead: Sendable {
    /// What the cache had.
    public enum Outcome: Hashable, Sendable {
      /// All of the data.
      case hit
      /// All of the data, of which some is older than it may be.
      case stale
      /// A part of the data, which the caller gets.
      case partial
      /// Not all of the data, so the caller gets nothing.
      case miss
    }

    /// What the cache had.
    public let outcome: Outcome
    /// Where the first value would be that is missing or too old: the names of fields and positions in lists, such as
    /// `hero.friends.0.name`. nil if none is missing, or it is not known.
    public let missing: String?
    /// How long it took.
    public let duration: Duration
  }

  /// A write to the cache.
  public struct CacheWrite: Sendable {
    /// How long it took.
    public let duration: Duration
    /// What a backend threw; nil if it did not throw.
    public let error: (any Error)?
  }

  /// A change of the cache.
  public struct CacheChange: Sendable {
    /// How many fields are new, have another value, or are gone.
    public let fieldCount: Int
    /// Which fields. nil unless ``Details/variables`` are asked for, because the keys of fields have values of variables.
    public let change: ApolloStore.Change?
  }

  /// The state of a WebSocket.
  public struct Socket: Sendable {
    /// The state of a WebSocket.
    public enum State: Sendable {
      /// The server has acknowledged the connection.
      case connected
      /// The server has acknowledged a connection after one that was lost.
      case reconnected
      /// The connection is gone. The error says why; nil if it was closed in order.
      case disconnected((any Error)?)
    }

    /// The address, without what may be secret in it.
    public let address: String
    /// The state.
    public let state: State

    package init(address: String, state: State) {
      self.address = address
      self.state = state
    }
  }

  /// The state of a mutation in the outbox.
  public struct OutboxEntry: Sendable {
    /// The state of a mutation.
    public enum State: Sendable {
      /// It waits for others.
      case queued
      /// It waits for a network.
      case waitingForNetwork
      /// It waits for its next try.
      case waiting(until: Date)
      /// It is sent.
      case sending(attempt: Int)
      /// It was answered, and the answer is in the cache.
      case succeeded
      /// It was given up.
      case failed(any Error)
      /// It was cancelled.
      case cancelled
    }

    /// Identifies the mutation in the outbox.
    public let id: UUID
    /// The name of the operation.
    public let operationName: String
    /// The state.
    public let state: State

    package init(id: UUID, operationName: String, state: State) {
      self.id = id
      self.operationName = operationName
      self.state = state
    }
  }
}
