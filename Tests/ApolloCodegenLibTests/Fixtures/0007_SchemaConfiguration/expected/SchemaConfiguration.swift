public import ApolloAPI

/// What an app may say of this schema.
nonisolated public enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  public static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
    guard type == Objects.Shelf else { return nil }
    return try? CacheKeyInfo(jsonValue: object["number"], uniqueKeyGroup: "Furniture")
  }
}
