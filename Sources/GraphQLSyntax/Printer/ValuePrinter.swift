/// Prints values and arguments. Each is made whole before it is placed, because whether a list, an object or a field's
/// arguments go on one line depends on how long they would be.
struct ValuePrinter {
  static let maximumLineLength = 80

  var style: Printer.Style = .spaced

  func print(_ value: Value) -> String {
    switch value.kind {
    case .variable(let name): "$" + name.value
    case .int(let text), .float(let text): text
    case .string(let string): print(string)
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    case .enum(let name): name
    case .list(let values): oneLineOrMany(values.map { print($0) }, between: "[", and: "]")
    case .object(let fields):
      oneLineOrMany(
        fields.map { "\($0.name): \(print($0.value))" }, between: "{", and: "}", padding: style == .spaced ? " " : "")
    }
  }

  func print(_ string: StringValue) -> String {
    string.isBlock ? BlockString.print(string.value) : QuotedString.print(string.value)
  }

  func print(_ arguments: [Argument]) -> [String] {
    arguments.map { "\($0.name): \(print($0.value))" }
  }

  func print(_ directives: [Directive]) -> [String] {
    directives.map { directive in
      let arguments = print(directive.arguments).joined(separator: ", ")
      return "@\(directive.name)" + (arguments.isEmpty ? "" : "(\(arguments))")
    }
  }

  private func oneLineOrMany(
    _ items: [String], between open: String, and close: String, padding: String = ""
  ) -> String {
    let line = open + padding + items.joined(separator: ", ") + padding + close
    let fits = style == .dense || line.utf16.count <= Self.maximumLineLength
    return fits ? line : open + Self.block(items) + close
  }

  /// Items on lines of their own, one step further in.
  static func block(_ items: [String]) -> String {
    "\n" + indent(items.joined(separator: "\n")) + "\n"
  }

  private static func indent(_ text: String) -> String {
    var result: [UInt8] = [Ascii.space, Ascii.space]
    for byte in text.utf8 {
      result.append(byte)
      if byte == Ascii.lineFeed { result += [Ascii.space, Ascii.space] }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
