// Values in whose place null may stand, or an error, although their parts can not all be read.

extension __ObjectReader {
  /// Where a reader stood before it read such a value.
  struct WayBack {
    let frame: FrameStack.Mark
    /// How many lists were being read, and how many of them in a field of lists of lists.
    let lists, indices: Int
    let index: Int
    /// The text of the value, and how deep it is in the text.
    let start: Bytes, depth: Int
    let logCount: Int
    let scope: Int
    /// Whether an error of the value is thrown on, so that null does not take its place.
    let throwsErrors: Bool
    /// Whether the value is being read again.
    var isRepeated = false
  }

  /// Passes a null, if there is one, or begins a value that may be null.
  ///
  /// Where the reader stands is noted if null may take the place of the value for another reason. That is so for an
  /// element of a list in the cache, for any value of the cache if misses are reported, and for any value at all if it is
  /// known that an error is to be caught. Most values are read without it, because that takes time.
  ///
  /// - Returns: ``absent`` for null, else ``hasWayBack`` or ``fresh``.
  /// - Throws: ``__ReadError`` for a null with an error that is thrown on.
  @usableFromInline mutating func beginNullable() throws(__ReadError) -> Int {
    if try takeNull() { return Self.absent }
    guard nulls.isCatching || mode == .store else { return Self.fresh }
    guard nulls.isCatching || !frames.isEmpty && (frames.top.index >= 0 || source.missingValues == .areReported) else {
      return Self.fresh
    }
    noteWayBack()
    return Self.hasWayBack
  }

  @inline(never) mutating func noteWayBack() {
    waysBack.append(
      WayBack(
        frame: frames.mark, lists: source.listCount, indices: outerIndices.count, index: frames.top.index,
        start: cursor.p, depth: cursor.depth, logCount: log.count, scope: scopes.current,
        throwsErrors: throwsErrors))
  }

  @usableFromInline mutating func forgetWayBack() {
    if waysBack.removeLast().isRepeated { finishRepeated() }
  }

  /// Returns to the last place where null may stand, if that can take the place of what could not be read.
  ///
  /// - Parameters:
  ///   - error: Why the value could not be read.
  ///   - found: How the value began.
  /// - Throws: The error, if the read fails with it.
  @usableFromInline @inline(never) mutating func returnToNull(
    after error: __ReadError, _ found: Int
  ) throws(__ReadError) {
    guard found == Self.hasWayBack, let place = waysBack.popLast() else { throw error }
    if let failure = nullFailure(error) {
      guard nulls.isCatching, failure.becomesNull || !place.throwsErrors else { throw error }
      note(failure)
    } else if mode == .store {
      try passMiss(error, at: place)
    } else {
      throw error
    }
    try goBack(to: place)
  }

  /// Returns to where a value began, and passes it.
  mutating func goBack(to place: WayBack) throws(__ReadError) {
    while frames.mark != place.frame {
      if mode == .store { source.ages?.end(frames.count - 1) }
      frames.pop()
    }
    leaveScopes(to: place.scope)
    outerIndices.removeSubrange(place.indices...)
    source.endLists(from: place.lists)
    frames.top.index = place.index
    cursor.depth = place.depth
    if mode == .store { return }
    log.removeAll(from: place.logCount)
    cursor.p = place.start
    try cursor.skipValue()
    if place.isRepeated { finishRepeated() }
  }
}
