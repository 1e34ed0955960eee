public import ApolloAPI
public import Foundation

/// What every error of this package can tell.
///
/// It is a `LocalizedError`, as the errors of Apollo iOS are: `errorDescription`, and so `localizedDescription`, is the
/// ``Swift/CustomStringConvertible/description``.
public protocol ApolloError: LocalizedError, CustomStringConvertible {
  /// A short, stable name for the kind of error.
  var code: ApolloErrorCode { get }
  /// One sentence for whoever has to act on it.
  var message: String { get }
  /// The operation that failed, where it is known.
  var operationName: String? { get }
  /// The field that failed; empty where it is not about one.
  var path: [PathComponent] { get }
  /// The status of the HTTP response, where there was one.
  var httpStatus: Int? { get }
  /// The error behind this one.
  var cause: (any Error)? { get }
}

extension ApolloError {
  public var operationName: String? { nil }
  public var path: [PathComponent] { [] }
  public var httpStatus: Int? { nil }
  public var cause: (any Error)? { nil }

  public var description: String {
    var text = operationName.map { $0 + ": " } ?? ""
    text += message
    if !path.isEmpty { text += " (at \(path.map(\.description).joined(separator: ".")))" }
    return text
  }

  public var errorDescription: String? { description }
}

/// A kind of error. More may be added, so a `switch` needs a `default`.
public struct ApolloErrorCode: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// A kind of error of an app's own.
  ///
  /// - Parameter name: Short and stable; those of this package are words in camel case.
  public init(_ name: String) { description = name }

  /// No response came: no connection, a timeout, or a connection that broke.
  public static let network = Self("network")
  /// The server answered with a status that is no success, and with no GraphQL response.
  public static let httpStatus = Self("httpStatus")
  /// The response is not what the GraphQL specification, or the schema, says it should be.
  public static let invalidResponse = Self("invalidResponse")
  /// The request could not be made.
  public static let invalidRequest = Self("invalidRequest")
  /// The server did not run the operation, or stopped it, and said why.
  public static let operationRefused = Self("operationRefused")
  /// The cache does not have all of the data, and the policy allows no request.
  public static let cacheMiss = Self("cacheMiss")
  public static let cancelled = Self("cancelled")
  /// A chain of interceptors that cannot work.
  public static let configuration = Self("configuration")
  /// It was tried as often as allowed.
  public static let retriesExhausted = Self("retriesExhausted")
  /// An error from an interceptor or a transport of the user.
  public static let other = Self("other")
}
