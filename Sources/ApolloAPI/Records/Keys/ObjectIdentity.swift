/// How the objects of one response get their keys, apart from the key fields in the tables.
package struct ObjectIdentity: Sendable {
  /// The schema whose configuration is asked; nil: none.
  package var schema: (any SchemaMetadata.Type)?
  /// Of earlier releases: makes a whole key of an object as the server sent it.
  var cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)?

  /// Makes rules; by default, the key fields in the tables alone count.
  package init(
    schema: (any SchemaMetadata.Type)? = nil, cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)? = nil
  ) {
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

extension ObjectIdentity {
  /// The forms that an ID has in keys of records: first the one in keys that key fields make, and then the ID as it is, which
  /// a key of the app may have. They are one if nothing in the ID has to be escaped.
  package static func forms(ofID id: String) -> [String] {
    let escaped = CacheKeyEscaping.escaped(id)
    return escaped == id ? [id] : [escaped, id]
  }
}
