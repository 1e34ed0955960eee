public import ApolloAPI
public import Foundation

/// What every error of this package can tell.
///
/// It is a `LocalizedError`, as the errors of Apollo iOS are: `errorDescription`, and so `localizedDescription`, is the
/// `description`.
public protocol ApolloError: LocalizedError, CustomStringConvertible {
  /// A short, stable name for the kind of error.
  var code: ApolloErrorCode { get }
  /// One sentence that says what went wrong, for the developer who has to act on it.
  var message: String { get }
  /// The name of the operation that failed; nil if it is not known.
  var operationName: String? { get }
  /// The path of the field that failed; empty if the error is not about a field.
  var path: [PathComponent] { get }
  /// The status of the HTTP response; nil if there was none.
  var httpStatus: Int? { get }
  /// The errors that the server sent; empty if there are none.
  var graphQLErrors: [GraphQLError] { get }
  /// The error behind this one; nil if there is none.
  var cause: (any Error)? { get }
}

extension ApolloError {
  /// nil, unless the error knows the operation that failed.
  public var operationName: String? { nil }
  /// Empty, unless the error is about a field.
  public var path: [PathComponent] { [] }
  /// nil, unless the error is about an HTTP response.
  public var httpStatus: Int? { nil }
  /// Those of the ``cause``, unless the error has some itself.
  public var graphQLErrors: [GraphQLError] { (cause as? any ApolloError)?.graphQLErrors ?? [] }
  /// nil, unless there is an error behind this one.
  public var cause: (any Error)? { nil }

  /// The name of the operation, the message, and the path of the field, as far as they are known.
  public var description: String {
    var text = operationName.map { $0 + ": " } ?? ""
    text += message
    if !path.isEmpty { text += " (at \(path.map(\.description).joined(separator: ".")))" }
    return text
  }

  /// The description, so that `localizedDescription` gives it, too.
  public var errorDescription: String? { description }
}

/// A kind of error. More may be added, so a `switch` needs a `default`.
public struct ApolloErrorCode: Hashable, Sendable, CustomStringConvertible {
  /// The short, stable name of the kind, such as `network`.
  public let description: String

  /// Makes a kind of error for an app's own errors.
  ///
  /// - Parameter name: A short, stable name. The names in this package are words in camel case.
  public init(_ name: String) { description = name }

  /// No response came: no connection, a timeout, or a connection that broke.
  public static let network = Self("network")
  /// The server answered with a status that is not one of success, and the body is not a GraphQL response.
  public static let httpStatus = Self("httpStatus")
  /// The response is not what the GraphQL specification, or the schema, says it should be.
  public static let invalidResponse = Self("invalidResponse")
  /// The request could not be made.
  public static let invalidRequest = Self("invalidRequest")
  /// The server did not run the operation, or stopped it, and said why.
  public static let operationRefused = Self("operationRefused")
  /// The cache does not have all of the data, and the policy allows no request.
  public static let cacheMiss = Self("cacheMiss")
  /// The client's authenticator threw an error, so there was nothing to send the operation with.
  public static let credentials = Self("credentials")
  /// The operation was cancelled.
  public static let cancelled = Self("cancelled")
  /// The client, its transport or its interceptors are set up in a way that cannot work.
  public static let configuration = Self("configuration")
  /// The operation was tried as often as allowed.
  public static let retriesExhausted = Self("retriesExhausted")
  /// An error from an interceptor or a transport of the user.
  public static let other = Self("other")
}
