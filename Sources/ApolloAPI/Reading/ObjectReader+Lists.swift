extension __ObjectReader {
  /// Where reading a list stands.
  public struct ListScope {
    /// How many elements there are, where that is known before they are read; else 0.
    @usableFromInline var count = 0
    var index = 0
    var pendingBase = 0
    var outerIndex = -1
    var isRepeated = false
    var value = RecordValue.null
  }

  @usableFromInline mutating func beginList() throws(__ReadError) -> ListScope {
    var list = ListScope()
    list.outerIndex = !frames.isEmpty ? frames.top.index : -1
    if list.outerIndex >= 0 { outerIndices.append((frames.count - 1, list.outerIndex)) }
    if mode == .store {
      switch current.value {
      case .references(let references): list.count = references.count
      case .list(let values): list.count = values.count
      default: throw storedMismatch(.expectedList)
      }
      list.value = current.value
      return list
    }
    if p.byte <= 0x20 { skipSpace() }
    guard p.byte == UInt8(ascii: "[") else { throw mismatch(.expectedList) }
    p += 1
    try descend()
    list.pendingBase = pending.count
    // Elements are emitted even if the list was read before: what fragments select in them may differ.
    list.isRepeated = isRepeated
    isRepeated = false
    return list
  }

  @usableFromInline mutating func nextElement(_ list: inout ListScope) throws(__ReadError) -> Bool {
    if mode == .store { return nextStoredElement(&list) }
    skipSpace()
    if p.byte == UInt8(ascii: "]") {
      p += 1
      return false
    }
    if list.index > 0 {
      guard p.byte == UInt8(ascii: ",") else { throw error(.syntax) }
      p += 1
      skipSpace()
      guard p.byte != UInt8(ascii: "]") else { throw error(.syntax) }
    }
    if !frames.isEmpty { frames.top.index = list.index }
    list.index += 1
    return true
  }

  @usableFromInline mutating func endList(_ list: borrowing ListScope) throws(__ReadError) {
    if !frames.isEmpty { frames.top.index = list.outerIndex }
    if list.outerIndex >= 0 { outerIndices.removeLast() }
    if mode == .store { return }
    depth -= 1
    isRepeated = list.isRepeated
    if mode == .normalize { try collapse(list) }
  }

  private mutating func nextStoredElement(_ list: inout ListScope) -> Bool {
    guard list.index < list.count else { return false }
    current = scratch.place
    switch list.value {
    case .references(let references):
      let number = references[list.index]
      scratch.set(number < 0 ? .null : .reference(number))
    case .list(let values): scratch.set(values[list.index])
    default: break
    }
    frames.top.index = list.index
    list.index += 1
    return true
  }

  /// Makes one value of the elements that wait since the list began.
  @inline(never) private mutating func collapse(_ list: borrowing ListScope) throws(__ReadError) {
    let list = pending.takeFields(from: list.pendingBase).list()
    fieldKey = try currentKey()
    push(list)
  }
}
