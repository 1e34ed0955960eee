import ApolloAPI

/// The numbers that a file has for the names of fields and types. A number keeps its name for ever.
struct Names: Sendable {
  private(set) var numbers: [String: Int64] = [:]
  private(set) var texts: [Int64: String] = [:]
  /// The keys of fields by their numbers, which are small in a file that is whole.
  private var fields: [FieldKey?] = []
  /// The highest number.
  static let limit: Int64 = 1_000_000
  private var fieldNumbers: [FieldKey: Int64] = [:]

  subscript(name: String) -> Int64? { numbers[name] }

  mutating func insert(_ name: String, _ number: Int64) {
    guard (1...Self.limit).contains(number) else { return }
    numbers[name] = number
    texts[number] = name
    let key = FieldKey.forName(name)
    let index = Int(number)
    if index >= fields.count { fields += Array(repeating: nil, count: index + 1 - fields.count) }
    fields[index] = key
    fieldNumbers[key] = number
  }

  /// The key of a field without arguments.
  func field(_ number: Int64) -> FieldKey? {
    number > 0 && number < fields.count ? fields[Int(number)] : nil
  }

  /// The number of a field without arguments.
  func number(of key: FieldKey) -> Int64? { fieldNumbers[key] }
}
