public import ApolloAPI

/// What came of an operation.
///
/// `data` and `errors` may both be there: a server answers with what it has and with an error for each field it does not.
public struct GraphQLResult<Data: SelectionSet>: @unchecked Sendable {
  // Data is Sendable unless the user has declared one of its scalars not to be. Then it is safe as well to hand over a
  // whole result, as the client does: it is made of the response, and nobody else refers to what is in it.

  public enum Source: Hashable, Sendable {
    case cache
    case server
  }

  /// The typed data; nil if the server has none at all, and then ``errors`` say why.
  public let data: Data?
  /// The errors of the response; nil or empty if there are none.
  public let errors: [GraphQLError]?
  /// Further information from the server.
  public let extensions: JSONObject?
  /// Where the data comes from.
  public let source: Source
  /// The server will send more of this response: see ``Deferred``. False for the last result, and for all others.
  public let hasNext: Bool

  public init(
    data: Data?, extensions: JSONObject? = nil, errors: [GraphQLError]? = nil, source: Source, hasNext: Bool = false
  ) {
    self.data = data
    self.extensions = extensions
    self.errors = errors
    self.source = source
    self.hasNext = hasNext
  }
}

/// Called with each result of an operation, or with the error that ended it.
public typealias GraphQLResultHandler<Data: SelectionSet> = @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void
