public import ApolloAPI
public import Foundation

/// Converts between JSON values and bytes, under its name in Apollo iOS 0.x and 1.x.
public enum JSONSerializationFormat {
  /// The bytes of a JSON value. Members of objects are sorted by name; null for values that JSON has no form for.
  @_disfavoredOverload
  public static func serialize(value: JSONValue) throws -> Data {
    var writer = __JSONWriter()
    writer.writeJSON(FoundationJSON.import(value))
    return Data(writer.bytes)
  }

  /// The bytes of the JSON value of an object.
  public static func serialize(value: any JSONEncodable) throws -> Data { try serialize(value: value._jsonValue) }

  /// The value in a JSON text: a `String`, `Int`, `Double`, `Bool`, `JSONNull`, `[JSONValue]` or `JSONObject`. A number
  /// that is neither an `Int` nor a `Double`, such as `18446744073709551615` or `1e400`, is a `JSONNumber`.
  ///
  /// - Throws: `ResponseDecodingError` if the text is not JSON.
  public static func deserialize(data: Data) throws -> JSONValue { try ResponseReader.jsonValue(ResponseBytes(data)) }
}
