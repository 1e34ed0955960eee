import ApolloAPI

/// The numbers that a file has for the names of fields and types. A number keeps its name for ever.
struct Names: Sendable {
  private(set) var numbers: [String: Int64] = [:]
  private(set) var texts: [Int64: String] = [:]
  private var fields: [Int64: FieldKey] = [:]
  private var fieldNumbers: [FieldKey: Int64] = [:]

  subscript(name: String) -> Int64? { numbers[name] }

  mutating func insert(_ name: String, _ number: Int64) {
    numbers[name] = number
    texts[number] = name
    let key = FieldKey.forName(name)
    fields[number] = key
    fieldNumbers[key] = number
  }

  /// The key of a field without arguments.
  func field(_ number: Int64) -> FieldKey? { fields[number] }

  /// The number of a field without arguments.
  func number(of key: FieldKey) -> Int64? { fieldNumbers[key] }
}
