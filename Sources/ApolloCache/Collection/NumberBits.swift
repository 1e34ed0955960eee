/// A set of numbers of records: one bit for each number.
struct NumberBits {
  private var words: [UInt64] = []

  func contains(_ number: Int32) -> Bool {
    let word = Int(number) >> 6
    return number >= 0 && word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
  }

  /// - Returns: Whether it is new.
  @discardableResult mutating func insert(_ number: Int32) -> Bool {
    guard number >= 0 else { return false }
    let word = Int(number) >> 6, bit: UInt64 = 1 << UInt64(number & 63)
    while words.count <= word { words.append(0) }
    guard words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }
}
