// Which elements of a list in the cache a reader leaves out. So a model that was read may have its elements at other
// indices.

extension RecordSnapshot {
  /// Whether an element stands for an object that was removed, or is an edge to one. A list of merged pages is read
  /// without it.
  func isOfGoneNode(_ element: RecordValue) -> Bool { Elements.identity(of: element).map(isGone) ?? false }

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

  /// The indices of those elements of a list that a reader does not leave out as edges of merged pages.
  ///
  /// - Parameters:
  ///   - list: The list, as the cache has it.
  ///   - isOfPages: Whether the list is one of merged pages; see ``ObjectRecord/isPageList(_:)``.
  /// - Returns: The indices; nil if it is not a list.
  private func indicesOfEdges(in list: RecordValue, isOfPages: Bool) -> [Int]? {
    guard let values = Elements(list)?.values else { return nil }
    return values.indices.filter { !isOfPages || !isOfGoneNode(values[$0]) }
  }

  /// The indices that the elements of a model have in the list of the cache that they were read from.
  ///
  /// - Parameters:
  ///   - count: How many elements the model has.
  ///   - list: The list, as the cache has it.
  ///   - isOfPages: Whether the list is one of merged pages.
  /// - Returns: The indices; nil if such a list cannot have been read from this one.
  package func indices(ofRead count: Int, from list: RecordValue, isOfPages: Bool) -> [Int]? {
    guard let values = Elements(list)?.values, let indices = indicesOfEdges(in: list, isOfPages: isOfPages) else {
      return nil
    }
    // Where an element may be null, none is left out; so the number tells which of the two is the case.
    if indices.count == count { return indices }
    guard values.contains(where: \.isObject) else { return nil }
    let left = indices.filter { !isLeftOut(values[$0]) }
    return left.count == count ? left : nil
  }
}

extension ObjectRecord {
  /// Whether a field has the list of a connection whose pages were merged.
  package func isPageList(_ field: FieldKey) -> Bool {
    (field == .edges || field == .nodes) && value(of: .pageCount) != nil
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
