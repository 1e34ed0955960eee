extension ObjectRecord {
  /// Replaces the numbers of a batch by those of a store. The record must not be shared yet.
  package func renumberReferences(_ numbers: [Int32]) {
    changeValues { if $0.mayHoldReferences { $0.renumberReferences(numbers) } }
  }
}

extension RecordValue {
  /// Most values do not, and it takes less to ask than to change them.
  fileprivate var mayHoldReferences: Bool {
    switch self {
    case .reference, .references, .object: true
    case .list(let values): values.contains { $0.mayHoldReferences }
    case .null, .bool, .int, .double, .string, .json, .error: false
    }
  }

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
