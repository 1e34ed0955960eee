/// Makes each name of a source into a `String` once: a schema of sixty thousand tokens has a few thousand names.
struct NameTable {
  /// Where a name stands first. Apart from the names themselves, so that comparing touches no reference count.
  private struct Entry {
    var hash: UInt32
    var start: UInt32
    var length: UInt32
  }

  /// Open addressing: 0 is empty, otherwise an index into `entries` plus one.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var entries: [Entry] = []
  private var names: [String] = []

  /// The name that a token spells.
  @inline(__always)
  mutating func name(_ token: Token, in lexer: Lexer) -> String {
    let spelling = lexer.bytes(of: token)
    let hash = Self.hash(spelling)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if entries[index].hash == hash, spells(entries[index], spelling, in: lexer) { return names[index] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return insert(spelling, hash: hash, start: token.start, slot: slot)
  }

  @inline(__always)
  private func spells(_ entry: Entry, _ spelling: UnsafeBufferPointer<UInt8>, in lexer: Lexer) -> Bool {
    guard Int(entry.length) == spelling.count else { return false }
    let start = lexer.bytes + Int(entry.start)
    for index in 0..<spelling.count where start[index] != spelling[index] { return false }
    return true
  }

  @inline(never)
  private mutating func insert(
    _ spelling: UnsafeBufferPointer<UInt8>, hash: UInt32, start: UInt32, slot: Int
  ) -> String {
    let name = String(decoding: spelling, as: UTF8.self)
    entries.append(Entry(hash: hash, start: start, length: UInt32(spelling.count)))
    names.append(name)
    slots[slot] = UInt32(entries.count)
    if entries.count * 2 > slots.count { grow() }
    return name
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 4)
    for (index, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// FNV-1a with a last mixing step. Names are short.
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash ^ (hash >> 15)
  }
}
