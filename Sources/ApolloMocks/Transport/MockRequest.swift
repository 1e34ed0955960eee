public import GraphQLExecution

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A request that a ``MockNetworkTransport`` was sent.
public struct MockRequest: Sendable {
  /// The name of the operation; empty for one without a name.
  public let operationName: String
  /// The text of the document; nil if only a hash or an identifier of it was sent.
  public let query: String?
  /// The variables as they were sent.
  public let variables: GraphQLValue.Object
  /// The members of `extensions` that were sent.
  public let extensions: GraphQLValue.Object
  /// The request over HTTP, with its header fields.
  public let urlRequest: URLRequest
  var onError: String?
  let answer = HeldAnswer()

  init(
    operationName: String, query: String?, variables: GraphQLValue.Object, extensions: GraphQLValue.Object,
    urlRequest: URLRequest
  ) {
    self.operationName = operationName
    self.query = query
    self.variables = variables
    self.extensions = extensions
    self.urlRequest = urlRequest
  }

  /// Answers the request, if it waits for an answer.
  ///
  /// - Parameter response: The response.
  /// - Returns: Whether it was waiting. If it was not, nothing happens.
  @discardableResult
  public func resolve(_ response: MockResponse) -> Bool { answer.give(response) }

  /// Fails the request, if it waits for an answer.
  ///
  /// - Parameter error: The error of the connection, such as `URLError(.timedOut)`.
  /// - Returns: Whether it was waiting. If it was not, nothing happens.
  @discardableResult
  public func fail(_ error: any Error) -> Bool { answer.give(.failure(error)) }
}
