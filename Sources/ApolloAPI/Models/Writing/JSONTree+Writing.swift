extension JSONTree: __JSONWritable {
  /// Writes the value; text that was not looked into as it came.
  package func __write(to writer: inout __JSONWriter) {
    switch self {
    case .text(let bytes, let range): writer.writeRaw(bytes, range)
    case .object(let members):
      writer.writeObject { writer in
        for name in members.names {
          if let value = members[name] { writer.write(member: name, value) }
        }
      }
    case .list(let elements): writer.writeList(elements) { $1.__write(to: &$0) }
    }
  }
}

extension JSONTree {
  /// The value in Swift's own types.
  package var value: JSONValue { __JSONWriter().value { __write(to: &$0) } ?? JSONNull() }
}
