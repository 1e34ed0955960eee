/// A small number for the key under which a record keeps a field: its name and its arguments in canonical form,
/// such as `friends(first:10)`.
///
/// Names without arguments are numbered once for the process: generated code has a bounded number of them.
/// Keys with arguments are numbered as operations are executed.
package struct FieldKey: Hashable, Sendable {
  package let rawValue: UInt32

  package static let unresolved = FieldKey(rawValue: 0)

  package static func forName(_ name: String) -> FieldKey {
    registry.withLock { $0.intern(name) }
  }

  /// The key of a name with arguments that was numbered before.
  package static func find(_ text: String) -> FieldKey? {
    registry.withLock { $0.keys[text] }
  }

  package static let typename = forName("__typename")

  /// The text of the key of a field with certain arguments.
  package static func text(of name: String, arguments: JSONObject) -> String {
    let members = arguments.sorted { $0.key < $1.key }.map { name, value in
      var writer = __JSONWriter()
      writer.writeJSON(value)
      return name + ":" + writer.text
    }
    return members.isEmpty ? name : name + "(" + members.joined(separator: ",") + ")"
  }

  /// `name` or `name(arguments)`.
  package var text: String {
    Self.registry.withLock { $0.texts[Int(rawValue)] }
  }

  private struct Registry {
    var texts = [""]
    var keys: [String: FieldKey] = [:]

    mutating func intern(_ text: String) -> FieldKey {
      if let known = keys[text] { return known }
      let key = FieldKey(rawValue: UInt32(texts.count))
      texts.append(text)
      keys[text] = key
      return key
    }
  }

  private static let registry = Locked(Registry())
}
