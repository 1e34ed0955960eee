// The keys of objects that are read from a response.

extension __ObjectReader {
  /// Asks the app for the key of the object that ends here.
  mutating func customKey(of record: ObjectRecord) throws(__ReadError) -> String? {
    if let cacheKeyForObject = identity.cacheKeyForObject {
      let end = cursor.p
      defer { cursor.p = end }
      cursor.p = frames.top.start
      guard let object = try cursor.value() as? JSONObject else { return nil }
      switch cacheKeyForObject(object) {
      case nil, is JSONNull: return nil
      case let key as String: return key
      case let value?:
        var writer = __JSONWriter()
        writer.writeJSON(value)
        return writer.text
      }
    }
    return identity.configuredKey(of: record)
  }
}
