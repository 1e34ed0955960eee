import ApolloTransport
public import ApolloAPI
import ApolloCache

extension ApolloClient {
  /// Which queries are sent again; see ``ApolloClient/refetch(matching:)``.
  public enum RefetchTarget: Sendable {
    /// All queries of a type that are watched, whatever their variables are.
    case type(any GraphQLQuery.Type)
    /// All queries of a name that are watched.
    case named(String)
    /// All watched queries that read a record, such as `User:7`.
    case reading(CacheKey)
    /// One query with its variables, whether or not it is watched.
    case query(any GraphQLQuery)
    /// All queries that are watched.
    case watched
  }
}

extension ApolloClient {
  /// Something that happens in an app, after which data may be old; see `RefetchEvent`.
  public typealias RefetchEvent = ApolloTransport.RefetchEvent
}
