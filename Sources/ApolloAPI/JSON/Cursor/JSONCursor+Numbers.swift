// JSON numbers at the cursor.

/// The powers of ten that a `Double` holds exactly.
private let powersOfTen: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1) { value, _ in value * 10 } }

extension JSONCursor {
  /// Reads a GraphQL `Int`. Servers that send more than 32 bits are understood as well, where `Int` has more.
  @inline(__always) mutating func int() throws(__ReadError) -> Int {
    if p.byte <= 0x20 { skipSpace() }
    let start = p
    var q = p
    let isNegative = q.byte == UInt8(ascii: "-")
    if isNegative { q += 1 }
    let digits = q
    var value = 0
    while case let digit = q.byte &- 0x30, digit < 10 {
      value = value &* 10 &+ Int(digit)
      q += 1
    }
    let count = q - digits
    // All numbers of 18 digits fit in 64 bits, and all of 9 digits in 32.
    guard count > 0, count < (Int.bitWidth == 64 ? 19 : 10), digits.byte != 0x30 || count == 1,
      q.byte != UInt8(ascii: "."), q.byte | 0x20 != UInt8(ascii: "e")
    else { return try unusualInt(start) }
    p = q
    return isNegative ? -value : value
  }

  /// Reads integers that may not fit, fractions and exponents, and fails for everything that is not a
  /// number.
  @inline(never) private mutating func unusualInt(_ start: Bytes) throws(__ReadError) -> Int {
    guard p.byte == UInt8(ascii: "-") || p.byte &- 0x30 < 10 else { throw mismatch(.expectedInt) }
    try skipNumber()
    guard let digits = integerDigits(start.text(to: p)) else {
      p = start
      throw error(.fractionInInt)
    }
    guard let value = Int(digits) else {
      p = start
      throw error(.numberOutOfRange)
    }
    return value
  }

  /// Reads a GraphQL `Float`, correctly rounded. Up to 15 digits and a power of ten up to 22 are exact in a `Double`,
  /// so one division rounds once.
  @inline(__always) mutating func double() throws(__ReadError) -> Double {
    if p.byte <= 0x20 { skipSpace() }
    let start = p
    var q = p
    let isNegative = q.byte == UInt8(ascii: "-")
    if isNegative { q += 1 }
    let first = q
    var mantissa: UInt64 = 0, digits = 0, fraction = 0
    while case let digit = q.byte &- 0x30, digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      q += 1
    }
    digits = q - first
    if q.byte == UInt8(ascii: ".") {
      q += 1
      let point = q
      while case let digit = q.byte &- 0x30, digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        q += 1
      }
      fraction = q - point
      guard fraction > 0 else { return try unusualDouble(start) }
    }
    guard digits > 0, digits + fraction <= 15, first.byte != 0x30 || digits == 1,
      q.byte | 0x20 != UInt8(ascii: "e")
    else { return try unusualDouble(start) }
    p = q
    let value = fraction == 0 ? Double(mantissa) : Double(mantissa) / powersOfTen[fraction]
    return isNegative ? -value : value
  }

  @inline(never) private mutating func unusualDouble(_ start: Bytes) throws(__ReadError) -> Double {
    guard p.byte == UInt8(ascii: "-") || p.byte &- 0x30 < 10 else { throw mismatch(.expectedFloat) }
    try skipNumber()
    let text = start.text(to: p)
    guard let value = Double(text), value.isFinite else {
      p = start
      throw error(.numberOutOfRange)
    }
    return value
  }

  /// Skips a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  @inline(never) mutating func skipNumber() throws(__ReadError) {
    let start = p
    if p.byte == UInt8(ascii: "-") { p += 1 }
    let integer = p
    try skipDigits(start)
    guard integer.byte != 0x30 || p == integer + 1 else { p = start; throw error(.badNumber) }
    if p.byte == UInt8(ascii: ".") {
      p += 1
      try skipDigits(start)
    }
    if p.byte | 0x20 == UInt8(ascii: "e") {
      p += 1
      if p.byte == UInt8(ascii: "+") || p.byte == UInt8(ascii: "-") { p += 1 }
      try skipDigits(start)
    }
  }

  private mutating func skipDigits(_ start: Bytes) throws(__ReadError) {
    let first = p
    while p.byte &- 0x30 < 10 { p += 1 }
    guard p > first else {
      if p < end { p = start }
      throw error(.badNumber)
    }
  }
}

/// The digits of an integer, which JSON may also spell as `1.0`, `1e3` or `10e-1`.
///
/// A number of more than 300 digits is returned unchanged.
///
/// - Parameter number: A number in the grammar of JSON.
/// - Returns: The digits, after a sign if it is negative; nil for a number with a fraction.
func integerDigits(_ number: String) -> String? {
  let mantissa = number.prefix { $0 != "e" && $0 != "E" }
  let parts = mantissa.drop { $0 == "-" }.split(separator: ".")
  let fraction = parts.count == 2 ? parts[1] : ""
  var digits = Substring(parts[0] + fraction).drop { $0 == "0" }
  if digits.isEmpty { return "0" }
  // An exponent beyond even this range leaves a fraction, or a number of too many digits.
  let exponentText = number.dropFirst(mantissa.count + 1)
  var exponent = Int(exponentText) ?? (exponentText.isEmpty ? 0 : exponentText.hasPrefix("-") ? -.max : .max)
  exponent = max(exponent, -.max / 2) - fraction.count
  while exponent < 0, digits.last == "0" {
    digits.removeLast()
    exponent += 1
  }
  if exponent < 0 { return nil }
  guard exponent <= 300, digits.count <= 300 else { return number }
  return (mantissa.hasPrefix("-") ? "-" : "") + digits + String(repeating: "0", count: exponent)
}
