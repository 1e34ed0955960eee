/// The keys that have numbers in one store, or in one batch of records.
///
/// Keys are only added, so a number has one meaning as long as this lives. A store that has many keys without use makes
/// a new one, and gives its records new numbers.
package struct StoreKeys: ~Copyable {
  /// The keys of records, such as `Human:1000`.
  var records = KeyNumbers()
  /// The keys of fields with arguments, such as `friends(first:10)`.
  private(set) var fields = KeyNumbers()

  init() {}

  var count: Int { records.count + fields.count }

  // MARK: Records

  /// The number of the key of a record. A new key is given a number.
  package mutating func insert(_ key: String) -> Int32 { records.insert(key) }

  /// The number of the key of a record, if it has one.
  package borrowing func number(of key: String) -> Int32? { records.find(key) }

  /// The key of a record; nil if no key has the number.
  package borrowing func key(of number: Int32) -> String? {
    number >= 0 && Int(number) < records.count ? records[number] : nil
  }

  // MARK: Fields

  /// The key of a field. A new text with arguments is given a number.
  ///
  /// - Parameter text: The name, or the name and the arguments.
  /// - Returns: The key.
  package mutating func fieldKey(_ text: String) -> FieldKey {
    Self.hasArguments(text) ? FieldKey(withArguments: fields.insert(text)) : .forName(text)
  }

  /// The key of a field, if it has a number.
  package borrowing func findFieldKey(_ text: String) -> FieldKey? {
    Self.hasArguments(text) ? fields.find(text).map(FieldKey.init(withArguments:)) : .find(text)
  }

  /// The name of a field, with its arguments if it has any.
  package borrowing func text(of key: FieldKey) -> String {
    key.hasArguments ? fields[key.number] : key.name
  }

  /// The texts of the fields with arguments, by their numbers.
  var fieldTexts: [String] { (0..<Int32(fields.count)).map { fields[$0] } }

  /// How many bytes the arguments of a field take, together with its name. 0 for a field without arguments.
  borrowing func length(of key: FieldKey) -> Int {
    key.hasArguments ? fields.length(of: key.number) : 0
  }

  /// Adds the keys of a batch.
  ///
  /// - Parameters:
  ///   - batch: The keys of the batch.
  ///   - rules: The rules for those keys of the batch under which no store has a field: it has it under another key.
  /// - Returns: The numbers that the keys of the batch have here.
  mutating func insert(_ batch: borrowing StoreKeys, _ rules: [FieldKey: FieldRule]) -> BatchNumbers {
    var numbers = BatchNumbers()
    numbers.firstNew = Int32(records.count)
    numbers.records.reserveCapacity(batch.records.count)
    for index in 0..<batch.records.count { numbers.records.append(records.insert(Int32(index), of: batch.records)) }
    for index in 0..<batch.fields.count {
      let key = FieldKey(withArguments: Int32(index))
      if !rules.isEmpty, let stored = rules[key]?.storedKey, stored != key {
        numbers.fields.append(numbers.storedKey(of: stored))
        continue
      }
      numbers.fields.append(FieldKey(withArguments: fields.insert(Int32(index), of: batch.fields)))
    }
    return numbers
  }

  private static func hasArguments(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "(")) }
}

/// The numbers that a store has for the keys of a batch, by the batch's own numbers.
struct BatchNumbers: Sendable {
  fileprivate(set) var records: [Int32] = []
  fileprivate var fields: [FieldKey] = []
  /// Numbers of records from this one on are new with the batch.
  fileprivate(set) var firstNew = Int32.max

  /// Whether there are fields with arguments.
  var hasFields: Bool { !fields.isEmpty }

  /// The store's number of a record of the batch.
  subscript(record: Int32) -> Int32 { records[Int(record)] }
  /// The key has to have arguments.
  subscript(key: FieldKey) -> FieldKey { fields[Int(key.number)] }

  /// The store's key for any key of the batch.
  func storedKey(of key: FieldKey) -> FieldKey { key.hasArguments ? self[key] : key }
}
