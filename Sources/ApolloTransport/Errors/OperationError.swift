public import ApolloAPI

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// Why an operation has no result. The `async` functions of the client throw it, or `CancellationError`.
///
/// Functions with callbacks give the error that was thrown, without wrapping it. Here that error is the ``cause``.
public struct OperationError: ApolloError {
  /// The kind of error.
  public let code: ApolloErrorCode
  /// One sentence that says what went wrong.
  public let message: String
  /// The name of the operation that failed; nil if it is not known.
  public let operationName: String?
  /// The path of the field that failed; empty if the error is not about a field.
  public let path: [PathComponent]
  /// The status of the HTTP response; nil if there was none.
  public let httpStatus: Int?
  /// The errors that the server sent; empty if there are none. Those with which it ends a subscription over HTTP are
  /// only here: the ``cause`` has the message of the first one.
  public var graphQLErrors: [GraphQLError] {
    endErrors.isEmpty ? (cause as? any ApolloError)?.graphQLErrors ?? [] : endErrors
  }
  /// The error behind this one; nil if there is none.
  public let cause: (any Error)?
  /// The errors with which the server has ended the operation, where the cause does not have them.
  private let endErrors: [GraphQLError]
  /// The error that this one wraps, to add the operation and the address. nil if this error was thrown itself.
  private let original: (any Error)?

  /// Makes an error for an interceptor or transport of an app. Callers can handle it like the errors of this package.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - message: One sentence that says what is wrong, and what to do.
  ///   - operationName: The name of the operation that failed. nil: it is not known; the client adds it for `async`
  ///     callers.
  ///   - path: The path of the field that failed. Empty: the error is not about a field.
  ///   - httpStatus: The status of the HTTP response. nil: there was no response.
  ///   - cause: The error that caused this one. nil: none.
  public init(
    _ code: ApolloErrorCode, _ message: String, operationName: String? = nil, path: [PathComponent] = [],
    httpStatus: Int? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.operationName = operationName
    self.path = path
    self.httpStatus = httpStatus
    self.cause = cause
    endErrors = []
    original = nil
  }

  private init(
    wrapping error: any Error, code: ApolloErrorCode, message: String, operationName: String?,
    response: HTTPURLResponse?, endErrors: [GraphQLError]
  ) {
    let known = error as? any ApolloError
    self.code = code
    // An error that tells the status tells the place as well.
    let place = code == .invalidResponse && known?.httpStatus == nil ? response.map { " [\($0.summary)]" } : nil
    self.message = message + (place ?? "")
    self.operationName = known?.operationName ?? operationName
    path = known?.path ?? []
    httpStatus = known?.httpStatus ?? response?.statusCode
    cause = error
    self.endErrors = endErrors
    original = error
  }

  /// Adds the operation, where its response came from, and with which errors the server has ended it, to an error that
  /// may not know them.
  package static func wrap(
    _ error: any Error, operationName: String, response: HTTPURLResponse? = nil, endErrors: [GraphQLError] = []
  ) -> any Error {
    let (code, message): (ApolloErrorCode, String)
    switch error {
    case is OperationError, is CancellationError: return error
    case let error as any ApolloError: (code, message) = (error.code, error.message)
    case let error as URLError: (code, message) = (error.code == .cancelled ? .cancelled : .network, error.explanation)
    case is DecodingError: (code, message) = (.invalidResponse, "The response cannot be decoded: \(error)")
    default: (code, message) = (.other, "\(error)")
    }
    return OperationError(
      wrapping: error, code: code, message: message, operationName: operationName, response: response,
      endErrors: endErrors)
  }

  /// The error without what was added to it, for callbacks.
  package static func unwrap(_ error: any Error) -> any Error { (error as? OperationError)?.original ?? error }

  /// What an `async` function throws for an error: the error with the operation, or `CancellationError`.
  package static func thrown(_ error: any Error, operationName: String) -> any Error {
    error.isCancellation ? CancellationError() : wrap(error, operationName: operationName)
  }
}

extension Error {
  /// Whether this error says that the operation was cancelled: it is Swift's error, or that of `URLSession`.
  package var isCancellation: Bool {
    self is CancellationError || (OperationError.unwrap(self) as? URLError)?.code == .cancelled
  }
}

extension HTTPURLResponse {
  /// Status, type and address.
  fileprivate var summary: String {
    let type = value(forHTTPHeaderField: "Content-Type").map { ", \($0)" } ?? ""
    let place = url.map { ", \($0.placeDescription)" } ?? ""
    return "HTTP status \(statusCode)\(type)\(place)"
  }
}
