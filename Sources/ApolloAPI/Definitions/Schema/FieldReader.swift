extension FieldPolicy {
  /// Computes a field when it is read from the cache.
  ///
  ///     struct FullName: FieldPolicy.Reader {
  ///       func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) -> CachedValue? {
  ///         guard case .string(let first)? = object["firstName"], case .string(let last)? = object["lastName"] else {
  ///           return nil
  ///         }
  ///         return .string(first + " " + last)
  ///       }
  ///     }
  ///
  ///     extension SchemaConfiguration {
  ///       static let fieldReaders: [String: any FieldPolicy.Reader] = ["Person.fullName": FullName()]
  ///     }
  ///
  /// A watcher is told when a field changes that the reader has asked for. What a request delivers of a server's answer is
  /// what the server has sent: only reads from the cache ask the reader.
  public protocol Reader: Sendable {
    /// The value of the field.
    ///
    /// - Parameters:
    ///   - existing: What the cache has in the field; nil if it has nothing.
    ///   - object: The object that has the field, and the arguments of the field.
    /// - Returns: The value; nil if the cache does not have it.
    /// - Throws: An error, with which the whole read fails.
    func value(of existing: CachedValue.Field?, in object: Context) throws -> CachedValue?
  }
}
