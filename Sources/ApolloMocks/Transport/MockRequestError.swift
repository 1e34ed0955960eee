public import Apollo
import Foundation

/// A request that a mock was not prepared for, or an expectation that was not met.
public struct MockRequestError: ApolloError, Hashable {
  /// What was found and what was expected, over several lines.
  public let message: String
  /// The name of the operation; nil if it is about several.
  public let operationName: String?
  /// The kind of this error: `configuration`.
  public var code: ApolloErrorCode { .configuration }

  init(_ message: String, operationName: String? = nil) {
    self.message = message
    self.operationName = operationName
  }
}
