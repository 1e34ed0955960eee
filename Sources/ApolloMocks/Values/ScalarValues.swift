import GraphQLExecution

/// The values of scalars that are known by their names.
enum ScalarValues {
  /// 2026-01-01T00:00:00Z, from which dates go back.
  private static let epoch = 1_767_225_600

  /// A value of a scalar; nil if its name says nothing.
  static func value(of scalar: String, _ draw: inout Draw, text: () -> String) -> GraphQLValue? {
    switch scalar {
    case "Int": .int(draw.below(1_000))
    case "Float": .double(Double(draw.below(10_000)) / 10)
    case "Boolean": .bool(draw.below(2) == 0)
    case "String": .string(text())
    case "ID": .string("\(draw.below(100_000))")
    case "DateTime", "ISO8601DateTime", "Timestamp": .string(dateTime(&draw))
    case "Date", "ISO8601Date", "LocalDate": .string(String(dateTime(&draw).prefix(10)))
    case "Time", "LocalTime": .string(String(dateTime(&draw).dropFirst(11)))
    case "URL", "URI": .string("https://example.com/\(draw.below(1_000))")
    case "UUID": .string(uuid(&draw))
    case "Email", "EmailAddress": .string("user\(draw.below(1_000))@example.com")
    case "JSON", "JSONObject": ["number": .int(draw.below(1_000)), "text": .string(text())]
    case "Long", "BigInt": .string("\(Int64(draw.below(1_000_000)) * 1_000_003)")
    case "Decimal", "BigDecimal": .string("\(draw.below(1_000)).\(draw.below(90) + 10)")
    default: nil
    }
  }

  /// A date in the year before the epoch, by the calendar rules of ISO 8601.
  private static func dateTime(_ draw: inout Draw) -> String {
    let seconds = epoch - 1 - draw.below(365 * 86_400)
    let days = seconds / 86_400, time = seconds % 86_400
    // From the first of March of the year 0 on, so that leap days end a year.
    let shifted = days + 719_468, era = shifted / 146_097, dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(year)-\(two(month))-\(two(day))"
    return "\(date)T\(two(time / 3_600)):\(two(time % 3_600 / 60)):\(two(time % 60))Z"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// A UUID of version 4.
  private static func uuid(_ draw: inout Draw) -> String {
    let variant = ["8", "9", "a", "b"][draw.below(4)]
    return "\(draw.digits(8))-\(draw.digits(4))-4\(draw.digits(3))-\(variant)\(draw.digits(3))-\(draw.digits(12))"
  }
}
