import Apollo
import Foundation

// What to do after the loss of a connection.

extension WebSocketError: PassingError {
  /// Whether the operation may be sent again with success: the app has closed the connection, or had no credentials for it.
  /// What a server closes for may pass, but for what it says of the message itself.
  package var passes: Bool? {
    switch kind {
    case .closedByClient, .credentials, .connectingPayload: true
    case .retriesExhausted: error.map { $0.isPassing || $0.isNetworkFailure } ?? nil
    case .closed: natureOfLoss != nil || isRefusalOfCredentials || isOrderlyClose ? nil : false
    default: nil
    }
  }
}

extension WebSocketError {
  /// Whether the network or the server caused the loss; nil if another attempt would fail in an equal way.
  var natureOfLoss: ReconnectionPolicy.Nature? {
    switch kind {
    case .networkError, .timeout: .network
    case .closed(.abnormalClosure, _), .closed(.terminated, _): .network
    case .closed(let code, _): code.isRetryable ? .server : nil
    case .upgradeError(let status): [408, 425, 429, 500, 502, 503, 504].contains(status) ? .server : nil
    case .credentials, .connectingPayload: error.map(Self.isOfNetwork) ?? false ? .network : nil
    default: nil
    }
  }

  /// True if the server closed the connection, and neither the server nor the network failed.
  var isOrderlyClose: Bool {
    switch kind {
    case .closed(.normalClosure, _), .closed(.noStatusReceived, _): true
    default: false
    }
  }

  /// True if the server does not accept the credentials, so that other credentials may help.
  var isRefusalOfCredentials: Bool {
    switch kind {
    case .closed(let code, _): code.isRefusalOfCredentials
    case .upgradeError(let status): status == 401 || status == 403
    // The server's `connection_error` has its reason as free text; refused credentials are the usual one.
    case .errorResponse: graphQLErrors.isEmpty
    default: false
    }
  }

  /// Whether an error that the app's code threw is one of the network, which may also have broken the connection.
  private static func isOfNetwork(_ error: any Error) -> Bool {
    error is URLError || (error as? any ApolloError)?.code == .network
  }
}
