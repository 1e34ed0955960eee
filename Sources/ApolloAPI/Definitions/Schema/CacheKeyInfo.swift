/// The parts of an object's cache key, `group:id`. The group is the object's type unless another is given.
public struct CacheKeyInfo: Hashable, Sendable {
  /// Identifies the object in its group.
  public let id: String
  /// The group. Objects of all types with one group share it: two of them with equal ids are one object. nil, the
  /// default: the object's own type.
  public let uniqueKeyGroup: String?

  /// Makes the parts of a cache key.
  ///
  /// - Parameters:
  ///   - id: Identifies the object in its group.
  ///   - uniqueKeyGroup: The group. nil, the default: the object's own type.
  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }

  /// Makes the parts of a cache key from a JSON value.
  ///
  /// - Parameters:
  ///   - jsonValue: A string or a number, such as `object["id"]`.
  ///   - uniqueKeyGroup: The group. nil, the default: the object's own type.
  /// - Throws: ``JSONDecodingError`` if the value is neither a string nor a number.
  public init(jsonValue: JSONValue?, uniqueKeyGroup: String? = nil) throws {
    let id: String
    switch jsonValue {
    case let value as String: id = value
    case let value as Int: id = String(value)
    case let value as Double: id = wholeNumber(value).map(String.init) ?? String(value)
    case let value as JSONNumber: id = value.description
    case let value as any FixedWidthInteger: id = value.description
    case nil: throw JSONDecodingError.missingValue
    case is JSONNull: throw JSONDecodingError.nullValue
    case let value?: throw JSONDecodingError.couldNotConvert(value: value, to: String.self)
    }
    self.init(id: id, uniqueKeyGroup: uniqueKeyGroup)
  }

  /// The answer of a schema configuration that does not make keys.
  static let unanswered = CacheKeyInfo(id: "", uniqueKeyGroup: "\u{0}unanswered")

  /// Makes the key of the object in the cache, such as `Human:1000`. The id is not escaped.
  ///
  /// - Parameter typename: The type of the object.
  /// - Returns: The key.
  public func key(typename: String) -> String {
    (uniqueKeyGroup ?? typename) + ":" + id
  }
}
