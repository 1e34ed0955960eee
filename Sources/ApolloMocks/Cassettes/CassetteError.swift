public import Apollo
import Foundation

/// A cassette that cannot be used, or that has no answer to a request.
public struct CassetteError: ApolloError, Hashable {
  /// What is wrong, with the file and the operation.
  public let message: String
  /// The kind of this error: `configuration`.
  public var code: ApolloErrorCode { .configuration }

  init(_ message: String) { self.message = message }
}
