public import Apollo
import ForeignText
public import Foundation

/// Why an operation over a WebSocket ended, or why there is no connection.
public struct WebSocketError: ApolloError {
  /// What went wrong.
  public enum ErrorKind: Hashable, Sendable {
    /// The server refused or stopped the operation; see ``WebSocketError/graphQLErrors``. If there are no such errors,
    /// it gave no reason, or it refused the connection; see ``WebSocketError/payload``.
    case errorResponse
    /// The network failed; see ``WebSocketError/error``.
    case networkError
    /// The server's certificate is not trusted, or the server asks for a client certificate and was given none.
    case secureConnection(reason: String)
    /// The server answered the handshake with an HTTP status instead of 101.
    case upgradeError(code: Int)
    /// The server's answer to the handshake breaks the rules of the WebSocket protocol. The text says how.
    case invalidHandshake(String)
    /// The server chose a protocol that was not offered, or none.
    case subprotocolMismatch(chosen: String?)
    /// The connection was closed by the server, or by this client because of what the server did.
    case closed(code: WebSocketCloseCode, reason: String)
    /// The server did not answer in time.
    case timeout
    /// The server sent something that is not a message of the protocol. The text says why.
    case unprocessedMessage(String)
    /// The server sent a result without a payload.
    case neitherErrorNorPayloadReceived
    /// The app did not take results as fast as they came; see `RequestConfiguration.ResultBuffering`.
    case tooManyResults(limit: Int)
    /// The results that the app did not take have more bytes than ``WebSocketLimits/waitingBytes``.
    case tooManyResultBytes(limit: Int)
    /// The server did not read what it was sent, and more than ``WebSocketLimits/unreadBytes`` waited.
    case tooManyUnreadBytes(limit: Int)
    /// The closure that computes the connection payload failed; see ``WebSocketError/error``.
    case connectingPayload
    /// The authenticator failed; see ``WebSocketError/error``.
    case credentials
    /// The app closed or paused the connection, or replaced it by another one.
    case closedByClient
    /// An `OperationMessageIdCreator` made an identifier that another running operation has.
    case duplicateOperationID(String)
    /// The connection failed as often as the configuration allows. ``WebSocketError/error`` is the last failure.
    case retriesExhausted(attempts: Int)
    /// The address or the configuration cannot be used. The text says why.
    case unsupportedURL(String)
    @available(*, deprecated, message: "It never comes: what cannot be written is an error of the request.")
    case serializedMessageError
  }

  /// What went wrong.
  public let kind: ErrorKind
  /// The errors that the server sent; empty if there are none.
  public let graphQLErrors: [GraphQLError]
  /// The payload of the server's `connection_error`; nil for other errors.
  public let payload: JSONObject?
  /// The error behind this one; nil if there is none.
  public let error: (any Error)?
  /// The address of the server, as the connection was opened with it; nil for an error that has nothing to do with a server.
  public internal(set) var url: URL?
  /// How long the server had, where it did not answer in time; nil for other errors.
  public internal(set) var limit: Duration?

  /// Makes an error, for an engine of an app.
  ///
  /// - Parameters:
  ///   - kind: What went wrong.
  ///   - graphQLErrors: The errors that the server sent. The default is none.
  ///   - payload: The payload of the server's `connection_error`. nil, the default: none.
  ///   - error: The error behind this one. nil, the default: none.
  public init(
    _ kind: ErrorKind, graphQLErrors: [GraphQLError] = [], payload: JSONObject? = nil, error: (any Error)? = nil
  ) {
    self.kind = kind
    self.graphQLErrors = graphQLErrors
    self.payload = payload
    self.error = error
  }

  /// Makes an error of what an engine, or code of the app, threw.
  static func wrap(_ error: any Error, as kind: ErrorKind = .networkError) -> WebSocketError {
    error as? WebSocketError ?? WebSocketError(kind, error: error)
  }

  static func closed(_ code: WebSocketCloseCode, _ reason: String = "") -> WebSocketError {
    WebSocketError(.closed(code: code, reason: reason))
  }

  /// The error behind this one; nil if there is none.
  public var cause: (any Error)? { error ?? (kind == .timeout ? URLError(.timedOut) : nil) }

  /// The HTTP status with which the server answered the handshake; nil if there was none.
  public var httpStatus: Int? {
    if case .upgradeError(let status) = kind { return status }
    return (error as? WebSocketError)?.httpStatus
  }

