/// Why a connection was closed (RFC 6455, section 7.4, and the protocol `graphql-transport-ws`).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let normalClosure = Self(rawValue: 1000)
  public static let goingAway = Self(rawValue: 1001)
  public static let protocolError = Self(rawValue: 1002)
  public static let unsupportedData = Self(rawValue: 1003)
  /// The close frame had no code.
  public static let noStatusReceived = Self(rawValue: 1005)
  /// The connection broke without a close frame.
  public static let abnormalClosure = Self(rawValue: 1006)
  /// Text that is not UTF-8.
  public static let invalidFramePayloadData = Self(rawValue: 1007)
  public static let policyViolation = Self(rawValue: 1008)
  public static let messageTooBig = Self(rawValue: 1009)
  public static let internalServerError = Self(rawValue: 1011)
  public static let serviceRestart = Self(rawValue: 1012)
  public static let tryAgainLater = Self(rawValue: 1013)
  public static let badGateway = Self(rawValue: 1014)

  /// The client got a message that is none of the protocol.
  public static let badResponse = Self(rawValue: 4004)
  public static let internalClientError = Self(rawValue: 4005)
  public static let badRequest = Self(rawValue: 4400)
  public static let unauthorized = Self(rawValue: 4401)
  public static let forbidden = Self(rawValue: 4403)
  public static let subprotocolNotAcceptable = Self(rawValue: 4406)
  public static let connectionInitialisationTimeout = Self(rawValue: 4408)
  public static let subscriberAlreadyExists = Self(rawValue: 4409)
  public static let tooManyInitialisationRequests = Self(rawValue: 4429)
  /// The client gave the connection up because the server showed no sign of life.
  public static let terminated = Self(rawValue: 4499)
  public static let serverError = Self(rawValue: 4500)
  public static let connectionAcknowledgementTimeout = Self(rawValue: 4504)

  /// True if another attempt may succeed.
  ///
  /// Of the codes of the WebSocket protocol those that tell of a server or a network that went away; of the others
  /// all but those that the same client would meet again.
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

  /// True if other credentials may help.
  var isRefusalOfCredentials: Bool { self == .unauthorized || self == .forbidden }
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
