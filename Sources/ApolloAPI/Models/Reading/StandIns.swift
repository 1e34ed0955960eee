/// Values that have no form in JSON, for models that are made of values in place of a response: their types conform
/// to ``JSONDecodable`` and not to ``JSONEncodable``. A number stands for each of them where a response would have its
/// JSON.
final class StandIns {
  private var values: [Any] = []

  /// Makes an empty list.
  init() {}

  /// The number that stands for a value.
  func add(_ value: Any) -> Int {
    values.append(value)
    return values.count - 1
  }

  /// The value for which a number stands; nil if it stands for none of the type.
  func value<Value: JSONDecodable>(for json: JSONValue) -> Value? {
    guard let number = json as? Int, values.indices.contains(number) else { return nil }
    return values[number] as? Value
  }
}
