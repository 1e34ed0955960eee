public import ApolloAPI
public import ApolloCache
public import ApolloJSON

// Conformances for the errors of the modules below, which do not know the protocol.

/// What cannot be read, from a server or from the cache.
extension ResponseDecodingError: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/cacheMiss`` if the cache lacks a value, and otherwise
  /// ``ApolloErrorCode/invalidResponse``.
  public var code: ApolloErrorCode { isCacheMiss ? .cacheMiss : .invalidResponse }
  /// The error behind this one, such as the error of a custom scalar's initializer; nil if there is none.
  public var cause: (any Error)? { underlyingError }
}

/// A JSON value that is not what a scalar's type needs.
extension JSONDecodingError: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/invalidResponse``.
  public var code: ApolloErrorCode { .invalidResponse }
  /// One sentence that says what went wrong.
  public var message: String { description }
}

/// A value that cannot be sent, or written to the cache.
extension JSONEncodingError: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/invalidRequest``.
  public var code: ApolloErrorCode { .invalidRequest }
  /// One sentence that says what went wrong.
  public var message: String { description }
}

/// A record of a backend that cannot be read.
extension Record.DecodingError: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/invalidResponse``.
  public var code: ApolloErrorCode { .invalidResponse }
  /// One sentence that says what went wrong.
  public var message: String { description }
}

/// A model that is written to the cache with copies of one field that differ.
extension ApolloStore.ReadWriteTransaction.ConflictingCopiesError: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/invalidRequest``.
  public var code: ApolloErrorCode { .invalidRequest }
  /// One sentence that says what went wrong.
  public var message: String { description }
}

/// A model that is written to the cache with an interface or a union as the type of an object.
extension ApolloStore.ReadWriteTransaction.AbstractTypeError: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/invalidRequest``.
  public var code: ApolloErrorCode { .invalidRequest }
  /// What went wrong, and what to do.
  public var message: String { description }
}

/// A call of the store that cannot be done where it stands.
extension ApolloStore.Error: ApolloError {
  /// The kind of this error: ``ApolloErrorCode/configuration``.
  public var code: ApolloErrorCode { .configuration }
  /// One sentence that says what went wrong.
  public var message: String { description }
}
