// Names of errors in earlier versions of Apollo iOS.

extension GraphQLError {
  /// A component of ``path``, under its name in Apollo iOS 1.
  public typealias PathEntry = PathComponent
}

/// The path of a value in a response, under its name in Apollo iOS 1 and 2.
public typealias ResponsePath = [PathComponent]
/// A ``ResponseDecodingError`` under its name in Apollo iOS 1.
public typealias GraphQLExecutionError = ResponseDecodingError
/// A ``ResponseDecodingError`` under its name in Apollo iOS 0.x.
public typealias GraphQLResultError = ResponseDecodingError

extension ResponseDecodingError {
  /// The components of ``path``, joined by dots, as in `hero.friends.0.name`.
  public var pathString: String { path.map(\.description).joined(separator: ".") }

  /// What is wrong, as in Apollo iOS 0.x and 1: a ``JSONDecodingError`` for a value that is missing, null or of another
  /// type; otherwise ``underlyingError``, or the error itself if there is none.
  ///
  /// A value that the cache does not have, or that is too old, is missing. What the cache has and the field cannot be,
  /// null included, is of another type. The ``reason`` has the details.
  public var underlying: any Error {
    switch reason {
    case .missingValue, .cacheMiss, .expired: JSONDecodingError.missingValue
    case .nullValue: JSONDecodingError.nullValue
    case .wrongType, .cacheMismatch: JSONDecodingError.wrongType
    case .invalidJSON, .numberOutOfRange, .invalidScalar, .failedFieldReader, .invalidModel: underlyingError ?? self
    }
  }
}
