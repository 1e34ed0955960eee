// Written once by apollo-codegen, and never again: it is yours to change.

public import ApolloAPI

nonisolated extension Unions {
  /// What the cache has to know of the schema.
  nonisolated public enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    /// Tells under which key the cache keeps an object; nil where the key fields of its type decide.
    public static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
      // For example: try? CacheKeyInfo(jsonValue: object["id"])
      nil
    }
  }
}
