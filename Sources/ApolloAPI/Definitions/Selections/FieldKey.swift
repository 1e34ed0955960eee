/// A small number for the key under which a record keeps a field: its name, or its name and its arguments in canonical
/// form, such as `friends(first:10)`.
///
/// Names are numbered once for the process: generated code has a bounded number of them. A key with arguments has a
/// number in the ``StoreKeys`` of one store, or of one batch of records, because an app may use any number of arguments
/// in its life.
package struct FieldKey: Hashable, Sendable {
  /// The number, which has a meaning in this process only.
  package let rawValue: UInt32

  private static let argumentsBit: UInt32 = 1 << 31

  /// Stands for a key that is not known yet, and in dependencies for any field of a record.
  package static let unresolved = FieldKey(rawValue: 0)
  /// The key of `__typename`.
  package static let typename = forName("__typename")

  init(rawValue: UInt32) { self.rawValue = rawValue }

  // MARK: Names

  /// The key of a field without arguments.
  package static func forName(_ name: String) -> FieldKey {
    names.withLock { $0.insert(name) }
  }

  /// The key of a field without arguments, if the name has a number.
  static func find(_ name: String) -> FieldKey? {
    names.withLock { $0.keys[name] }
  }

  /// The name of a field without arguments.
  var name: String {
    Self.names.withLock { $0.texts[Int(rawValue)] }
  }

  private struct Names {
    var texts = [""]
    var keys: [String: FieldKey] = [:]

    mutating func insert(_ text: String) -> FieldKey {
      if let known = keys[text] { return known }
      let key = FieldKey(rawValue: UInt32(texts.count))
      texts.append(text)
      keys[text] = key
      return key
    }
  }

  private static let names = Locked(Names())

  // MARK: Arguments

  /// The key of a field with arguments.
  ///
  /// - Parameter number: The number of the key in the ``StoreKeys/fields`` of a store or a batch.
  init(withArguments number: Int32) { rawValue = UInt32(number) | Self.argumentsBit }

  /// Whether it is of a field with arguments.
  package var hasArguments: Bool { rawValue & Self.argumentsBit != 0 }

  /// The number of a key with arguments in its ``StoreKeys``.
  var number: Int32 { Int32(rawValue & ~Self.argumentsBit) }

  /// The text of the key of a field with certain arguments.
  package static func text(of name: String, arguments: JSONObject) -> String {
    let members = arguments.sorted { $0.key < $1.key }.map { name, value in
      var writer = __JSONWriter()
      writer.writeJSON(value)
      return name + ":" + writer.text
    }
    return members.isEmpty ? name : name + "(" + members.joined(separator: ",") + ")"
  }
}
