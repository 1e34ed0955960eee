// Cursors are noted beside a list by the places of their elements. A change of the list by an app makes them wrong.

extension ObjectRecord {
  /// The record without the cursors that were noted, if an app has changed its lists: then they stand for other elements.
  ///
  /// - Parameter old: The record before.
  /// - Returns: The record.
  package func forgettingCursors(since old: ObjectRecord?) -> ObjectRecord {
    guard value(of: .pageCursors) != nil, let old else { return self }
    let isSame = [FieldKey.edges, .nodes].allSatisfy { key in
      Elements(value(of: key)).hasSameElements(as: Elements(old.value(of: key)))
    }
    return isSame ? self : removing([.pageCursors])
  }
}

extension Elements? {
  /// Whether both have the same objects at the same places. An object without a key is not the same if its fields differ.
  fileprivate func hasSameElements(as other: Elements?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.count == other.count && zip(self.values, other.values).allSatisfy(Elements.areSame)
  }
}
