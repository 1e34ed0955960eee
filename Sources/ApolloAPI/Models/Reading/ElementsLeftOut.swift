// Which elements of a list in the cache a reader leaves out. So a model that was read may have its elements at other
// indices.

extension RecordSnapshot {
  /// Whether an element of a list stands for an object that was removed, or is an edge to one. A list of merged pages is read
  /// without it.
  func hasGoneNode(in list: RecordValue) -> Bool {
    switch list {
    case .references(let numbers): numbers.contains { $0 >= 0 && isGone($0) }
    case .list(let values): values.contains { Elements.identity(of: $0).map(isGone) ?? false }
    default: false
    }
  }

  /// Whether an element of a list of objects is left out where it may not be null.
  ///
  /// - Parameter element: The element, as the cache has it.
  /// - Returns: True for null, and for a reference to an object that was removed.
  package func isLeftOut(_ element: RecordValue) -> Bool {
    switch element {
    case .null: true
    case .reference(let number): isGone(number)
    default: false
    }
  }

  /// The indices that the elements of a model have in the list of the cache that they were read from.
  ///
  /// - Parameters:
  ///   - count: How many elements the model has.
  ///   - list: The list, as the cache has it.
  ///   - nodes: What ``ObjectRecord/nodes(ofPagesIn:)`` gives for the list.
  /// - Returns: The indices; nil if such a list cannot have been read from this one.
  package func indices(ofRead count: Int, from list: RecordValue, standingFor nodes: [Int32?]?) -> [Int]? {
    guard let values = Elements(list)?.values else { return nil }
    let indices = values.indices.filter { index in !(nodes?[index].map(isGone) ?? false) }
    // Where an element may be null, none is left out; so the number tells which of the two is the case.
    if indices.count == count { return indices }
    guard values.contains(where: \.isObject) else { return nil }
    let left = indices.filter { !isLeftOut(values[$0]) }
    return left.count == count ? left : nil
  }
}

extension ObjectRecord {
  /// The record that each element of a list stands for, if pages were merged in the list. A reader leaves those elements out
  /// whose records were removed.
  ///
  /// - Parameter field: The field with the list.
  /// - Returns: For each element, its record; nil for one without a record. nil if it is not such a list.
  package func nodes(ofPagesIn field: FieldKey) -> [Int32?]? {
    guard field == .edges || field == .nodes, value(of: .pageCount) != nil else { return nil }
    let elements = Elements(value(of: field))
    return field == .nodes ? elements?.identities : elements?.identities(beside: Elements(value(of: .nodes)))
  }
}

extension RecordValue {
  /// Whether it is an object, with a key or without.
  var isObject: Bool {
    switch self {
    case .reference, .object: true
    default: false
    }
  }
}
