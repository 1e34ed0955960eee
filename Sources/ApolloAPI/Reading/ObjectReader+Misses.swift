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
  /// Where a reader stands before it reads a value that may be null.
  @usableFromInline struct Place {
    fileprivate let frame: FrameStack.Mark
    fileprivate let lists: Int
    fileprivate let index: Int
  }

  /// Whether null may take the place of a value that the cache does not have: of an element of a list, or of any value
  /// if misses are reported.
  ///
  /// (It and the place are `mutating`, because the compiler copies the whole reader for a call that is not.)
  @usableFromInline mutating func mayReturnToNull() -> Bool {
    mode == .store && !frames.isEmpty && (frames.top.index >= 0 || source.missingValues == .areReported)
  }

  /// Where the reader stands.
  @usableFromInline mutating func place() -> Place {
    Place(frame: frames.mark, lists: outerIndices.count, index: frames.top.index)
  }

  /// Returns to a place where null may stand, if that can take the place of what could not be read.
  ///
  /// - Parameters:
  ///   - error: Why the value could not be read.
  ///   - place: Where the reader stood before.
  /// - Throws: The error, if the read fails with it.
  @usableFromInline @inline(never) mutating func returnToNull(
    after error: __ReadError, at place: Place
  ) throws(__ReadError) {
    guard error.isMiss else { throw error }
    if !isGoneElement(place) {
      guard source.missingValues == .areReported else { throw error }
      noteMiss(error)
    }
    while frames.mark != place.frame {
      cursor.depth -= 1
      source.ages?.end(frames.count - 1)
      frames.pop()
    }
    outerIndices.removeSubrange(place.lists...)
    frames.top.index = place.index
  }

  /// Whether the value is an element of a list whose object was removed.
  private func isGoneElement(_ place: Place) -> Bool {
    guard frames.mark == place.frame, frames.top.index >= 0, source.isElementInRecord,
      case .reference(let number) = source.current.value,
      let snapshot = source.snapshot
    else { return false }
    return snapshot.isGone(number)
  }

  /// Reports that the cache does not have a field, with the path of the field. That is done once for each field.
  mutating func noteMiss(_ error: __ReadError) {
    let described = describe(error)
    source.noteMiss(described)
  }
}
