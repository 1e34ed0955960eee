public import ApolloAPI
public import ApolloCache

// The errors of the layers below, which know nothing of the protocol.

/// What cannot be read, from a server or from the cache.
extension ResponseDecodingError: ApolloError {
  public var code: ApolloErrorCode { isCacheMiss ? .cacheMiss : .invalidResponse }
  public var cause: (any Error)? { underlyingError }
}

/// A JSON value that is not what a scalar's type needs.
extension JSONDecodingError: ApolloError {
  public var code: ApolloErrorCode { .invalidResponse }
  public var message: String { description }
}

/// A value that cannot be sent, or written to the cache.
extension JSONEncodingError: ApolloError {
  public var code: ApolloErrorCode { .invalidRequest }
  public var message: String { description }
}

/// A record of a backend that cannot be read.
extension RecordDecodingError: ApolloError {
  public var code: ApolloErrorCode { .invalidResponse }
  public var message: String { description }
}

/// A model that is written to the cache with copies of one field that differ.
extension ConflictingCopiesError: ApolloError {
  public var code: ApolloErrorCode { .invalidRequest }
  public var message: String { description }
}

/// A call of the store that cannot be done where it stands.
extension ApolloStore.Error: ApolloError {
  public var code: ApolloErrorCode { .configuration }
  public var message: String { description }
}
