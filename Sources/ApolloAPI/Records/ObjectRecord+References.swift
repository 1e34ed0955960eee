extension ObjectRecord {
  /// Replaces the numbers of a batch by those of a store. The record must not be shared yet.
  package func renumberReferences(_ numbers: [Int32]) {
    changeValues { $0.renumberReferences(numbers) }
  }
}

extension RecordValue {
  fileprivate mutating func renumberReferences(_ numbers: [Int32]) {
    switch self {
    case .reference(let number): self = .reference(numbers[Int(number)])
    case .references(var list):
      self = .null
      for index in list.indices where list[index] >= 0 { list[index] = numbers[Int(list[index])] }
      self = .references(list)
    case .object(let record): record.renumberReferences(numbers)
    case .list(let values):
      self = .list(
        values.map { value in
          var value = value
          value.renumberReferences(numbers)
          return value
        })
    case .null, .bool, .int, .double, .string, .json, .error: break
    }
  }
}
