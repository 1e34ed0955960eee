// What belongs to requests over HTTP has its names here as well.
public import ApolloHTTP

extension RequestChainNetworkTransport {
  /// See `RequestBatcher`.
  public typealias RequestBatcher = ApolloHTTP.RequestBatcher
  /// See `RequestDeduplicator`.
  public typealias RequestDeduplicator = ApolloHTTP.RequestDeduplicator
  /// See `StreamProtocol`.
  public typealias StreamProtocol = ApolloHTTP.StreamProtocol
}
