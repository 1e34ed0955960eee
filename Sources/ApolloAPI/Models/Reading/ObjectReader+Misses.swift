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
  /// Where a reader stood before it read a value that may be null.
  struct WayBack {
    let frame: FrameStack.Mark
    /// How many lists were being read, and how many of them in a field of lists of lists.
    let lists, indices: Int
    let index: Int
  }

  /// Passes a null, if there is one, or begins a value that may be null.
  ///
  /// If null may take its place because the cache does not have it, where the reader stands is noted. That is so for an
  /// element of a list, and for any value if misses are reported. Most values are read without it, because that takes
  /// time.
  ///
  /// - Returns: ``absent`` for null, else ``hasWayBack`` or ``fresh``.
  @usableFromInline mutating func beginNullable() -> Int {
    if takeNull() { return Self.absent }
    guard mode == .store, !frames.isEmpty, frames.top.index >= 0 || source.missingValues == .areReported else {
      return Self.fresh
    }
    source.waysBack.append(
      WayBack(frame: frames.mark, lists: source.listCount, indices: outerIndices.count, index: frames.top.index))
    return Self.hasWayBack
  }

  @usableFromInline mutating func forgetWayBack() { source.waysBack.removeLast() }

  /// Returns to the last place where null may stand, if that can take the place of what could not be read.
  ///
  /// - Parameters:
  ///   - error: Why the value could not be read.
  ///   - found: How the value began.
  /// - Throws: The error, if the read fails with it.
  @usableFromInline @inline(never) mutating func returnToNull(
    after error: __ReadError, _ found: Int
  ) throws(__ReadError) {
    guard found == Self.hasWayBack, let place = source.waysBack.popLast() else { throw error }
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
    outerIndices.removeSubrange(place.indices...)
    source.endLists(from: place.lists)
    frames.top.index = place.index
  }

  /// Whether the value is an element of a list whose object was removed.
  private func isGoneElement(_ place: WayBack) -> Bool {
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
