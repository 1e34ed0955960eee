/// The bytes of one response, followed by zeros, so that a reader may load whole words up to the last byte.
///
/// **Invariants.** The bytes are written once, in `init`, and freed with this object; `padding` zeros follow them.
public final class ResponseBytes: @unchecked Sendable {
  static let padding = 64

  private let room: UnsafeMutableRawPointer
  /// The first byte. It is an address and no reference, so an object that keeps it must keep this object as well.
  let start: Bytes
  /// The number of bytes, without the zeros after them.
  public let count: Int

  /// Copies the pieces of a response one after the other. This is the only copy that is made of a response.
  public convenience init(_ parts: [UnsafeRawBufferPointer]) {
    self.init(count: parts.reduce(0) { $0 + $1.count }) { room in
      var offset = 0
      for part in parts {
        UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyMemory(from: part)
        offset += part.count
      }
    }
  }

  /// Copies bytes.
  public convenience init(_ bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// Copies bytes.
  @inlinable
  public convenience init(_ bytes: some Collection<UInt8>) {
    self.init(count: bytes.count) { room in
      let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
        room.copyMemory(from: UnsafeRawBufferPointer($0))
      }
      if isContiguous == nil { room.copyBytes(from: bytes) }
    }
  }

  /// Makes room for bytes and fills it.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - fill: Writes all of the bytes. It is called once, with uninitialized memory.
  public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    self.count = count
    room = UnsafeMutableRawPointer(UnsafeMutablePointer<UInt8>.fromSystem(capacity: count + Self.padding))
    fill(UnsafeMutableRawBufferPointer(start: room, count: count))
    (room + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    start = Bytes(UnsafePointer(room.bindMemory(to: UInt8.self, capacity: count + Self.padding)))
  }

  /// One of the bytes.
  subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < count)
    return start[offset]
  }

  /// A copy of the bytes.
  package var array: [UInt8] { Array(UnsafeRawBufferPointer(start: room, count: count)) }

  deinit { room.assumingMemoryBound(to: UInt8.self).returnToSystem() }

  /// A copy of some of the bytes.
  convenience init(_ bytes: ResponseBytes, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.init(UnsafeRawBufferPointer(start: bytes.room + range.lowerBound, count: range.count))
    withExtendedLifetime(bytes) {}
  }

  /// A copy of some ranges of the bytes, one after the other.
  convenience init(joining parts: [Range<Int>], of bytes: ResponseBytes) {
    precondition(parts.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count })
    self.init(parts.map { UnsafeRawBufferPointer(start: bytes.room + $0.lowerBound, count: $0.count) })
    withExtendedLifetime(bytes) {}
  }

  /// The bytes as text.
  package var text: String {
    defer { withExtendedLifetime(self) {} }
    return start.text(count)
  }

  static let zeros = ResponseBytes([] as [UnsafeRawBufferPointer])

  /// The offset of the first byte that is not part of valid UTF-8 (Unicode 16, table 3-7); nil if all are.
  func firstInvalidUTF8() -> Int? {
    var i = 0
    while true {
      // Checks eight bytes for ASCII, then 32 at a time. The zeros after the end are ASCII as well.
      while (start + i).isASCII(words: 1) {
        i += 8
        while i < count, (start + i).isASCII(words: 4) { i += 32 }
        if i >= count { return nil }
      }
      if start[i] < 0x80 {
        i += 1
      } else {
        let length = sequenceLength(start + i)
        if length == 0 { return i }
        i += length
      }
      if i >= count { return nil }
    }
  }

  private func sequenceLength(_ q: Bytes) -> Int {
    func continues(_ k: Int) -> Bool { q[k] & 0xc0 == 0x80 }
    switch q[0] {
    case 0xc2...0xdf: return continues(1) ? 2 : 0
    case 0xe0: return q[1] >= 0xa0 && q[1] <= 0xbf && continues(2) ? 3 : 0
    case 0xed: return q[1] >= 0x80 && q[1] <= 0x9f && continues(2) ? 3 : 0
    case 0xe1...0xef: return continues(1) && continues(2) ? 3 : 0
    case 0xf0: return q[1] >= 0x90 && q[1] <= 0xbf && continues(2) && continues(3) ? 4 : 0
    case 0xf1...0xf3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xf4: return q[1] >= 0x80 && q[1] <= 0x8f && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }
}
