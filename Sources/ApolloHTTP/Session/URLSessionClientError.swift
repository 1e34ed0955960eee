public import ApolloTransport
import ApolloAPI
import ForeignText
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionClient {
  /// The error of each request of a client, or of a `URLSession`, whose configuration is for the background.
  ///
  /// Such a session has tasks of other kinds only, uploads of files and downloads, and its identifier may belong to one
  /// session at a time, while the client makes a session of its own.
  public struct UnsupportedConfiguration: ApolloError {
    /// The identifier of the configuration.
    public let identifier: String

    /// The kind of this error: ``ApolloErrorCode/configuration``.
    public var code: ApolloErrorCode { .configuration }

    /// One sentence that says what to do.
    public var message: String {
      "GraphQL cannot be sent over a URL session for the background ('\(identifier)'): use `.default` or `.ephemeral`."
    }
  }

  /// Why a request failed.
  public enum URLSessionClientError: ApolloError {
    /// The response is not an HTTP response.
    case noHTTPResponse(request: URLRequest?)
    /// The session became invalid, and gave no reason.
    case sessionBecameInvalidWithoutUnderlyingError
    /// Never thrown. A case of Apollo iOS.
    case dataForRequestNotFound(request: URLRequest?)
    /// The request failed. `data` and `response` are what had come before.
    case networkError(data: Data, response: HTTPURLResponse?, underlying: any Error)
    /// The client was invalidated before the request.
    case sessionInvalidated
    @available(
      *, deprecated, message: "Match 'MultipartResponseParsingInterceptor.ParsingError.missingMultipartBoundary'."
    )
    case missingMultipartBoundary
    @available(
      *, deprecated, message: "Match 'MultipartResponseParsingInterceptor.ParsingError', which has more to tell."
    )
    case cannotParseBoundaryData

    /// The kind of this error: ``ApolloErrorCode/cancelled`` or ``ApolloErrorCode/network``.
    public var code: ApolloErrorCode {
      if case .networkError(_, _, let error as URLError) = self, error.code == .cancelled { return .cancelled }
      return .network
    }

    /// The status of the response, if it had begun; otherwise nil.
    public var httpStatus: Int? {
      if case .networkError(_, let response, _) = self { return response?.statusCode }
      return nil
    }

    /// The error of the session; nil for other cases.
    public var cause: (any Error)? {
      if case .networkError(_, _, let error) = self { return error }
      return nil
    }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .noHTTPResponse(let request): "The response is not one of HTTP\(Self.place(request))."
      case .sessionBecameInvalidWithoutUnderlyingError: "The URL session became invalid."
      case .dataForRequestNotFound(let request): "There is no record of the request\(Self.place(request))."
      case .networkError(let data, let response, let error):
        ((error as? URLError)?.explanation ?? "\(error)") + Self.arrived(data, response)
      case .sessionInvalidated: "The URL session was invalidated before the request."
      // (Never thrown: bodies in parts are passed on as they arrive.)
      default: "The response in parts cannot be taken apart."
      }
    }

    /// Whether the connection was lost before anything came.
    var isLossBeforeResponse: Bool {
      guard case .networkError(_, nil, let error as URLError) = self else { return false }
      return error.code == .networkConnectionLost
    }

    private static func place(_ request: URLRequest?) -> String {
      request?.url.map { " (\($0.placeDescription))" } ?? ""
    }

    /// A sentence about what had come before the connection failed.
    private static func arrived(_ data: Data, _ response: HTTPURLResponse?) -> String {
      guard let response else { return "" }
      let excerpt = data.excerpt
      return " HTTP status \(response.statusCode) and \(data.count) bytes had come"
        + (excerpt.isEmpty ? "." : ": \(excerpt)")
    }
  }
}
