/// What makes the key of an object in the cache: `group:id`, where the group is the object's type unless another is given.
public struct CacheKeyInfo: Hashable, Sendable {
  /// Tells the object from the others of its group.
  public let id: String
  /// Objects of all types that are given the same group share it: equal ids are the same object. By default the
  /// group is the object's own type.
  public let uniqueKeyGroup: String?

  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }

  /// - Parameter jsonValue: A string or a number, such as `object["id"]`.
  /// - Throws: ``JSONDecodingError`` for anything else.
  public init(jsonValue: JSONValue?, uniqueKeyGroup: String? = nil) throws {
    let id: String
    switch jsonValue {
    case let value as String: id = value
    case let value as Int: id = String(value)
    case let value as Double: id = wholeNumber(value).map(String.init) ?? String(value)
    case let value as JSONNumber: id = value.description
    case nil: throw JSONDecodingError.missingValue
    case is JSONNull: throw JSONDecodingError.nullValue
    case let value?: throw JSONDecodingError.couldNotConvert(value: value, to: String.self)
    }
    self.init(id: id, uniqueKeyGroup: uniqueKeyGroup)
  }

  /// The answer of a configuration that does not answer for any object.
  static let unanswered = CacheKeyInfo(id: "", uniqueKeyGroup: "\u{0}unanswered")

  /// The key of the object in the cache, such as `Human:1000`.
  ///
  /// The id is a part of it as it is.
  ///
  /// - Parameter typename: The type of the object.
  public func key(typename: String) -> String {
    (uniqueKeyGroup ?? typename) + ":" + id
  }
}

/// How the values of key fields are joined: with `+`, and with `\` before each `+` and `\` in a value, so that different
/// values never give the same key.
enum CacheKeyEscaping {
  static func escaped(_ value: String) -> String {
    guard value.utf8.contains(where: isSpecial) else { return value }
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if isSpecial(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func isSpecial(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "\\") }
}
