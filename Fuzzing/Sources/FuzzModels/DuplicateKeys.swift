/// Whether an object somewhere in a valid JSON text has two members of the same name.
///
/// Which of them counts is not promised where members do not stand in the order of the selection.
func hasDuplicateKeys(_ json: [UInt8]) -> Bool {
  var objects: [Set<[UInt8]>] = []
  var index = 0
  while index < json.count {
    switch json[index] {
    case UInt8(ascii: "{"): objects.append([])
    case UInt8(ascii: "["): objects.append([])
    case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = objects.popLast()
    case UInt8(ascii: "\""):
      let start = index + 1
      index = start
      while index < json.count, json[index] != UInt8(ascii: "\"") {
        index += json[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      var next = index + 1
      while next < json.count, json[next] <= 0x20 { next += 1 }
      guard next < json.count, json[next] == UInt8(ascii: ":"), let last = objects.indices.last else { break }
      let key = Array(json[start..<min(index, json.count)])
      // A key with escapes may be the same as one without.
      if key.contains(UInt8(ascii: "\\")) || !objects[last].insert(key).inserted { return true }
    default: break
    }
    index += 1
  }
  return false
}
