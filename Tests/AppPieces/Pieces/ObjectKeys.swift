import Apollo

// Keys of objects, as apps of Apollo iOS 1.2 to 2.x make them.

/// The key of an element of a list is made of two fields, of which one may be null.
public nonisolated enum MediaConfiguration: SchemaConfiguration, FieldPolicy.Provider {
  public static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    guard let id = object["id"] else { return nil }
    guard let mediaId = object["mediaId"] else { return key(id, of: type.typename) }
    return CacheKeyInfo(id: "\(id).\(mediaId)", uniqueKeyGroup: type.typename)
  }

  public static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: ResponsePath
  ) -> CacheKeyInfo? {
    key(inputData["id"], of: "MediaList")
  }

  private static func key(_ value: (any ScalarType)?, of group: String) -> CacheKeyInfo? {
    try? CacheKeyInfo(jsonValue: value, uniqueKeyGroup: group)
  }
}

/// The JSON of scalars, of each one once.
public nonisolated func jsonWithoutRepeats<Value: AnyScalarType>(_ values: [Value]) -> [JSONValue] {
  Set(values).map { $0._jsonValue }
}
