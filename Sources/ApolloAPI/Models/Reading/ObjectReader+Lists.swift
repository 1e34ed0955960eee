extension __ObjectReader {
  /// Where reading a list stands.
  public struct ListScope {
    /// How many elements to make room for: as many as there are, where that is known; else what the last list of the
    /// field makes likely.
    @usableFromInline var count = 0
    var index = 0
    var pendingBase = 0
    var outerIndex = -1
    var isRepeated = false
    var isInRecord = false
    /// The innermost frame, if the list is read from records.
    var frame: FrameStack.Mark?
    /// How many elements were left out.
    var leftOutCount = 0
    /// It stands in the place of a null, and has no elements.
    var isBlank = false
  }

  /// Reads the list of objects at the cursor.
  @inlinable mutating func objects<Value: SelectionSet>() throws(__ReadError) -> [Value] {
    try elements { reader throws(__ReadError) -> Value in
      try reader.beginObject(Value.__fields)
      let value = try Value(__reading: &reader)
      try reader.endObject()
      return value
    }
  }

  /// Reads the list of objects and nulls at the cursor.
  @inlinable mutating func nullableObjects<Value: SelectionSet>() throws(__ReadError) -> [Value?] {
    try elements { reader throws(__ReadError) -> Value? in try reader.nullableObject() }
  }

  @inlinable @inline(never) mutating func nullableObject<Value: SelectionSet>() throws(__ReadError) -> Value? {
    try nullable { reader throws(__ReadError) -> Value in
      try reader.beginObject(Value.__fields)
      let value = try Value(__reading: &reader)
      try reader.endObject()
      return value
    }
  }

  /// Reads the list at the cursor, with `element` for each of its elements.
  @inlinable @inline(__always) mutating func elements<Element>(
    _ element: (inout Self) throws(__ReadError) -> Element
  ) throws(__ReadError) -> [Element] {
    var list = try beginList(), elements: [Element] = []
    if list.count > 0 { elements.reserveCapacity(list.count) }
    while try nextElement(&list) {
      do throws(__ReadError) {
        elements.append(try element(&self))
      } catch {
        try leaveOutGoneElement(of: &list, after: error)
      }
    }
    try endList(list)
    return elements
  }

  /// Reads a value that may be null, with `value`. nil for null, and for a value that the cache does not have, if null
  /// may take its place.
  @inlinable @inline(__always) mutating func nullable<Value>(
    _ value: (inout Self) throws(__ReadError) -> Value
  ) throws(__ReadError) -> Value? {
    let begun = try beginNullable()
    if begun == Self.absent { return nil }
    do throws(__ReadError) {
      let value = try value(&self)
      if begun == Self.hasWayBack { forgetWayBack() }
      return value
    } catch {
      try returnToNull(after: error, begun)
      return nil
    }
  }

  @usableFromInline mutating func beginList() throws(__ReadError) -> ListScope {
    var list = ListScope()
    list.outerIndex = !frames.isEmpty ? frames.top.index : -1
    if mode == .store {
      let value = source.current.value
      // A list in a list is where that one is.
      list.isInRecord = source.currentIsInRecord || list.outerIndex >= 0 && source.isElementInRecord
      list.frame = frames.mark
      guard let count = source.beginList(isPageList() ? skippingGoneNodes(value) : value) else {
        throw error(.cacheMismatch)
      }
      list.count = count
      enter(list)
      return list
    }
    if cursor.p.byte <= 0x20 { cursor.skipSpace() }
    guard cursor.p.byte == UInt8(ascii: "[") else {
      try passNull(or: cursor.mismatch(.expectedList))
      list.isBlank = true
      enter(list)
      return list
    }
    cursor.p += 1
    try cursor.descend()
    enter(list)
    cursor.skipSpace()
    if cursor.p.byte != UInt8(ascii: "]") { list.count = listSizes[frames.top.field] }
    list.pendingBase = sink.pendingCount
    // Elements are emitted even if the list was read before: what fragments select in them may differ.
    list.isRepeated = sink.isRepeated
    sink.isRepeated = false
    return list
  }

  /// Notes the place of a list in the one around it. (Until then, that place is the one of the innermost frame: an error
  /// of a list that does not begin has it once in its path.)
  @inline(__always) private mutating func enter(_ list: ListScope) {
    if list.outerIndex >= 0 { outerIndices.append((frames.count - 1, list.outerIndex)) }
  }

  @usableFromInline mutating func nextElement(_ list: inout ListScope) throws(__ReadError) -> Bool {
    if mode == .store { return nextStoredElement(&list) }
    if list.isBlank { return false }
    cursor.skipSpace()
    if cursor.p.byte == UInt8(ascii: "]") {
      cursor.p += 1
      return false
    }
    if list.index > 0 {
      guard cursor.p.byte == UInt8(ascii: ",") else { throw cursor.error(.syntax) }
      cursor.p += 1
      cursor.skipSpace()
      guard cursor.p.byte != UInt8(ascii: "]") else { throw cursor.error(.syntax) }
    }
    if !frames.isEmpty { frames.top.index = list.index }
    list.index += 1
    return true
  }

  @usableFromInline mutating func endList(_ list: ListScope) throws(__ReadError) {
    if !frames.isEmpty { frames.top.index = list.outerIndex }
    if list.outerIndex >= 0 { outerIndices.removeLast() }
    if mode == .store { return source.endList() }
    if list.isBlank { return }
    cursor.depth -= 1
    listSizes[frames.top.field] = list.index
    sink.isRepeated = list.isRepeated
    if mode == .normalize { sink.endList(from: list.pendingBase, as: try currentKey()) }
  }

  @inline(__always) private mutating func nextStoredElement(_ list: inout ListScope) -> Bool {
    guard list.index < list.count else { return false }
    source.setCurrent(toElement: list.index)
    frames.top.index = list.index - list.leftOutCount
    source.isElementInRecord = list.isInRecord
    list.index += 1
    return true
  }
}

/// How long the last lists were, up to 8 elements: a list of the same field is likely to be about as long, and need not
/// grow from one element on.
struct ListSizes {
  private var sizes = SIMD16<UInt8>()

  /// The size for a field, by its position in a table. Fields of different tables may share one.
  subscript(field: Int) -> Int {
    @inline(__always) get { Int(sizes[field & 15]) }
    @inline(__always) set { sizes[field & 15] = UInt8(min(newValue, 8)) }
  }
}
