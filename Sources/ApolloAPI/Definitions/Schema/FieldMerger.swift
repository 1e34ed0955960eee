extension FieldPolicy {
  /// Merges a field that a server has sent with what the cache has in it.
  ///
  ///     struct AppendPage: FieldPolicy.Merger {
  ///       func merge(
  ///         existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
  ///       ) -> CachedValue {
  ///         guard case .list(let pages)? = existing?.value, case .list(let page) = incoming.value else {
  ///           return incoming.value
  ///         }
  ///         return .list(pages + page)
  ///       }
  ///     }
  ///
  ///     extension SchemaConfiguration {
  ///       static let fieldMergers: [String: any FieldPolicy.Merger] = ["Query.feed": AppendPage()]
  ///     }
  ///
  /// It is asked when a response is stored, in the order in which responses are stored. A response that comes in parts
  /// (`@defer`, `@stream`) is stored with each part. For a value that has come with an earlier part of it, the merger is
  /// asked again only if more of the value has come, and is given what the cache had before the first part, or what
  /// something else has written since. (Of a subscription's event, it is asked with each part.)
  /// What a transaction writes takes the place of what was there, without a merger. Arguments that should not tell
  /// values apart are left out of the field's key by `@fieldPolicy(forField:, keyArgs:)` in the schema.
  ///
  /// If it throws, or if it returns a value of another kind than came in (a list, an object, or neither), the value that
  /// came in takes the place of what was there, and the error is told like one of the cache's backend.
  public protocol Merger: Sendable {
    /// The value that the cache keeps.
    ///
    /// - Parameters:
    ///   - existing: What the cache has in the field; nil if it has nothing.
    ///   - incoming: What the server has sent. It is never null and never an error: these are stored without a merger.
    ///   - arguments: All arguments of the field, those too that are not in its key.
    /// - Returns: The value.
    /// - Throws: An error, if the two cannot be merged.
    func merge(existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData) throws
      -> CachedValue
  }
}

extension FieldPolicy {
  /// The error for a ``FieldPolicy/Merger`` that threw, or whose value could not be stored.
  public struct MergerError: Error, CustomStringConvertible {
    /// The field, such as `Query.feed`.
    public let coordinate: String
    /// What the merger threw; nil if it returned a value of another kind.
    public let underlyingError: (any Error)?

    /// The field, and what is wrong.
    public var description: String {
      let reason = underlyingError.map { "It threw: \($0)." } ?? "It returned a value of another kind than came in."
      return "The field merger of '\(coordinate)' has failed, and the value that came in was stored. \(reason)"
    }
  }
}
