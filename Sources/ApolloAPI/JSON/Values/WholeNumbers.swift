/// The integer that a JSON value is, even if it is spelled as `1.0`. nil for all other values. It has 64 bits wherever the
/// program runs, because servers send identifiers and times that an `Int` of a watch cannot hold.
package func wholeNumber(_ value: JSONValue?) -> Int64? {
  switch value {
  case let value as Int: Int64(value)
  case let value as Double: Int64(exactly: value)
  case let value as JSONNumber: Int64(value.description)
  default: nil
  }
}

extension Double {
  /// The integer as which the number is written in JSON; nil: it is written as its description. The bytes are the same
  /// wherever the program runs, also where `Int` has 32 bits.
  var writtenInteger: Int64? {
    guard magnitude < 0x1p53, let integer = Int64(exactly: self), integer != 0 || sign == .plus else { return nil }
    return integer
  }
}

/// A value in other types than its own. A number has those that JSON does not distinguish: `Double`, `Int` and `Int64`,
/// where they hold it. A list and an object have those of Apollo iOS 1: `[AnyHashable]` and `[String: AnyHashable]`.
func otherForms(of value: JSONValue) -> [JSONValue] {
  var others: [JSONValue] = []
  switch value {
  case let value as Int:
    if let value = Double(exactly: value) { others.append(value) }
    others.append(Int64(value))
  // (From this size on, the digits that were sent are lost.)
  case let value as Double where value.magnitude < 0x1p53:
    if let value = Int(exactly: value) { others.append(value) }
    if let value = Int64(exactly: value) { others.append(value) }
  case let value as JSONNumber:
    if let value = Int64(value.description) { others.append(value) }
    if let value = Double(value.description), value.isFinite { others.append(value) }
  case is JSONObject, is [JSONValue]:
    // (What an AnyHashable holds is taken out by the cast of a list.)
    others = ([AnyHashable.comparable(value)] as Any) as? [JSONValue] ?? []
  default: break
  }
  return others
}

/// The whole seconds of a time, or what is nearest to them in 64 bits; 0 for a time that is not a number.
///
/// A conversion to `Int` ends the program where `Int` has 32 bits, from 2038 on or when a clock is wrong.
///
/// - Parameter time: The time in seconds, from any beginning.
/// - Returns: The seconds, without their fraction.
package func wholeSeconds(_ time: Double) -> Int64 {
  let seconds = time.rounded(.towardZero)
  return Int64(exactly: seconds) ?? (seconds > 0 ? .max : seconds < 0 ? .min : 0)
}
