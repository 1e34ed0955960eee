/// How pages of a field become one list in the cache: what a ``__FieldTable`` says of the field, such as
/// `%r:first,last,before,after`.
struct PaginationPolicy: Sendable, Hashable {
  enum Style: Sendable, Hashable {
    /// A connection, by the GraphQL Cursor Connections Specification. Arguments: first, last, before, after.
    case relay
    /// A part of a list from an index on. Arguments: offset, limit.
    case offset
    /// A part of a list by its number; the first page has this number. Arguments: page, size.
    case page(first: Int)
    /// What comes behind everything that came before.
    case append
    /// Nothing is merged: the arguments are only left out of the key.
    case key
  }

  var style: Style
  /// Whether the pages behind the first one stay when it is loaded again, if they fit.
  var keepsPages = false
  /// The arguments, or paths such as `input.after`, that are not in the key of the stored field: one for each role that
  /// the style has, empty if the field has no such argument, and then others.
  var arguments: [String]

  /// The paths that are not in the key of the stored field.
  var excludedPaths: [[Substring]] { arguments.filter { !$0.isEmpty }.map { $0.split(separator: ".") } }

  /// The value of the argument with a role.
  private func value(_ role: Int, _ input: FieldPolicy.InputData) -> JSONValue? {
    guard arguments.indices.contains(role), !arguments[role].isEmpty else { return nil }
    return input.value(at: arguments[role])
  }

  /// Whether one of the arguments has a value.
  func hasArguments(_ input: FieldPolicy.InputData) -> Bool {
    arguments.contains { !$0.isEmpty && input.value(at: $0) != nil }
  }

  /// A number of elements, or of a page, from 0 to `limit`.
  func int(_ role: Int, _ input: FieldPolicy.InputData) -> Int? {
    let value = value(role, input)
    return (wholeNumber(value) ?? (value as? String).flatMap { Int64($0) }).map(Self.limited)
  }

  /// More elements than any list has. An `Int` can hold it, also one of 32 bits.
  static let limit = Int(Int32.max)

  /// The number, or what is nearest to it from 0 to `limit`.
  static func limited(_ number: Int64) -> Int { Int(min(max(number, 0), Int64(limit))) }

  /// A cursor: a text, or a number that a server takes for one. An empty text is none.
  func cursor(_ role: Int, _ input: FieldPolicy.InputData) -> String? {
    switch value(role, input) {
    case let value as String: value.isEmpty ? nil : value
    case let value as Int: String(value)
    case let value as JSONNumber: value.description
    default: nil
    }
  }
}
