/// Whether queries and mutations are sent as the hash of their document. The document itself is sent only if the server
/// does not know the hash. Part of the API of Apollo iOS 2.
public struct AutoPersistedQueryConfiguration: Hashable, Sendable {
  /// Whether the hash is sent in place of the document. It needs code that was generated with operation identifiers.
  /// The default is false.
  public let autoPersistQueries: Bool
  /// Whether a query whose hash the server does not know is sent again as `GET`; otherwise it is sent as `POST`. The
  /// default is false.
  public let useGETForPersistedQueryRetry: Bool

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - autoPersistQueries: Whether the hash is sent in place of the document. The default is false.
  ///   - useGETForPersistedQueryRetry: Whether a query whose hash the server does not know is sent again as `GET`. The
  ///     default is false.
  public init(autoPersistQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false) {
    self.autoPersistQueries = autoPersistQueries
    self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
  }
}
