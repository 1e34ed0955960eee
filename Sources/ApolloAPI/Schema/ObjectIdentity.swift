/// How the objects of one response get their keys, apart from the key fields in the tables.
package struct ObjectIdentity: Sendable {
  package typealias KeyForObject = @Sendable (JSONObject) -> JSONValue?

  package var schema: (any SchemaMetadata.Type)?
  /// Of earlier releases: makes a whole key of an object as the server sent it.
  package var cacheKeyForObject: KeyForObject?

  package init(schema: (any SchemaMetadata.Type)? = nil, cacheKeyForObject: KeyForObject? = nil) {
    self.schema = schema
    self.cacheKeyForObject = cacheKeyForObject
  }

  var isEmpty: Bool { schema == nil && cacheKeyForObject == nil }

  /// The key that the schema's configuration has for an object. A configuration without answers is not asked again.
  mutating func configuredKey(of record: ObjectRecord) -> String? {
    guard let schema else { return nil }
    let object = ObjectData(record)
    guard let name = object.typename else { return nil }
    let type = schema.objectType(forTypename: name) ?? Object(typename: name)
    let info = schema.configuration.cacheKeyInfo(for: type, object: object)
    if info == .unanswered { self.schema = nil }
    return info == .unanswered ? nil : info?.key(typename: name)
  }
}

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
