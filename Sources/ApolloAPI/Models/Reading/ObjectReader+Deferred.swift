extension __ObjectReader {
  /// Reads a fragment with `@defer` on the current object, if it is there.
  /// - Returns: The fragment, or its state.
  /// - Throws: ``__ReadError`` if the fragment is there and cannot be read.
  public mutating func deferred<Value: SelectionSet>(
    _ i: Int, _ label: StaticString
  ) throws(__ReadError) -> DeferredFragment<Value> {
    var isIncomplete = false
    switch try mark(i, label) {
    case .ready: return .ready(try fragment())
    case .pending: return .pending
    case .notExecuted:
      // The object may have the fragment all the same: it is spread in another place, where no condition leaves it out.
      guard assumedConditions == nil else { return .notExecuted }
      let _: Value? = attempt(&isIncomplete)
      return isIncomplete ? .notExecuted : .ready(try fragment())
    case .failed(let errors): return .failed(errors)
    case nil: break
    }
    if mode == .store {
      if let value: Value = attempt(&isIncomplete) { return .ready(value) }
    } else if undelivered != nil {
      let _: Value? = attempt(&isIncomplete)
    }
    // Any other error is thrown, with its path, when the fragment is read again.
    guard isIncomplete else { return .ready(try fragment()) }
    if case .notExecuted = undelivered { return .notExecuted }
    return .pending
  }

  /// Reads a fragment with `@defer(if:)`. If the condition at position `condition` holds, the fragment comes with its
  /// object; otherwise it is deferred.
  public mutating func deferred<Value: SelectionSet>(
    _ i: Int, _ label: StaticString, unless condition: Int
  ) throws(__ReadError) -> DeferredFragment<Value> {
    // (If no variables tell the condition, the mark of the fragment does.)
    assumedConditions == nil && includes(condition) ? .ready(try fragment()) : try deferred(i, label)
  }

  /// The state of a fragment in the response; nil if the response does not tell it.
  private mutating func mark(_ i: Int, _ label: StaticString) throws(__ReadError) -> DeferMark? {
    if mode == .store { return nil }
    let outer = (sink.isRepeated, needsEveryField)
    needsEveryField = false
    defer { (sink.isRepeated, needsEveryField) = outer }
    let found = try search(i)
    guard found != .absent else { return nil }
    let marks = try cursor.value() as? JSONObject
    finish(found)
    return DeferMark(marks?[label.description])
  }

  /// Reads a fragment in a reader of its own, which must find every field. If it does not, this reader is unchanged.
  ///
  /// - Parameter isIncomplete: Becomes true if fields of the fragment are not there; false if there is another error.
  /// - Returns: The fragment; nil if it cannot be read.
  private mutating func attempt<Value: SelectionSet>(_ isIncomplete: inout Bool) -> Value? {
    var probe = __ObjectReader(
      cursor.bytes, mode: mode == .store ? .store : .json, variables: variables, snapshot: source.snapshot,
      maximumDepth: cursor.maximumDepth)
    probe.needsEveryField = true
    probe.undelivered = undelivered
    probe.assumedConditions = assumedConditions
    probe.identity = identity
    probe.source.readers = source.readers
    probe.nulls = nulls
    probe.nulls.blanks = []
    probe.sink.reportedErrors = sink.reportedErrors
    probe.nulls.outerPath = path(of: frames.count - 1)
    probe.cursor.depth = cursor.depth
    probe.frames.push(frames.top)
    probe.frames.top.logBase = 0
    probe.frames.top.keyBits = 0
    probe.frames.top.pendingBase = 0
    probe.cursor.p = frames.top.start
    if mode == .store { probe.source.setAges(agesForPart()) }
    defer {
      source.add(probe.finishedDependencies())
      if let ages = probe.source.ages { source.ages?.take(ages.findings) }
    }
    do throws(__ReadError) {
      let value: Value = try probe.fragment()
      source.add(errors: probe.source.errors)
      assumedConditions = probe.assumedConditions
      return value
    } catch {
      isIncomplete = probe.isIncomplete(after: error)
      return nil
    }
  }

  /// Whether a fragment cannot be read because fields of it are not there.
  ///
  /// The cache may have a field whose value cannot be used: it is too old, computing it has failed, or an error stands
  /// in its place. And a backend may have what is not in memory.
  private mutating func isIncomplete(after error: __ReadError) -> Bool {
    guard mode == .store else { return error.code == .missing }
    if error.code == .expired || error.code == .computation || nullFailure(error) != nil { return false }
    return !source.lacksRecords
  }

  /// Reads a fragment under a condition that no variables tell. It is there if all of its fields are.
  @usableFromInline mutating func fragmentIfThere<Value: SelectionSet>() throws(__ReadError) -> Value? {
    var isIncomplete = false
    if let value: Value = attempt(&isIncomplete) { return value }
    return isIncomplete ? nil : try fragment()
  }
}
