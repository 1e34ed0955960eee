/// Writes values as [JSON](https://www.rfc-editor.org/rfc/rfc8259) without spaces.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: GraphQLValue) {
    switch value {
    // Results hold no opaque values: completing a leaf refuses them.
    case .null, .opaque: write("null")
    case .bool(let value): write(value ? "true" : "false")
    case .int(let value): write(String(value))
    case .double(let value): write(JSONNumber.text(of: value) ?? "null")
    case .string(let value): writeString(value)
    case .list(let elements):
      writeSequence("[", elements, "]") { writer, element in writer.write(element) }
    case .object(let members):
      writeSequence("{", members, "}") { writer, member in
        writer.writeString(member.key)
        writer.write(":")
        writer.write(member.value)
      }
    }
  }

  private mutating func writeSequence<Elements: Sequence>(
    _ open: StaticString, _ elements: Elements, _ close: StaticString, _ body: (inout Self, Elements.Element) -> Void
  ) {
    write(open.description)
    var isFirst = true
    for element in elements {
      if !isFirst { write(",") }
      isFirst = false
      body(&self, element)
    }
    write(close.description)
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func writeString(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case UInt8(ascii: "\n"): write("\\n")
      case UInt8(ascii: "\r"): write("\\r")
      case UInt8(ascii: "\t"): write("\\t")
      case 0..<0x20: write(byte < 0x10 ? "\\u000" : "\\u00"); write(String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension GraphQLValue {
  /// The value as JSON in UTF-8, members in their order. What JSON cannot hold, opaque values and infinite numbers, is
  /// written as `null`.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }
}
