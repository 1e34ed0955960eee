import GraphQLExecution
import GraphQLSyntax

/// What `@mock` says of a field or a scalar, for example in a file beside the schema:
///
///     extend type User {
///       name: String! @mock(examples: ["Ann", "Ben"])
///       friends: [User!]! @mock(list: [0, 5])
///     }
struct MockDirective: Sendable {
  static let name = "mock"

  /// The only value.
  var value: GraphQLValue?
  /// The values of which each place has one.
  var examples: [GraphQLValue] = []
  /// How many elements a list has.
  var size: ClosedRange<Int>?
  /// The message of an error in place of a value.
  var error: String?

  /// Reads the directive.
  ///
  /// - Throws: ``MockSchemaError`` for an argument that it does not have, or of the wrong type.
  init(_ directive: Directive, at coordinate: String) throws(MockSchemaError) {
    for argument in directive.arguments {
      let name = argument.name.value, value = GraphQLValue(untyped: argument.value) ?? .null
      switch (name, value) {
      case ("value", _): self.value = value
      case ("examples", .list(let examples)) where !examples.isEmpty: self.examples = examples
      case ("error", .string(let message)): error = message
      case ("list", _) where Self.size(value) != nil: size = Self.size(value)
      case ("examples", _), ("error", _), ("list", _):
        throw MockSchemaError(
          "@mock of \(coordinate): \"\(name)\" cannot be \(value). It takes \(Self.forms[name] ?? "").")
      default:
        throw MockSchemaError(
          "@mock of \(coordinate) has no argument \"\(name)\". It takes value, examples, list and error.")
      }
    }
  }

  /// Whether it says values.
  var hasValues: Bool { value != nil || !examples.isEmpty }

  /// The value of a place; nil if only other things are said.
  func value(_ draw: inout Draw) -> GraphQLValue? {
    if let value { return value }
    if examples.isEmpty { return Optional.none }
    return draw.element(of: examples)
  }

  private static func size(_ value: GraphQLValue) -> ClosedRange<Int>? {
    if let count = value.int, count >= 0 { return count...count }
    guard let bounds = value.list, bounds.count == 2, let low = bounds[0].int, let high = bounds[1].int, low >= 0,
      low <= high
    else { return nil }
    return low...high
  }

  private static let forms = [
    "examples": "a list of values", "error": "the text of a message",
    "list": "a size, or the smallest and the largest one",
  ]

  /// Checks that the values fit the field, and that the field may have values of its own.
  ///
  /// - Throws: ``MockSchemaError`` that names the field.
  func check(against facts: SchemaFacts, at coordinate: String) throws(MockSchemaError) {
    let parts = coordinate.split(separator: ".").map(String.init)
    guard parts.count == 2, let field = facts.field(parts[1], of: parts[0]) else { return }
    guard !facts.keyFields(of: parts[0]).contains(parts[1]) else {
      throw MockSchemaError(
        "@mock of \(coordinate): the field is the key of its object. Say in the field that leads to the object which one "
          + "it is: @mock(value: { \(parts[1]): … })")
    }
    for value in examples + (value.map { [$0] } ?? []) {
      try Fit.check(value, as: field.type, facts, at: "@mock of \(coordinate)")
    }
    if size != nil, field.type.element == nil, facts.connection(field.type.namedType.value) == nil {
      throw MockSchemaError(
        "@mock of \(coordinate): \"list\" is for lists and connections, and this is a \(field.type).")
    }
  }
}
