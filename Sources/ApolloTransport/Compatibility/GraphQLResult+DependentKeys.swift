public import ApolloAPI
public import ApolloCache

extension GraphQLResult {
  /// Makes a result, with the parameters of Apollo iOS 0.2x and earlier, for an app's tests.
  ///
  /// - Parameters:
  ///   - data: The typed data; nil if there is none.
  ///   - errors: The errors of the response; nil if there are none.
  ///   - source: Where the data comes from.
  ///   - dependentKeys: The fields of the cache that the data depends on; nil if they are not known.
  public init(data: Data?, errors: [GraphQLError]?, source: Source, dependentKeys: Set<CacheKey>?) {
    self.init(data: data, extensions: nil, errors: errors, source: source, dependentKeys: dependentKeys)
  }
}
