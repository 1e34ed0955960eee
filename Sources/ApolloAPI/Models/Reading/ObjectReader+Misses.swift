// Where the records that are read have no value.

/// What a read does where the cache has no value.
package enum MissingValues: Sendable {
  /// The read fails.
  case areErrors
  /// What may be null is nil, for a model that an app fills in.
  case areNil
  /// What may be null is nil, and an error says so. What may not be null makes the nearest object or list nil that may.
  case areReported
}

extension __ReadError {
  /// Whether the cache has no value that may be used.
  fileprivate var isMiss: Bool { code == .cacheMiss || code == .expired || code == .cacheMismatch }
}

extension __ObjectReader {
  /// What becomes of a value that may be null and that the cache does not have.
  ///
  /// - Parameters:
  ///   - error: Why the value could not be read.
  ///   - place: Where it began.
  /// - Throws: The error, if null does not take the place of the value.
  mutating func passMiss(_ error: __ReadError, at place: WayBack) throws(__ReadError) {
    guard error.isMiss else { throw error }
    if frames.mark == place.frame, isGoneElement { return }
    guard source.missingValues == .areReported else { throw error }
    noteMiss(error)
  }

  /// Leaves an element that may not be null out of its list, if its object was removed. The reader depends on the object
  /// already, and so is told when it comes back. Once such references are collected, null is in their place.
  ///
  /// - Parameters:
  ///   - list: The list. What an object inside of the element lacks is not left out.
  ///   - error: Why the element could not be read.
  /// - Throws: The error, for everything else.
  @usableFromInline @inline(never) mutating func leaveOutGoneElement(
    of list: inout ListScope, after error: __ReadError
  ) throws(__ReadError) {
    guard error.isMiss, list.frame == frames.mark else { throw error }
    let isLeftOut = isGoneElement ? true : isNullObject()
    guard isLeftOut else { throw error }
    list.leftOutCount += 1
  }

  /// Whether the value is a null in a list of objects.
  private mutating func isNullObject() -> Bool {
    guard frames.top.index >= 0, source.isElementInRecord, case .null = source.current.value else { return false }
    return source.isInListOfObjects
  }

  /// Whether the value is an element of a list whose object was removed.
  private var isGoneElement: Bool {
    guard frames.top.index >= 0, source.isElementInRecord, case .reference = source.current.value,
      let snapshot = source.snapshot
    else { return false }
    return snapshot.isLeftOut(source.current.value)
  }

  /// Reports that the cache does not have a field, with the path of the field. That is done once for each field.
  mutating func noteMiss(_ error: __ReadError) {
    let described = describe(error)
    source.noteMiss(described)
  }
}
