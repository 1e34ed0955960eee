extension __FieldSet {
  /// Changes an inline fragment of the object in place, if the object has it.
  ///
  /// It is the form of Apollo iOS 1 for `hero.asDroid?.name = "R2"`.
  ///
  /// - Parameters:
  ///   - path: The property of the fragment, such as `\.asDroid`.
  ///   - change: Changes the fragment. It is not called if the object does not have it.
  /// - Returns: Whether the object has the fragment.
  /// - Throws: What `change` throws. The object is then as it was.
  @discardableResult
  public mutating func mutateIfFulfilled<Part>(
    _ path: WritableKeyPath<Self, Part?>, _ change: (inout Part) throws -> Void
  ) rethrows -> Bool {
    guard var part = self[keyPath: path] else { return false }
    try change(&part)
    self[keyPath: path] = part
    return true
  }
}
