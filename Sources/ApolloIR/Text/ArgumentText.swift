import GraphQLJSON
import GraphQLSyntax

/// Writes the arguments of a field in the one form that cache keys are made of: sorted by name, values as JSON with
/// `$name` for variables and sorted members.
enum ArgumentText {
  static func text(_ arguments: [Argument]) -> String? {
    guard !arguments.isEmpty else { return nil }
    return arguments.sorted { $0.name.value < $1.name.value }
      .map { "\($0.name.value):\(text($0.value))" }.joined(separator: ",")
  }

  private static func text(_ value: Value) -> String {
    switch value.kind {
    case .variable(let name): "$" + name.value
    case .int(let digits), .float(let digits): digits
    case .string(let string): JSONPrinter.quote(string.value)
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    case .enum(let name): JSONPrinter.quote(name)
    case .list(let values): "[" + values.map(text).joined(separator: ",") + "]"
    case .object(let fields):
      "{"
        + fields.sorted { $0.name.value < $1.name.value }
        .map { JSONPrinter.quote($0.name.value) + ":" + text($0.value) }.joined(separator: ",") + "}"
    }
  }
}
