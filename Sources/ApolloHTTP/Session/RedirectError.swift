public import ApolloTransport
import ApolloAPI
public import Foundation

extension NetworkFetchInterceptor {
  /// A server redirects an operation, and the client does not follow the redirect.
  public struct RedirectError: ApolloError {
    /// Why a redirect is not followed.
    public enum Reason: Hashable, Sendable {
      /// It leads to another origin, or from `https` to `http`: see ``OriginPolicy``.
      case notAllowed
      /// The status 301, 302 or 303 turns a `POST` into a `GET` without a body (RFC 9110, section 15.4), so the server
      /// would not get the operation.
      case lostOperation
    }

    /// Where the operation was sent.
    public let from: URL
    /// Where the redirect leads.
    public let to: URL
    /// Why it is not followed.
    public let reason: Reason
    private let status: Int?

    package init(from: URL, to: URL, status: Int?, _ reason: Reason) {
      self.from = from
      self.to = to
      self.status = status
      self.reason = reason
    }

    /// The kind of this error: ``ApolloErrorCode/httpStatus``.
    public var code: ApolloErrorCode { .httpStatus }
    /// The status of the redirect; nil if it is not known.
    public var httpStatus: Int? { status }

    /// One sentence that says what went wrong, and what to do.
    public var message: String {
      let places = "from \(from.placeDescription) to \(to.placeDescription)"
      switch reason {
      case .lostOperation:
        return "The operation was lost in a redirect \(places), which turns the POST into a GET without a body. Send "
          + "operations to where it leads, or let the server redirect with status 307 or 308."
      case .notAllowed:
        return
          "The server redirects \(places), which is \(difference), so nothing was sent there. If that is right, send "
          + "operations to that address, or allow it in the origins of the client: "
          + "OriginPolicy(allowed: [URL(string: \"\(to.originDescription)\")!])."
      }
    }

    private var difference: String {
      from.scheme?.lowercased() == "https" && to.scheme?.lowercased() == "http"
        ? "not encrypted" : "another origin"
    }
  }
}

extension URL {
  /// Scheme, host and port, as in an address.
  fileprivate var originDescription: String {
    var parts = URLComponents()
    parts.scheme = scheme
    parts.host = host
    parts.port = port
    return parts.string ?? placeDescription
  }
}