  /// The kind of this error; it depends on ``kind``.
  public var code: ApolloErrorCode {
    switch kind {
    case .errorResponse: .operationRefused
    case .networkError, .secureConnection, .closed, .timeout, .tooManyUnreadBytes: .network
    case .upgradeError: .httpStatus
    case .invalidHandshake, .subprotocolMismatch, .unprocessedMessage, .neitherErrorNorPayloadReceived: .invalidResponse
    case .connectingPayload where natureOfLoss == .network, .credentials where natureOfLoss == .network: .network
    case .connectingPayload: .invalidRequest
    case .credentials: .credentials
    case .closedByClient: .cancelled
    case .retriesExhausted: .retriesExhausted
    case .unsupportedURL, .duplicateOperationID: .configuration
    default: .other
    }
  }

  /// A time of waiting that is over.
  static func timeout(after limit: Duration?) -> WebSocketError {
    var error = WebSocketError(.timeout)
    error.limit = limit
    return error
  }

  /// The error, which says where the server is.
  func at(_ url: URL?) -> WebSocketError {
    var error = self
    error.url = self.url ?? url
    return error
  }

  /// One sentence that says what went wrong, and where.
  public var message: String {
    guard let url, saysPlace, text.hasSuffix(".") else { return text }
    return "\(text.dropLast()) (\(url.placeDescription))."
  }

  /// Whether the address may be the reason.
  private var saysPlace: Bool {
    switch kind {
    case .upgradeError, .invalidHandshake, .subprotocolMismatch, .secureConnection, .timeout, .networkError: true
    default: false
    }
  }

  private var text: String {
    switch kind {
    case .errorResponse: "The server refused: \(refusal.shownOnOneLine)."
    case .networkError: "The connection failed: \(reason.hasSuffix(".") ? reason : reason + ".")"
    case .secureConnection(let reason): "There is no secure connection: \(reason)."
    case .upgradeError(let status): "The server answered the WebSocket handshake with HTTP status \(status)."
    case .invalidHandshake(let why): "The server's answer to the WebSocket handshake is not valid: \(why)."
    case .subprotocolMismatch(let chosen):
      chosen.map { "The server chose the subprotocol '\($0.shownOnOneLine)', which was not offered." }
        ?? "The server chose none of the subprotocols that were offered."
    case .closed(let code, let reason):
      "The connection was closed: \(code)\(reason.isEmpty ? "" : ", \(reason.shownOnOneLine)")."
    case .timeout: "The server did not answer in time\(limit.map { ": the limit is \($0 / .seconds(1)) s" } ?? "")."
    case .unprocessedMessage(let why): "The server sent a message that cannot be understood: \(why.shownOnOneLine)."
    case .neitherErrorNorPayloadReceived: "The server sent a result without a payload."
    case .tooManyResults(let limit):
      "More than \(limit) results wait for the app to take them. Take them faster, or choose another 'buffering'."
    case .tooManyResultBytes(let limit):
      "More than \(limit) bytes of results wait for the app to take them. Take them faster, or raise "
        + "'limits.waitingBytes'."
    case .tooManyUnreadBytes(let limit):
      "The server does not read: more than \(limit) bytes wait to be sent. If it is only slow, raise "
        + "'limits.unreadBytes'."
    case .connectingPayload: "There is no payload for the connection: \(reason)"
    case .credentials: "There are no credentials for the connection: \(reason)"
    case .closedByClient: "The app closed the connection."
    case .duplicateOperationID(let id): "There is an operation '\(id)' already: each needs an id of its own."
    case .retriesExhausted(let attempts):
      "The connection failed \(attempts) times in a row, the last time so: \(reason)"
    case .unsupportedURL(let why): why
    default: "A message could not be written."
    }
  }

  private var reason: String { error.map { "\($0)" } ?? "unknown reason" }

  private var refusal: String {
    if !graphQLErrors.isEmpty { return graphQLErrors.map(\.description).joined(separator: "; ") }
    if let message = payload?["message"] as? String { return message }
    // AWS AppSync gives its reason as a list of errors.
    let reasons = (payload?["errors"] as? [JSONValue])?.compactMap { ($0 as? JSONObject)?["message"] as? String } ?? []
    return reasons.isEmpty ? "it gave no reason" : reasons.joined(separator: "; ")
  }
}
