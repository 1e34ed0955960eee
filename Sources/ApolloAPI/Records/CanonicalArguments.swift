/// Writes the arguments of a field in one canonical form, so that equal arguments make equal field keys.
///
/// The template comes from a ``__FieldTable``: arguments sorted by name, values in JSON with `$name` for variables. If
/// a variable has no value, its argument or input field is absent, and not null. Members of input objects are sorted by
/// name.
enum CanonicalArguments {
  static func fieldKey(name: String, arguments: [UInt8], variables: Variables) -> String {
    var template = Template(bytes: arguments[...], variables: variables)
    let text = template.members(until: nil).map { $0.name + ":" + $0.value }.joined(separator: ",")
    return text.isEmpty ? name : name + "(" + text + ")"
  }

  /// The arguments that have a value, with the values of variables in them.
  static func values(arguments: [UInt8], variables: Variables) -> JSONObject {
    var template = Template(bytes: arguments[...], variables: variables)
    var values: JSONObject = [:]
    for (name, value) in template.members(until: nil) { values[name] = try? ResponseReader.jsonValue(value) }
    return values
  }

  /// A cursor in JSON, in JSON with variables, or in a list of arguments.
  private struct Template {
    var bytes: ArraySlice<UInt8>
    let variables: Variables

    mutating func members(until close: UInt8?) -> [(name: String, value: String)] {
      var members: [(name: String, value: String)] = []
      while let first = next(), first != close {
        if first == UInt8(ascii: ",") {
          bytes.removeFirst()
          continue
        }
        let name = scan { $0 == UInt8(ascii: ":") }
        bytes = bytes.dropFirst()
        if let value = value() { members.append((name, value)) }
      }
      bytes = bytes.dropFirst()
      return members
    }

    /// nil for a variable without a value.
    mutating func value() -> String? {
      guard let first = next() else { return nil }
      switch first {
      case UInt8(ascii: "$"):
        bytes.removeFirst()
        let name = scan { !($0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26) }
        guard let json = variables[name] else { return nil }
        var inner = Template(bytes: json, variables: .none)
        return inner.value()
      case UInt8(ascii: "{"):
        bytes.removeFirst()
        let members = members(until: UInt8(ascii: "}")).sorted { $0.name < $1.name }
        return "{" + members.map { $0.name + ":" + $0.value }.joined(separator: ",") + "}"
      case UInt8(ascii: "["):
        bytes.removeFirst()
        return "[" + elements().joined(separator: ",") + "]"
      default:
        return scan { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }
      }
    }

    private mutating func elements() -> [String] {
      var elements: [String] = []
      while let first = next(), first != UInt8(ascii: "]") {
        if first == UInt8(ascii: ",") { bytes.removeFirst() } else { elements.append(value() ?? "null") }
      }
      bytes = bytes.dropFirst()
      return elements
    }

    private mutating func next() -> UInt8? {
      while let byte = bytes.first, byte <= 0x20 { bytes.removeFirst() }
      return bytes.first
    }

    /// The text before the first byte that stops it; strings count as a whole.
    private mutating func scan(until stop: (UInt8) -> Bool) -> String {
      var end = bytes.startIndex, isQuoted = false
      while end < bytes.endIndex, isQuoted || !stop(bytes[end]) {
        if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
        if bytes[end] == UInt8(ascii: "\\") { end += 1 }
        end += 1
      }
      end = min(end, bytes.endIndex)
      defer { bytes = bytes[end...] }
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}
