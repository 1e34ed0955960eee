extension __JSONWriter {
  /// Writes a JSON value. Members of objects are sorted by name. If a value has no form in JSON, the writer fails, and
  /// the request cannot be sent.
  public mutating func writeJSON(_ value: JSONValue) {
    // A failed cast takes longer than writing most values, so the type is compared first.
    if type(of: value) == JSONObject.self, let value = value as? JSONObject { return write(value) }
    switch value {
    case let value as String: write(value)
    case let value as Bool: write(value)
    case let value as Int: write(value)
    case let value as Double: write(value)
    case let value as JSONObject: write(value)
    case let value as [JSONValue]: write(value)
    case let value as JSONNumber: writeRaw(value.description.utf8)
    case let value as any __JSONWritable: value.__write(to: &self)
    case is JSONNull: writeNull()
    default: fail(.notJSON(type(of: value)))
    }
  }

  private mutating func write(_ list: [JSONValue]) {
    guard recorder == nil else { return recordJSON { $0.write(list) } }
    writeList(list) { $0.writeJSON($1) }
  }

  private mutating func write(_ object: JSONObject) {
    guard recorder == nil else { return recordJSON { $0.write(object) } }
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      if !isFirst { comma() }
      isFirst = false
      write(key)
      output.append(UInt8(ascii: ":"))
      writeJSON(value)
    }
    output.append(UInt8(ascii: "}"))
  }
}
