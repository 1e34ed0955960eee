import ApolloAPI
public import Foundation

/// A redirect that turned a `POST` into a `GET` without a body, as status 301, 302 and 303 do (RFC 9110, section 15.4).
/// The server that the redirect leads to did not get the operation.
package struct BodylessRedirect: Sendable {
  let from: URL
  let to: URL

  package init(from: URL, to: URL) {
    self.from = from
    self.to = to
  }

  /// The outcome of an operation that was redirected in this way. A failure names the redirect.
  func explaining<Data>(_ outcome: Result<GraphQLResult<Data>, any Error>) -> Result<GraphQLResult<Data>, any Error> {
    switch outcome {
    case .failure(let error): return .failure(explaining(error))
    case .success(let result):
      guard result.data == nil, let error = result.errors?.first else { return outcome }
      return .failure(explaining(error))
    }
  }

  func explaining(_ error: any Error) -> any Error {
    error is NetworkFetchInterceptor.RedirectError || error is CancellationError
      ? error : NetworkFetchInterceptor.RedirectError(from: from, to: to, failure: error)
  }
}

extension NetworkFetchInterceptor {
  /// An operation failed after a redirect on which it was lost: the `POST` became a `GET` without a body.
  public struct RedirectError: ApolloError {
    /// Where the operation was sent.
    public let from: URL
    /// Where the redirect led.
    public let to: URL
    let failure: any Error

    /// What failed at the address that the redirect led to.
    public var cause: (any Error)? { failure }

    /// The kind of the error behind this one, or ``ApolloErrorCode/operationRefused``.
    public var code: ApolloErrorCode { (failure as? any ApolloError)?.code ?? .operationRefused }
    /// The status of the HTTP response; nil if it is not known.
    public var httpStatus: Int? { (failure as? any ApolloError)?.httpStatus }
    /// The name of the operation that failed; nil if it is not known.
    public var operationName: String? { (failure as? any ApolloError)?.operationName }

    /// One sentence that says what went wrong.
    public var message: String {
      let reason = (failure as? any ApolloError)?.message ?? "\(failure)"
      return "\(reason) (The operation was lost in a redirect from \(from.placeDescription) to \(to.placeDescription), "
        + "which turned the POST into a GET without a body. Send operations to where it leads, or let the server redirect "
        + "with status 307 or 308.)"
    }
  }
}
