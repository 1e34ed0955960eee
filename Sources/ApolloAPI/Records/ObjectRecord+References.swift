extension ObjectRecord {
  /// Replaces the numbers of a batch by those of a store. The record must not be shared yet.
  func renumber(_ numbers: BatchNumbers) {
    if numbers.hasFields { renumberKeys(numbers) }
    changeValues { if $0.mayHoldNumbers { $0.renumber(numbers) } }
  }

  @inline(never) private func renumberKeys(_ numbers: BatchNumbers) {
    changeKeys { key in key.hasArguments ? numbers[key] : key }
  }
}

extension RecordValue {
  /// Most values do not, and it takes less to ask than to change them.
  fileprivate var mayHoldNumbers: Bool {
    switch self {
    case .reference, .references, .object, .incoming: true
    case .list(let values): values.contains { $0.mayHoldNumbers }
    case .null, .bool, .int, .double, .string, .json, .error: false
    }
  }

  fileprivate mutating func renumber(_ numbers: BatchNumbers) {
    switch self {
    case .reference(let number): self = .reference(numbers[number])
    case .references(var list):
      self = .null
      for index in list.indices where list[index] >= 0 { list[index] = numbers[list[index]] }
      self = .references(list)
    case .object(let record): record.renumber(numbers)
    case .list(let values):
      self = .list(
        values.map { value in
          var value = value
          value.renumber(numbers)
          return value
        })
    case .incoming(let incoming): self = .incoming(incoming.renumbered(numbers))
    case .null, .bool, .int, .double, .string, .json, .error: break
    }
  }
}

extension IncomingValue {
  fileprivate func renumbered(_ numbers: BatchNumbers) -> IncomingValue {
    let parts = parts.map { part in
      var part = part
      part.value.renumber(numbers)
      return part
    }
    return IncomingValue(parts, rule, in: numbers.storedKey(of: field), at: path)
  }
}
