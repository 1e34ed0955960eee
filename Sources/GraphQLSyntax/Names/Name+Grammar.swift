extension Diagnostic.Code {
  /// A name that the grammar does not have, in a document or a schema that was not parsed from a text.
  public static let invalidName = Self("invalid-name")
}

extension Name {
  /// Why no text can have this name, in the words of the reference implementation; nil if one can.
  ///
  /// A parser makes names of letters, digits and underscores only. Names of an introspection, and those that are made in
  /// code, can be any text.
  package var problem: String? {
    guard let first = value.utf8.first else { return "Expected name to be a non-empty string." }
    guard value.utf8.allSatisfy(Self.isPart) else {
      return "Names must only contain [_a-zA-Z0-9] but \"\(value)\" does not."
    }
    let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
    return isDigit ? "Names must start with [_a-zA-Z] but \"\(value)\" does not." : nil
  }

  /// Why no text can have an enum value with this name; nil if one can.
  package var problemAsEnumValue: String? {
    ["true", "false", "null"].contains(value) ? "Enum values cannot be named: \(value)" : problem
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
