/// Writes the arguments of a field in one canonical form, so that equal arguments make equal field keys.
///
/// The template comes from a ``__FieldTable``: arguments sorted by name, values in JSON with `$name` for variables, and
/// `$Fragment.name` for those of a fragment. If
/// a variable has no value, its argument or input field is absent, and not null. Members of input objects are sorted by
/// name.
enum CanonicalArguments {
  /// The key under which a record has a field.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - arguments: The template of its arguments.
  ///   - policy: The policy of the field; nil if it has none. If all arguments that it names have a value, the others
  ///     are not in the key, because they do not tell objects apart.
  ///   - pagination: How the field's pages become one list; nil, the default: it has none. The arguments that tell pages
  ///     apart are not in the key.
  ///   - variables: The variables of the operation.
  /// - Returns: The name, with the arguments in parentheses if there are some.
  static func fieldKey(
    name: String, arguments: [UInt8], policy: DeclaredFieldPolicy?, pagination: PaginationPolicy? = nil,
    variables: Variables
  ) -> String {
    var template = Template(arguments[...], variables: variables, isKey: true)
    var wanted = Wanted(except: pagination?.excludedPaths ?? [])
    if let policy, !policy.keyArguments.isEmpty {
      let input = FieldPolicy.InputData(arguments: values(arguments: arguments, variables: variables))
      if policy.keyArguments.allSatisfy({ input.value(at: $0) != nil }) {
        wanted.only = policy.keyArguments.map { $0.split(separator: ".") }
      }
    }
    let members = template.members(until: nil, wanted)
    guard !members.isEmpty else { return name }
    var key = name
    for (index, member) in members.enumerated() {
      key += index == 0 ? "(" : ","
      key += member.name
      key += ":"
      key += member.value
    }
    return key + ")"
  }

  /// The arguments that have a value, with the values of variables in them.
  static func values(arguments: [UInt8], variables: Variables) -> JSONObject {
    var values: JSONObject = [:]
    for (name, value) in texts(arguments: arguments, variables: variables) {
      values[name] = try? JSONCursor.value(of: value)
    }
    return values
  }

  /// The arguments that have a value, each value as canonical JSON.
  static func texts(arguments: [UInt8], variables: Variables) -> [(name: String, value: String)] {
    var template = Template(arguments[...], variables: variables)
    return template.members(until: nil)
  }

  /// A number as a variable would have it: `1` for `1.0`, and `1000` for `1e3`.
  ///
  /// A number of more digits than any `Double` keeps stays as it is, because a custom scalar may tell it from others.
  private static func number(_ text: String) -> String {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    guard mantissa.count < text.utf8.count || mantissa.contains(UInt8(ascii: ".")),
      mantissa.count(where: { $0 &- 0x30 < 10 }) <= 15, let value = Double(text), value.isFinite
    else { return text }
    return value.writtenInteger?.description ?? value.description
  }

  /// Which arguments, or members of them, are in a key.
  private struct Wanted {
    /// The paths of those that are; nil: all.
    var only: [[Substring]]?
    /// The paths of those that are not.
    var except: [[Substring]] = []

    private var isAll: Bool { only == nil && except.isEmpty }

    /// What is wanted of a member; nil if the member is not wanted.
    func inside(_ name: String) -> Wanted? {
      if isAll { return self }
      func below(_ paths: [[Substring]]) -> [[Substring]] {
        paths.filter { $0[0] == name || name == "\"\($0[0])\"" }.map { Array($0.dropFirst()) }
      }
      var inside = Wanted(except: below(except))
      if inside.except.contains(where: \.isEmpty) { return nil }
      if let only {
        let paths = below(only)
        if paths.isEmpty { return nil }
        if !paths.contains(where: \.isEmpty) { inside.only = paths }
      }
      return inside
    }
  }

  /// A cursor in JSON, in JSON with variables, or in a list of arguments.
  private struct Template {
    private let bytes: ArraySlice<UInt8>
    /// Where the cursor is.
    private var position: Int
    private let variables: Variables
    /// Whether the text is a part of a key, in which equal numbers are written alike.
    private let isKey: Bool

    init(_ bytes: ArraySlice<UInt8>, variables: Variables, isKey: Bool = false) {
      (self.bytes, position) = (bytes, bytes.startIndex)
      (self.variables, self.isKey) = (variables, isKey)
    }

    /// - Parameters:
    ///   - close: What the members end with; nil: the end of the text.
    ///   - wanted: The members that are wanted, and the members of these. The default is all.
    /// - Returns: The members that have a value.
    mutating func members(until close: UInt8?, _ wanted: Wanted = Wanted()) -> [(name: String, value: String)] {
      var members: [(name: String, value: String)] = []
      while let first = next(), first != close {
        if first == UInt8(ascii: ",") {
          position += 1
          continue
        }
        let name = scan { $0 == UInt8(ascii: ":") }
        position += 1
        let inside = wanted.inside(name), value = value(inside ?? Wanted())
        // An object of which all is left out is left out itself, and so is null in its place.
        guard let inside, let value, inside.except.isEmpty || value != "{}" && value != "null" else { continue }
        members.append((name, value))
      }
      position += 1
      return members
    }

    /// nil for a variable without a value.
    mutating func value(_ wanted: Wanted = Wanted()) -> String? {
      guard let first = next() else { return nil }
      switch first {
      case UInt8(ascii: "$"):
        position += 1
        let name = scan { byte in
          // The variable of a fragment has the name of the fragment before its own.
          let isJoint = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
          return !(isJoint || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26)
        }
        guard let json = variables[name] else { return nil }
        var inner = Template(json, variables: .none, isKey: isKey)
        return inner.value(wanted)
      case UInt8(ascii: "{"):
        position += 1
        let members = members(until: UInt8(ascii: "}"), wanted).sorted { $0.name < $1.name }
        return "{" + members.map { $0.name + ":" + $0.value }.joined(separator: ",") + "}"
      case UInt8(ascii: "["):
        position += 1
        return "[" + elements().joined(separator: ",") + "]"
      default:
        let text = scan { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }
        return isKey && (first == UInt8(ascii: "-") || first &- 0x30 < 10) ? CanonicalArguments.number(text) : text
      }
    }

    private mutating func elements() -> [String] {
      var elements: [String] = []
      while let first = next(), first != UInt8(ascii: "]") {
        if first == UInt8(ascii: ",") { position += 1 } else { elements.append(value() ?? "null") }
      }
      position += 1
      return elements
    }

    private mutating func next() -> UInt8? {
      while position < bytes.endIndex, bytes[position] <= 0x20 { position += 1 }
      return position < bytes.endIndex ? bytes[position] : nil
    }

    /// The text before the first byte that stops it; strings count as a whole.
    private mutating func scan(until stop: (UInt8) -> Bool) -> String {
      let start = position
      var isQuoted = false
      while position < bytes.endIndex, isQuoted || !stop(bytes[position]) {
        if bytes[position] == UInt8(ascii: "\"") { isQuoted.toggle() }
        if bytes[position] == UInt8(ascii: "\\") { position += 1 }
        position += 1
      }
      return String(decoding: bytes[min(start, bytes.endIndex)..<min(position, bytes.endIndex)], as: UTF8.self)
    }
  }
}
