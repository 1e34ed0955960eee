/// Texts that are keys, such as `Human:1000`, with consecutive numbers.
///
/// It is an open-addressing hash table over one buffer of bytes. The hash has a random seed of 64 bits, so that no list of
/// ids made beforehand collides. It is not SipHash, and no proof is known for it: a server that learned the seed, or
/// could measure how long single keys take, could choose ids that collide, and make a store slow with them. One seed is
/// used in the whole process, so a key keeps its hash in every table.
///
/// **Invariants.** The first `byteCount` bytes are initialized, and each entry's range is within them. There are `mask
/// + 1` slots, more than twice as many as entries, so a search ends at an empty one. Before the first key, no memory is
/// allocated, because most readers never have a key.
struct KeyNumbers: ~Copyable {
  private struct Entry {
    var start: Int, length: Int
    var hash: UInt64
  }

  private var bytes = UnsafeMutablePointer<UInt8>.nowhere
  private var byteCount = 0, byteCapacity = 0
  private var entries: [Entry] = []
  /// Numbers of keys, or -1; a power of two of them.
  private var slots = UnsafeMutablePointer<Int32>.nowhere
  private var mask = -1
  /// Made from the seed that Swift gives the process for its own hashes, which is constant where instructions are
  /// counted.
  private static let seed = (1...2).reduce(UInt64(0)) { $0 << 32 ^ UInt64(UInt(bitPattern: $1.hashValue)) }
  private let seed = Self.seed

  init() {}

  deinit {
    if byteCapacity > 0 { bytes.returnToSystem() }
    if mask >= 0 { slots.returnToSystem() }
  }

  var count: Int { entries.count }

  subscript(number: Int32) -> String {
    String(decoding: keyBytes(number), as: UTF8.self)
  }

  /// How many bytes a key has.
  func length(of number: Int32) -> Int { entries[Int(number)].length }

  private func keyBytes(_ number: Int32) -> UnsafeBufferPointer<UInt8> {
    let entry = entries[Int(number)]
    return UnsafeBufferPointer(start: bytes + entry.start, count: entry.length)
  }

  /// Adds the bytes of a key.
  func append(_ number: Int32, to bytes: inout [UInt8]) { bytes.append(contentsOf: keyBytes(number)) }

  func find(_ key: String) -> Int32? {
    guard mask >= 0 else { return nil }
    var key = key
    return key.withUTF8 { key in
      let (_, number) = probe(key, hash(key))
      return number < 0 ? nil : number
    }
  }

  /// The number of a key, which is added if it is new.
  mutating func insert(_ key: borrowing JSONBuffer) -> (number: Int32, isNew: Bool) { insert(key.bytes) }

  /// The number here of a key of other keys.
  mutating func insert(_ number: Int32, of other: borrowing KeyNumbers) -> Int32 {
    insert(other.keyBytes(number), other.entries[Int(number)].hash).number
  }

  private mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> (number: Int32, isNew: Bool) {
    insert(key, hash(key))
  }

  private mutating func insert(_ key: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> (number: Int32, isNew: Bool) {
    if mask < 0 { grow() }
    let (slot, number) = probe(key, hash)
    if number >= 0 { return (number, false) }
    reserve(key.count)
    if let start = key.baseAddress { Bytes(start).copy(key.count, to: bytes + byteCount) }
    let new = Int32(entries.count)
    entries.append(Entry(start: byteCount, length: key.count, hash: hash))
    byteCount += key.count
    slots[slot] = new
    if entries.count * 2 > mask { grow() }
    return (new, true)
  }

  mutating func insert(_ key: String) -> Int32 {
    var key = key
    return key.withUTF8 { insert($0).number }
  }

  private func probe(_ key: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> (slot: Int, number: Int32) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, entry.length == key.count,
        key.count == 0 || Bytes(bytes + entry.start).equals(Bytes(key.baseAddress!), key.count)
      {
        return (slot, slots[slot])
      }
      slot = (slot + 1) & mask
    }
    return (slot, -1)
  }

  private func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = key.baseAddress else { return seed }
    func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
      let product = a.multipliedFullWidth(by: b)
      return product.high ^ product.low
    }
    let bytes = Bytes(start)
    var hash = seed ^ UInt64(truncatingIfNeeded: key.count), offset = 0
    while offset + 8 < key.count {
      hash = fold(hash ^ (bytes + offset).word64, 0x9e37_79b9_7f4a_7c15)
      offset += 8
    }
    // The last word may begin within the one before.
    var tail: UInt64 = 0
    if key.count >= 8 {
      tail = (bytes + (key.count - 8)).word64
    } else {
      for byte in key { tail = tail << 8 | UInt64(byte) }
    }
    return fold(hash ^ tail, 0xd6e8_feb8_6659_fd93 ^ seed)
  }

  private mutating func reserve(_ count: Int) {
    guard byteCount + count > byteCapacity else { return }
    let grown = UnsafeMutablePointer<UInt8>.fromSystem(capacity: max(256, byteCapacity * 2, byteCount + count))
    grown.update(from: bytes, count: byteCount)
    if byteCapacity > 0 { bytes.returnToSystem() }
    byteCapacity = max(256, byteCapacity * 2, byteCount + count)
    bytes = grown
  }

  private mutating func grow() {
    let slotCount = max(32, (mask + 1) * 2)
    if mask >= 0 { slots.returnToSystem() }
    slots = .fromSystem(capacity: slotCount)
    slots.initialize(repeating: -1, count: slotCount)
    mask = slotCount - 1
    for (number, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number)
    }
  }
}
