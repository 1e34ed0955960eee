extension __ObjectReader {
  /// Where reading a list stands.
  public struct ListScope {
    /// How many elements there are, where that is known before they are read; else 0.
    @usableFromInline var count = 0
    var index = 0
    var pendingBase = 0
    var outerIndex = -1
    var isRepeated = false
    var isInRecord = false
    var value = RecordValue.null
  }

  @usableFromInline mutating func beginList() throws(__ReadError) -> ListScope {
    var list = ListScope()
    list.outerIndex = !frames.isEmpty ? frames.top.index : -1
    if list.outerIndex >= 0 { outerIndices.append((frames.count - 1, list.outerIndex)) }
    if mode == .store {
      list.value = source.current.value
      list.isInRecord = source.currentIsInRecord
      if isPageList() { list.value = skippingGoneNodes(list.value) }
      switch list.value {
      case .references(let references): list.count = references.count
      case .list(let values): list.count = values.count
      default: throw error(.cacheMismatch)
      }
      return list
    }
    if cursor.p.byte <= 0x20 { cursor.skipSpace() }
    guard cursor.p.byte == UInt8(ascii: "[") else { throw cursor.mismatch(.expectedList) }
    cursor.p += 1
    try cursor.descend()
    list.pendingBase = sink.pendingCount
    // Elements are emitted even if the list was read before: what fragments select in them may differ.
    list.isRepeated = sink.isRepeated
    sink.isRepeated = false
    return list
  }

  @usableFromInline mutating func nextElement(_ list: inout ListScope) throws(__ReadError) -> Bool {
    if mode == .store { return nextStoredElement(&list) }
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

  @usableFromInline mutating func endList(_ list: borrowing ListScope) throws(__ReadError) {
    if !frames.isEmpty { frames.top.index = list.outerIndex }
    if list.outerIndex >= 0 { outerIndices.removeLast() }
    if mode == .store { return }
    cursor.depth -= 1
    sink.isRepeated = list.isRepeated
    if mode == .normalize { sink.endList(from: list.pendingBase, as: try currentKey()) }
  }

  @inline(__always) private mutating func nextStoredElement(_ list: inout ListScope) -> Bool {
    guard list.index < list.count else { return false }
    switch list.value {
    case .references(let references):
      let number = references[list.index]
      source.setCurrent(number < 0 ? .null : .reference(number))
    case .list(let values): source.setCurrent(values[list.index])
    default: break
    }
    frames.top.index = list.index
    source.isElementInRecord = list.isInRecord
    list.index += 1
    return true
  }
}
