/// Why a connection was closed: the codes of RFC 6455, section 7.4, and of the protocol `graphql-transport-ws`.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  /// The number of the code.
  public let rawValue: UInt16

  /// Makes a code of a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The connection has served its purpose.
  public static let normalClosure = Self(rawValue: 1000)
  /// The server or the client goes away.
  public static let goingAway = Self(rawValue: 1001)
  /// The WebSocket protocol was violated.
  public static let protocolError = Self(rawValue: 1002)
  /// The type of a message is not supported.
  public static let unsupportedData = Self(rawValue: 1003)
  /// The close frame had no code.
  public static let noStatusReceived = Self(rawValue: 1005)
  /// The connection broke without a close frame.
  public static let abnormalClosure = Self(rawValue: 1006)
  /// A text message is not UTF-8.
  public static let invalidFramePayloadData = Self(rawValue: 1007)
  /// A message violates a policy.
  public static let policyViolation = Self(rawValue: 1008)
  /// A message is too large.
  public static let messageTooBig = Self(rawValue: 1009)
  /// The server failed.
  public static let internalServerError = Self(rawValue: 1011)
  /// The server restarts.
  public static let serviceRestart = Self(rawValue: 1012)
  /// The server is overloaded.
  public static let tryAgainLater = Self(rawValue: 1013)
  /// A gateway was given an invalid response.
  public static let badGateway = Self(rawValue: 1014)

  /// The client was sent something that is not a message of the protocol.
  public static let badResponse = Self(rawValue: 4004)
  /// The client failed.
  public static let internalClientError = Self(rawValue: 4005)
  /// The server was sent something that is not a message of the protocol.
  public static let badRequest = Self(rawValue: 4400)
  /// The server was sent an operation before it acknowledged the connection, or does not accept the credentials.
  public static let unauthorized = Self(rawValue: 4401)
  /// The server does not accept the credentials or the connection payload.
  public static let forbidden = Self(rawValue: 4403)
  /// The server does not support the offered protocol.
  public static let subprotocolNotAcceptable = Self(rawValue: 4406)
  /// The server was not sent `connection_init` in time.
  public static let connectionInitialisationTimeout = Self(rawValue: 4408)
  /// The server was sent an operation with the identifier of a running one.
  public static let subscriberAlreadyExists = Self(rawValue: 4409)
  /// The server was sent `connection_init` twice.
  public static let tooManyInitialisationRequests = Self(rawValue: 4429)
  /// The client gave up the connection because the server did not answer a ping.
  public static let terminated = Self(rawValue: 4499)
  /// The server failed.
  public static let serverError = Self(rawValue: 4500)
  /// The client was not sent `connection_ack` in time.
  public static let connectionAcknowledgementTimeout = Self(rawValue: 4504)

  /// Whether another attempt may succeed.
  ///
  /// Of the codes of the WebSocket protocol, these are the codes for a server or a network that went away. Of the codes
  /// from 3000, these are all that this client would not cause again.
  public var isRetryable: Bool {
    switch self {
    case .normalClosure, .goingAway, .noStatusReceived, .abnormalClosure, .serviceRestart, .tryAgainLater, .badGateway:
      true
    case .badResponse, .internalClientError, .badRequest, .unauthorized, .forbidden, .subprotocolNotAcceptable,
      .subscriberAlreadyExists, .tooManyInitialisationRequests, .serverError:
      false
    default: rawValue >= 3000
    }
  }

  /// Whether other credentials may help.
  var isRefusalOfCredentials: Bool { self == .unauthorized || self == .forbidden }
}

extension WebSocketCloseCode: CustomStringConvertible {
  /// The number, and its meaning if it has one.
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
