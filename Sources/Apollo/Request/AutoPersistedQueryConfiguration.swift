/// Whether queries and mutations are sent as the hash of their document, and as a whole only if the server does not know it. Of
/// release 2 of Apollo iOS.
public struct AutoPersistedQueryConfiguration: Hashable, Sendable {
  /// Send the hash in place of the document. It needs code that was generated with operation identifiers.
  public let autoPersistQueries: Bool
  /// Send a query whose hash the server does not know once more as `GET`, rather than as `POST`.
  public let useGETForPersistedQueryRetry: Bool

  /// - Parameters:
  ///   - autoPersistQueries: Send the hash in place of the document; by default no.
  ///   - useGETForPersistedQueryRetry: Send a query whose hash the server does not know as `GET`; by default no.
  public init(autoPersistQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false) {
    self.autoPersistQueries = autoPersistQueries
    self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
  }
}
