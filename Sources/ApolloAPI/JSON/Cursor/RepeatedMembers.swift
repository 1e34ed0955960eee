extension ResponseBytes {
  /// The text without each member that a later member of the same name in the same object replaces, for
  /// ``ResponseReader``: of several members with one name, the last one counts. nil if there are no such members, or if the
  /// text is not JSON.
  func withoutRepeatedMembers(_ maximumDepth: Int) -> ResponseBytes? {
    var cursor = JSONCursor(self, maximumDepth: maximumDepth)
    var replaced: [Range<Int>] = []
    do throws(__ReadError) {
      cursor.skipByteOrderMark()
      try cursor.findRepeatedMembers(&replaced)
      try cursor.expectEnd()
    } catch {
      return nil
    }
    guard !replaced.isEmpty else { return nil }
    var parts: [Range<Int>] = [], next = 0
    for range in replaced.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > next {
      if next < range.lowerBound { parts.append(next..<range.lowerBound) }
      next = range.upperBound
    }
    parts.append(next..<count)
    return ResponseBytes(joining: parts, of: self)
  }
}

extension JSONCursor {
  /// Passes a value, and adds the ranges of the members that later ones replace, each with the comma after it.
  fileprivate mutating func findRepeatedMembers(_ replaced: inout [Range<Int>]) throws(__ReadError) {
    skipSpace()
    switch p.byte {
    case UInt8(ascii: "{"):
      // Where the member of a name begins and ends; its end is where the next one begins.
      var members: [String: Range<Int>] = [:]
      var latest: (name: String, start: Int)?
      try descend()
      p += 1
      skipSpace()
      guard p.byte != UInt8(ascii: "}") else { break }
      repeat {
        skipSpace()
        let start = offset
        let name = try memberName()
        try findRepeatedMembers(&replaced)
        if let latest { members[latest.name] = latest.start..<start }
        latest = (name, start)
        if let earlier = members.removeValue(forKey: name) { replaced.append(earlier) }
      } while take(UInt8(ascii: ","))
    case UInt8(ascii: "["):
      return try forEachElement { cursor throws(__ReadError) in try cursor.findRepeatedMembers(&replaced) }
    default: return try skipValue()
    }
    guard take(UInt8(ascii: "}")) else { throw error(.syntax) }
    depth -= 1
  }
}
