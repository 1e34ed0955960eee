/// Numbers as JSON writes them.
enum JSONNumber {
  /// The shortest text that reads as the same number, without a fraction where there is none, or `nil` when the number
  /// is infinite or not a number: JSON has neither.
  static func text(of value: Double) -> String? {
    guard value.isFinite else { return nil }
    if let integer = Int(exactly: value), value.magnitude < 0x1p53 { return String(integer) }
    return value.description
  }

  /// The value of a number that obeys the grammar of JSON: an integer where it is written as one and fits.
  static func value(of text: String) -> GraphQLValue {
    if let integer = Int(text) { return .int(integer) }
    return .double(Double(text) ?? .infinity)
  }
}
