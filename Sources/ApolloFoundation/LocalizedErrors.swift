public import ApolloAPI
public import Foundation

// The errors of ApolloAPI, which does without Foundation, are `LocalizedError` as they are in Apollo iOS. All others of this
// package are it where they are declared.

extension GraphQLError: LocalizedError {
  /// What the server says.
  public var errorDescription: String? { description }
}

extension ResponseDecodingError: LocalizedError {
  public var errorDescription: String? { description }
}

extension JSONDecodingError: LocalizedError {
  public var errorDescription: String? { description }
}

extension JSONEncodingError: LocalizedError {
  public var errorDescription: String? { description }
}
