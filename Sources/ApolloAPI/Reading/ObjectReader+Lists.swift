extension ObjectReader {
  /// Where reading a list stands.
  public struct ListScope {
    var count = 0, index = 0
    var pendingBase = 0
    var outerIndex = -1
    var isRepeated = false
    var value = RecordValue.null
  }

  @usableFromInline mutating func beginList() throws(ReadError) -> ListScope {
    var list = ListScope()
    list.outerIndex = f >= frames ? f.pointee.index : -1
    if list.outerIndex >= 0 { outerIndices.append((f - frames, list.outerIndex)) }
    if mode == .store {
      switch current.pointee {
      case .references(let references): list.count = references.count
      case .list(let values): list.count = values.count
      default: throw storedMismatch(.expectedList)
      }
      list.value = current.pointee
      return list
    }
    if p.pointee <= 0x20 { skipSpace() }
    guard p.pointee == UInt8(ascii: "[") else { throw mismatch(.expectedList) }
    p += 1
    try descend()
    list.pendingBase = pendingCount
    // Elements are emitted even if the list was read before: what fragments select in them may differ.
    list.isRepeated = isRepeated
    isRepeated = false
    return list
  }

  @usableFromInline mutating func nextElement(_ list: inout ListScope) throws(ReadError) -> Bool {
    if mode == .store { return nextStoredElement(&list) }
    skipSpace()
    if p.pointee == UInt8(ascii: "]") {
      p += 1
      return false
    }
    if list.index > 0 {
      guard p.pointee == UInt8(ascii: ",") else { throw error(.syntax) }
      p += 1
      skipSpace()
      guard p.pointee != UInt8(ascii: "]") else { throw error(.syntax) }
    }
    if f >= frames { f.pointee.index = list.index }
    list.index += 1
    return true
  }

  @usableFromInline mutating func endList(_ list: borrowing ListScope) {
    if f >= frames { f.pointee.index = list.outerIndex }
    if list.outerIndex >= 0 { outerIndices.removeLast() }
    if mode == .store { return }
    depth -= 1
    isRepeated = list.isRepeated
    if mode == .normalize { collapse(list) }
  }

  private mutating func nextStoredElement(_ list: inout ListScope) -> Bool {
    guard list.index < list.count else { return false }
    current = scratch
    switch list.value {
    case .references(let references):
      let number = references[list.index]
      scratch.pointee = number < 0 ? .null : .reference(number)
    case .list(let values): scratch.pointee = values[list.index]
    default: break
    }
    f.pointee.index = list.index
    list.index += 1
    return true
  }

  /// Makes one value of the elements that wait since the list began.
  @inline(never) private mutating func collapse(_ list: borrowing ListScope) {
    let count = pendingCount - list.pendingBase, elements = pending + list.pendingBase
    fieldKey = f.pointee.keys[f.pointee.field]
    var areReferences = count > 0
    for i in 0..<count where areReferences {
      switch elements[i].value {
      case .reference, .null: break
      default: areReferences = false
      }
    }
    let value: RecordValue
    if areReferences {
      value = .references(
        [Int32](unsafeUninitializedCapacity: count) { numbers, initialized in
          for i in 0..<count {
            if case .reference(let number) = elements[i].value { numbers[i] = number } else { numbers[i] = -1 }
          }
          initialized = count
        })
    } else {
      value = .list((0..<count).map { elements[$0].value })
    }
    elements.deinitialize(count: count)
    pendingCount = list.pendingBase
    push(value)
  }
}
