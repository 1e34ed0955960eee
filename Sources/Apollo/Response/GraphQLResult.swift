public import ApolloAPI

/// What came of an operation.
///
/// `data` and `errors` may both be there: a server answers with what it has and with an error for each field it does not.
public struct GraphQLResult<Data: SelectionSet>: Sendable {
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

  public init(data: Data?, extensions: JSONObject? = nil, errors: [GraphQLError]? = nil, source: Source) {
    self.data = data
    self.extensions = extensions
    self.errors = errors
    self.source = source
  }
}

/// Called with each result of an operation, or with the error that ended it.
public typealias GraphQLResultHandler<Data: SelectionSet> = @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void
