import ApolloIR

/// The text from which the runtime's `FieldTable` is made: the fields that are read by position, and the conditions
/// that are asked for by position.
struct FieldTableText {
  private var fields: [String] = []
  private var conditions: [Condition] = []
  private var hasFragments = false

  /// A field, whose position is the result.
  mutating func add(_ field: FieldMember) -> Int {
    var text = field.responseKey == field.name ? field.name : field.responseKey + ":" + field.name
    if let arguments = field.arguments { text += "(" + arguments + ")" }
    if field.isKey { text += "!" }
    if field.type.leaf == .scalar(.id) { text += "#" }
    fields.append(text)
    return fields.count - 1
  }

  mutating func addTypename() { fields.append("__typename") }

  mutating func addFragment() { hasFragments = true }

  /// The position of a condition; nil for one that always holds.
  mutating func add(_ condition: Condition) -> Int? {
    if condition.isAlways { return nil }
    if let position = conditions.firstIndex(of: condition) { return position }
    conditions.append(condition)
    return conditions.count - 1
  }

  var text: String {
    (fields + (hasFragments ? ["..."] : []) + conditions.map(Self.text)).joined(separator: " ")
  }

  private static func text(_ condition: Condition) -> String {
    "?"
      + condition.terms.map { term in
        term.map { ($0.isNegated ? "!$" : "$") + $0.variable }.joined(separator: "&")
      }.joined(separator: "|")
  }
}
