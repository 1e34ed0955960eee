/// Merges two JSON values that were written for the same field: objects by member, lists by index.
///
/// Where they differ, the one that is not the old value is meant: somebody changed one of two copies. Without an old
/// value it is the first.
enum JSONMerge {
  typealias JSON = ArraySlice<UInt8>

  static func merge(_ a: JSON, _ b: JSON, old: JSON?) -> [UInt8] {
    switch (a.first, b.first) {
    case (UInt8(ascii: "{"), UInt8(ascii: "{")): mergeObjects(a, b, old: old)
    case (UInt8(ascii: "["), UInt8(ascii: "[")): mergeLists(a, b, old: old)
    default: choose(a, b, old: old)
    }
  }

  private static func choose(_ a: JSON, _ b: JSON, old: JSON?) -> [UInt8] { Array(a == old ? b : a) }

  private static func mergeObjects(_ a: JSON, _ b: JSON, old: JSON?) -> [UInt8] {
    let olds = old?.first == UInt8(ascii: "{") ? old.map { parts($0).map(member) } : nil
    var members = parts(a).map(member)
    for (key, value) in parts(b).map(member) {
      if let index = members.firstIndex(where: { $0.key == key }) {
        members[index].value = merge(members[index].value, value, old: olds?.first { $0.key == key }?.value)[...]
      } else {
        members.append((key, value))
      }
    }
    let body = members.map { Array($0.key) + [UInt8(ascii: ":")] + $0.value }.joined(separator: [UInt8(ascii: ",")])
    return [UInt8(ascii: "{")] + body + [UInt8(ascii: "}")]
  }

  private static func mergeLists(_ a: JSON, _ b: JSON, old: JSON?) -> [UInt8] {
    let first = parts(a), second = parts(b)
    let olds = old?.first == UInt8(ascii: "[") ? old.map(parts) ?? [] : []
    guard first.count == second.count else {
      // One of the two got longer or shorter.
      return Array(first.count == olds.count ? b : a)
    }
    let body = first.indices.map { index in
      merge(first[index], second[index], old: olds.indices.contains(index) ? olds[index] : nil)
    }
    return [UInt8(ascii: "[")] + body.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }

  // MARK: Paths

  enum Step: Equatable {
    case member(JSON)
    case element(Int)
  }

  /// The way to a member of the object that is open where `json` ends.
  static func path(to key: some Sequence<UInt8>, behind json: some Sequence<UInt8>) -> [Step] {
    let json = Array(json)
    var path: [Step] = [], isKeyNext = false, index = 0
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "{"):
        path.append(.member([]))
        isKeyNext = true
      case UInt8(ascii: "["): path.append(.element(0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): path.removeLast()
      case UInt8(ascii: ","):
        if case .element(let index)? = path.last {
          path[path.count - 1] = .element(index + 1)
        } else {
          isKeyNext = true
        }
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while json[index] != UInt8(ascii: "\"") { index += json[index] == UInt8(ascii: "\\") ? 2 : 1 }
        if isKeyNext, case .member? = path.last { path[path.count - 1] = .member(json[start..<index]) }
        isKeyNext = false
      default: break
      }
      index += 1
    }
    if !path.isEmpty { path[path.count - 1] = .member(Array(key)[...]) }
    return path
  }

  static func value(at path: [Step], in json: JSON) -> JSON? {
    var value = json
    for step in path {
      switch step {
      case .member(let key):
        guard value.first == UInt8(ascii: "{"),
          let member = parts(value).map(member).first(where: { $0.key.dropFirst().dropLast() == key })
        else { return nil }
        value = member.value
      case .element(let index):
        guard value.first == UInt8(ascii: "[") else { return nil }
        let elements = parts(value)
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      }
    }
    return value
  }

  private static func member(_ part: JSON) -> (key: JSON, value: JSON) {
    var index = part.startIndex + 1
    while part[index] != UInt8(ascii: "\"") { index += part[index] == UInt8(ascii: "\\") ? 2 : 1 }
    return (part[...index], part[(index + 2)...])
  }

  /// The members or elements of an object or a list that a writer wrote, so without white space.
  private static func parts(_ json: JSON) -> [JSON] {
    var parts: [JSON] = []
    var start = json.startIndex + 1, index = start, depth = 0, isQuoted = false
    while index < json.endIndex - 1 {
      switch json[index] {
      case UInt8(ascii: "\\") where isQuoted: index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "[") where !isQuoted: depth += 1
      case UInt8(ascii: "}") where !isQuoted, UInt8(ascii: "]") where !isQuoted: depth -= 1
      case UInt8(ascii: ",") where !isQuoted && depth == 0:
        parts.append(json[start..<index])
        start = index + 1
      default: break
      }
      index += 1
    }
    if start < json.endIndex - 1 { parts.append(json[start..<(json.endIndex - 1)]) }
    return parts
  }
}
