extension __JSONWriter {
  /// Writes with `write`, and gives what was written as JSON in Swift's own types. A `Double` stays one.
  ///
  /// - Returns: The value; nil if it is nested deeper than 2,048 levels.
  package consuming func value(_ write: (inout __JSONWriter) -> Void) -> JSONValue? {
    keepsFractions = true
    write(&self)
    return try? ResponseReader.jsonValue(ResponseBytes(bytes), maximumDepth: .max)
  }

  /// Writes a JSON value. Members of objects are sorted by name. If a value has no form in JSON, the writer fails, and
  /// the request cannot be sent.
  public mutating func writeJSON(_ value: JSONValue) {
    // A cast takes longer than writing most values, so the type is compared first. It also tells numbers apart, which a
    // cast does not: an NSNumber of 1 can be cast to any of them, and to a Bool.
    let kind = type(of: value)
    if kind == JSONObject.self, let value = value as? JSONObject { return write(value) }
    if kind == String.self, let value = value as? String { return write(value) }
    if kind == Int.self, let value = value as? Int { return write(value) }
    if kind == Bool.self, let value = value as? Bool { return write(value) }
    if kind == Double.self, let value = value as? Double { return write(value) }
    switch value {
    case is JSONNull: writeNull()
    case let value as JSONNumber: writeRaw(value.description.utf8)
    case let value as JSONObject: write(value)
    case let value as [JSONValue]: write(value)
    case let value as any __JSONNumberConvertible:
      if let number = value.__jsonNumber { writeRaw(number.description.utf8) } else { fail(.notFinite(.nan)) }
    case let value as any __JSONWritable: value.__write(to: &self)
    case let value as String: write(value)
    default: fail(.notJSON(kind))
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
