import ApolloAPI
public import Foundation

// Records as text, for backends that store text.

extension Record {
  /// The fields as a JSON object. References are written as `{"$reference": key}`, errors as `{"$error": …}`, and
  /// custom scalars that are objects or lists as `{"$json": …}`. A field cannot have such a name.
  ///
  /// The dates are not in it: a backend keeps ``receivedAt``, ``dates`` and ``expirations`` beside the text.
  public var json: String {
    var writer = __JSONWriter()
    Self.write(.object(fields), to: &writer)
    return writer.text
  }

  /// Makes a record of the text that ``json`` gave.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - json: The fields as a JSON object.
  /// - Throws: ``Record/DecodingError`` if the text is not such JSON.
  public init(key: CacheKey, json: String) throws {
    guard let object = try? ResponseReader.jsonValue(ResponseBytes(json.utf8)) as? JSONObject,
      case .object(let fields)? = Self.value(object)
    else { throw Record.DecodingError(key: key) }
    self.init(key: key, fields)
  }

  private static func write(_ value: Value, to writer: inout __JSONWriter) {
    switch value {
    case .null: writer.writeNull()
    case .bool(let value): writer.write(value)
    case .int(let value): writer.write(value)
    // The reader would make an integer of a number without a fraction.
    case .double(let value) where Int64(exactly: value) != nil: writer.writeRaw("{\"$double\":\(value)}".utf8)
    case .double(let value): writer.write(value)
    case .string(let value): writer.write(value)
    case .json(let text): writer.writeRaw("{\"$json\":\(text)}".utf8)
    case .error(let text): writer.writeRaw("{\"$error\":\(text)}".utf8)
    case .reference(let key):
      writer.writeRaw("{\"$reference\":".utf8)
      writer.write(key)
      writer.writeRaw("}".utf8)
    case .list(let values): writer.writeList(values) { write($1, to: &$0) }
    case .object(let fields):
      writer.writeRaw("{".utf8)
      for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { writer.writeRaw(",".utf8) }
        writer.write(field.key)
        writer.writeRaw(":".utf8)
        write(field.value, to: &writer)
      }
      writer.writeRaw("}".utf8)
    }
  }

  private static func value(_ json: JSONValue) -> Value? {
    switch json {
    case is JSONNull: return .null
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(value)
    case let value as Double: return .double(value)
    case let value as JSONNumber: return .json(value.description)
    case let value as String: return .string(value)
    case let values as [JSONValue]:
      let list = values.compactMap(value)
      return list.count == values.count ? .list(list) : nil
    case let object as JSONObject:
      if object.count == 1, let (mark, content) = object.first, mark.hasPrefix("$") { return marked(mark, content) }
      let fields = object.compactMapValues(value)
      return fields.count == object.count ? .object(fields) : nil
    default: return nil
    }
  }

  private static func marked(_ mark: String, _ content: JSONValue) -> Value? {
    func text() -> String {
      var writer = __JSONWriter()
      writer.writeJSON(content)
      return writer.text
    }
    switch (mark, content) {
    case ("$reference", let key as String): return .reference(key)
    case ("$double", let value as Double): return .double(value)
    case ("$double", let value as Int): return .double(Double(value))
    case ("$json", _): return .json(text())
    case ("$error", _): return .error(text())
    default: return nil
    }
  }
}

extension Record {
  /// The error for a text that is not the JSON of a record.
  public struct DecodingError: LocalizedError, CustomStringConvertible {
    /// The key under which the text is stored.
    public let key: CacheKey
    /// The error in an English sentence.
    public var errorDescription: String? { description }
    /// The error in an English sentence.
    public var description: String { "What is stored for '\(key)' is not the JSON of a record." }
  }
}
