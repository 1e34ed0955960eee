public import ApolloAPI
public import Foundation

// The errors of ApolloAPI, which does not import Foundation, become `LocalizedError` here, as in Apollo iOS. All other
// errors of this package conform to it where they are declared.

extension GraphQLError: LocalizedError {
  /// The message of the server.
  public var errorDescription: String? { description }
}

extension ResponseDecodingError: LocalizedError {
  /// The path and the message of the error.
  public var errorDescription: String? { description }
}

extension JSONDecodingError: LocalizedError {
  /// The error in an English sentence.
  public var errorDescription: String? { description }
}

extension JSONEncodingError: LocalizedError {
  /// The error in an English sentence.
  public var errorDescription: String? { description }
}
