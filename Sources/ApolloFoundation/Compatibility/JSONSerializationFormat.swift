public import ApolloAPI
public import Foundation

/// Between JSON values and bytes, as releases up to 1.x of Apollo iOS do it.
public enum JSONSerializationFormat {
  /// The bytes of a JSON value. Members of objects are sorted by name; null for values that JSON has no form for.
  public static func serialize(value: JSONValue) throws -> Data {
    var writer = __JSONWriter()
    writer.writeJSON(FoundationJSON.import(value))
    return Data(writer.bytes)
  }

  /// The bytes of what a type makes of itself.
  public static func serialize(value: any JSONEncodable) throws -> Data { try serialize(value: value._jsonValue) }

  /// The value of JSON of any kind: `String`, `Int`, `Double`, `Bool`, ``JSONNull``, `[JSONValue]` or ``JSONObject``.
  ///
  /// - Throws: ``ResponseDecodingError`` if it is no JSON.
  public static func deserialize(data: Data) throws -> JSONValue { try ResponseReader.jsonValue(ResponseBytes(data)) }
}
