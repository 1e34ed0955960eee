public import ApolloHTTP
public import ApolloJSON

// Members of requests and of their transport in earlier releases.

extension JSONRequest {
  /// Whether the hash of the document is sent in place of the document, as in Apollo iOS 2.
  public var apqConfig: AutoPersistedQueryConfiguration {
    get {
      AutoPersistedQueryConfiguration(
        autoPersistQueries: autoPersistQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
    }
    set {
      autoPersistQueries = newValue.autoPersistQueries
      useGETForPersistedQueryRetry = newValue.useGETForPersistedQueryRetry
    }
  }

  /// What writes JSON, for a subclass that makes its own body, as in Apollo iOS 0.34 to 1.25.
  public var serializationFormat: JSONSerializationFormat.Type { JSONSerializationFormat.self }
}

extension UploadRequest {
  /// What writes JSON, for a subclass that makes its own body, as in Apollo iOS 0.34 to 1.25.
  public var serializationFormat: JSONSerializationFormat.Type { JSONSerializationFormat.self }
}

extension RequestChainNetworkTransport {
  /// Whether queries and mutations are sent as the hash of their document, as in Apollo iOS 2.
  public final var apqConfig: AutoPersistedQueryConfiguration {
    AutoPersistedQueryConfiguration(
      autoPersistQueries: autoPersistQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
  }
}
