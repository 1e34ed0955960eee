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

/// A value in other types than its own, each made when it is asked for; nil for one that does not hold the value.
///
/// A number has those that JSON does not distinguish: `Double`, `Int` and `Int64`. A list and an object have those of
/// Apollo iOS 1, `[AnyHashable]` and `[String: AnyHashable]`, and those of `JSONSerialization`, whose numbers can be
/// cast to every type that holds them. On Apple's systems an `NSNumber` that is put into an `AnyHashable` cannot: there
/// it becomes an `Int64`. So the AnyHashables come once more, with all of their numbers as `Double`.
func otherForms(of value: JSONValue) -> [() -> JSONValue?] {
  switch value {
  case let number as Int: [{ Double(exactly: number) }, { Int64(number) }]
  // (From this size on, the digits that were sent are lost.)
  case let number as Double where number.magnitude < 0x1p53: [{ Int(exactly: number) }, { Int64(exactly: number) }]
  case is JSONNumber: [{ wholeNumber(value) }, { double(value) }]
  case is JSONObject, is [JSONValue]:
    [
      { json([AnyHashable.comparable(value)]) },
      { foundationObject(value) },
      { json([AnyHashable.comparable(value) { double($0) ?? $0 }]) },
    ]
  default: []
  }
}

/// The number as a `Double`; nil for a value of another kind, and for a number beyond its range.
private func double(_ value: JSONValue) -> Double? {
  switch value {
  case let value as Int: Double(exactly: value)
  case let value as JSONNumber: Double(value.description).flatMap { $0.isFinite ? $0 : nil }
  default: nil
  }
}

/// A list or an object as that of Foundation, which this module does not import; nil in a program without Foundation.
private func foundationObject(_ value: JSONValue) -> JSONValue? {
  (value as? any _ObjectiveCBridgeable).flatMap { json([$0._bridgeToObjectiveC() as AnyObject]) }
}

/// The element of a list, which is JSON, although its type does not say that it is `Sendable`.
private func json(_ list: Any) -> JSONValue? { (list as? [JSONValue])?.first }

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
