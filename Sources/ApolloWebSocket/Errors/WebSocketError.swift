public import Apollo

/// Why an operation over a WebSocket ended, or why there is no connection.
public struct WebSocketError: ApolloError {
  public enum ErrorKind: Hashable, Sendable {
    /// The server refused the operation, or stopped it; see ``WebSocketError/graphQLErrors``.
    case errorResponse
    /// The network failed; see ``WebSocketError/error``.
    case networkError
    /// The server answered the handshake with an HTTP status instead of 101.
    case upgradeError(code: Int)
    /// The server chose a protocol that was not offered, or none.
    case subprotocolMismatch(chosen: String?)
    /// The connection was closed by the server, or by this client because of what the server did.
    case closed(code: WebSocketCloseCode, reason: String)
    /// The server did not answer in time.
    case timeout
    /// The server sent something that is no message of the protocol.
    case unprocessedMessage(String)
    /// The server sent a result without a payload.
    case neitherErrorNorPayloadReceived
    /// What computes the connection payload threw; see ``WebSocketError/error``.
    case connectingPayload
    /// The app closed or paused the connection, or replaced it by another one.
    case closedByClient
    /// The connection failed as often as the configuration allows; see ``WebSocketError/error`` for the last time.
    case retriesExhausted(attempts: Int)
    /// The address cannot be used; the text says why.
    case unsupportedURL(String)
  }

  public let kind: ErrorKind
  /// The errors that the server sent.
  public let graphQLErrors: [GraphQLError]
  /// The payload of a server's `connection_error`.
  public let payload: JSONObject?
  /// The error behind this one.
  public let error: (any Error)?

  public init(
    _ kind: ErrorKind, graphQLErrors: [GraphQLError] = [], payload: JSONObject? = nil, error: (any Error)? = nil
  ) {
    self.kind = kind
    self.graphQLErrors = graphQLErrors
    self.payload = payload
    self.error = error
  }

  /// Takes what an engine threw.
  static func wrap(_ error: any Error) -> WebSocketError {
    error as? WebSocketError ?? WebSocketError(.networkError, error: error)
  }

  static func closed(_ code: WebSocketCloseCode, _ reason: String = "") -> WebSocketError {
    WebSocketError(.closed(code: code, reason: reason))
  }

  public var cause: (any Error)? { error }

  public var httpStatus: Int? {
    if case .upgradeError(let status) = kind { return status }
    return (error as? WebSocketError)?.httpStatus
  }

  public var code: ApolloErrorCode {
    switch kind {
    case .errorResponse: .operationRefused
    case .networkError, .closed, .timeout: .network
    case .upgradeError: .httpStatus
    case .subprotocolMismatch, .unprocessedMessage, .neitherErrorNorPayloadReceived: .invalidResponse
    case .connectingPayload: .invalidRequest
    case .closedByClient: .cancelled
    case .retriesExhausted: .retriesExhausted
    case .unsupportedURL: .configuration
    }
  }

  public var message: String {
    switch kind {
    case .errorResponse: "The server refused: \(refusal)."
    case .networkError: "The connection failed: \(error.map { "\($0)" } ?? "unknown reason")"
    case .upgradeError(let status): "The server answered the WebSocket handshake with HTTP status \(status)."
    case .subprotocolMismatch(let chosen):
      chosen.map { "The server chose the subprotocol '\($0)', which was not offered." }
        ?? "The server chose none of the subprotocols that were offered."
    case .closed(let code, let reason): "The connection was closed: \(code)\(reason.isEmpty ? "" : ", \(reason)")."
    case .timeout: "The server did not answer in time."
    case .unprocessedMessage(let why): "The server sent a message that cannot be understood: \(why)."
    case .neitherErrorNorPayloadReceived: "The server sent a result without a payload."
    case .connectingPayload:
      "There is no payload for the connection: \(error.map { "\($0)" } ?? "unknown reason")"
    case .closedByClient: "The app closed the connection."
    case .retriesExhausted(let attempts):
      "The connection failed \(attempts) times in a row, the last time so: \(error.map { "\($0)" } ?? "")"
    case .unsupportedURL(let why): why
    }
  }

  private var refusal: String {
    if !graphQLErrors.isEmpty { return graphQLErrors.map(\.description).joined(separator: "; ") }
    return payload?["message"] as? String ?? "it gave no reason"
  }

  /// True if another attempt to connect may succeed.
  var isRetryable: Bool {
    switch kind {
    case .networkError, .timeout: true
    case .closed(let code, _): code.isRetryable
    case .upgradeError(let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }
}

extension WebSocketCloseCode: CustomStringConvertible {
  /// The code and, where it has one, its meaning.
  public var description: String { Self.meanings[self].map { "\(rawValue) (\($0))" } ?? "\(rawValue)" }

  private static let meanings: [Self: String] = [
    .normalClosure: "normal closure", .goingAway: "going away", .protocolError: "protocol error",
    .unsupportedData: "unsupported data", .noStatusReceived: "no reason given",
    .abnormalClosure: "the connection broke", .invalidFramePayloadData: "text that is not UTF-8",
    .policyViolation: "policy violation", .messageTooBig: "message too big",
    .internalServerError: "internal server error", .serviceRestart: "service restart",
    .tryAgainLater: "try again later", .badGateway: "bad gateway", .badResponse: "bad response",
    .internalClientError: "internal client error", .badRequest: "bad request", .unauthorized: "unauthorized",
    .forbidden: "forbidden", .subprotocolNotAcceptable: "subprotocol not acceptable",
    .connectionInitialisationTimeout: "no connection_init in time",
    .subscriberAlreadyExists: "the subscriber already exists",
    .tooManyInitialisationRequests: "too many connection_init", .terminated: "no sign of life from the server",
    .serverError: "internal server error", .connectionAcknowledgementTimeout: "no connection_ack in time",
  ]
}
