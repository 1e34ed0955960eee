import Apollo
import Foundation

// What follows from the loss of a connection.

extension WebSocketError {
  /// Whose fault the loss is; nil if another attempt would end in the same way.
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

  /// True if the server closed the connection, and neither it nor the network had trouble.
  var isOrderlyClose: Bool {
    switch kind {
    case .closed(.normalClosure, _), .closed(.noStatusReceived, _): true
    default: false
    }
  }

  /// True if the server does not take the credentials, so that others may help.
  var isRefusalOfCredentials: Bool {
    switch kind {
    case .closed(let code, _): code.isRefusalOfCredentials
    case .upgradeError(let status): status == 401 || status == 403
    // The server's `connection_error`: its reason is free text, and credentials are the usual one.
    case .errorResponse: graphQLErrors.isEmpty
    default: false
    }
  }

  /// What asks a server for a token may meet the same bad network as the connection.
  private static func isOfNetwork(_ error: any Error) -> Bool {
    error is URLError || (error as? any ApolloError)?.code == .network
  }
}
