/// The elements of a list, of which some have been found among the old ones. Each old one is found once.
struct ElementSearch {
  /// The old index of each element; nil for one that was not found.
  private(set) var indices: [Int?]
  /// The old elements that were not found.
  private var free: Set<Int>

  init(count: Int, old: Set<Int>) {
    indices = Array(repeating: nil, count: count)
    free = old
  }

  subscript(index: Int) -> Int? { indices[index] }

  func isOpen(_ index: Int) -> Bool { indices[index] == nil }
  func isFree(_ old: Int) -> Bool { free.contains(old) }

  /// Sets an element that was not found to an old one that was not found.
  mutating func set(_ index: Int, _ old: Int) {
    if isOpen(index), free.remove(old) != nil { indices[index] = old }
  }

  /// Sets each element that has one old one alone, and for itself.
  ///
  /// - Parameter candidates: What each element may have been.
  /// - Returns: What was set.
  @discardableResult mutating func setUnique(_ candidates: [Int: Set<Int>]) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for old in candidates.values.joined() { counts[old, default: 0] += 1 }
    let unique = candidates.compactMapValues { olds in
      olds.count == 1 ? olds.first.flatMap { counts[$0] == 1 && free.contains($0) ? $0 : nil } : nil
    }
    for (index, old) in unique { set(index, old) }
    return unique
  }
}
