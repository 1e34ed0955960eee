import GraphQLJSON

import GraphQLSyntax

extension GraphQLValue: CustomStringConvertible {
  /// The value as error messages show it: like a literal, shortened where it is long or deep.
  public var description: String { description(depth: 0) }

  private static let maximumLength = 10
  private static let maximumDepth = 2

  private func description(depth: Int) -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return String(value)
    case .double(let value): return JSONPrinter.digits(of: value) ?? value.description
    case .string(let value): return Printer.quote(value)
    case .opaque(let value): return String(describing: value)
    case .list(let elements):
      if elements.isEmpty { return "[]" }
      if depth > Self.maximumDepth { return "[Array]" }
      var items = elements.prefix(Self.maximumLength).map { $0.description(depth: depth + 1) }
      let rest = elements.count - items.count
      if rest > 0 { items.append("... \(rest) more item\(rest == 1 ? "" : "s")") }
      return "[" + items.joined(separator: ", ") + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      if depth > Self.maximumDepth { return "[Object]" }
      let items = members.map { "\($0.key): \($0.value.description(depth: depth + 1))" }
      return "{ " + items.joined(separator: ", ") + " }"
    }
  }
}
