/// The number types of Swift, by name.
enum Numbers {
  private static let holds: [String: @Sendable (String) -> Bool] = [
    "Int": { Int($0) != nil }, "Int8": { Int8($0) != nil }, "Int16": { Int16($0) != nil },
    "Int32": { Int32($0) != nil }, "Int64": { Int64($0) != nil }, "UInt": { UInt($0) != nil },
    "UInt8": { UInt8($0) != nil }, "UInt16": { UInt16($0) != nil }, "UInt32": { UInt32($0) != nil },
    "UInt64": { UInt64($0) != nil }, "Double": { Double($0)?.isFinite == true },
    "Float": { Float($0)?.isFinite == true },
  ]

  static func contains(_ type: String) -> Bool { holds[type] != nil }

  /// A literal of a number type; nil if the type is not a number type of Swift, or cannot hold the number.
  static func literal(_ digits: String, as type: String) -> String? {
    holds[type]?(digits) == true ? digits : nil
  }
}
