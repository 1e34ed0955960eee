/// A place in bytes that are followed by zeros, as those of a ``ResponseBytes`` are.
///
/// **Invariants.** The bytes stay where they are, unchanged, while a place in them is in use: a reader holds its
/// ``ResponseBytes``, and the bytes of tables are never freed. A place is only moved past bytes that were read and were
/// not zero, or by a length that was found in this way. So it never passes the first zero after the end, from where 64
/// bytes may be read.
struct Bytes: Comparable {
  private var start: UnsafePointer<UInt8>

  init(_ start: UnsafePointer<UInt8>) { self.start = start }

  /// A copy that is never freed, for what is made once in a process.
  init(keepingForever bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.fromSystem(capacity: bytes.count + ResponseBytes.padding)
    copy.initialize(repeating: 0, count: bytes.count + ResponseBytes.padding)
    copy.update(from: bytes, count: bytes.count)
    start = UnsafePointer(copy)
  }

  /// The byte at this place.
  var byte: UInt8 { @_transparent get { start.pointee } }

  subscript(offset: Int) -> UInt8 { @_transparent get { start[offset] } }

  // The next bytes as one number, the first one lowest (all platforms of this package are little-endian).
  var word16: UInt16 { @_transparent get { UnsafeRawPointer(start).loadUnaligned(as: UInt16.self) } }
  var word32: UInt32 { @_transparent get { UnsafeRawPointer(start).loadUnaligned(as: UInt32.self) } }
  var word64: UInt64 { @_transparent get { UnsafeRawPointer(start).loadUnaligned(as: UInt64.self) } }

  @_transparent static func + (a: Bytes, count: Int) -> Bytes { Bytes(a.start + count) }
  @_transparent static func - (a: Bytes, count: Int) -> Bytes { Bytes(a.start - count) }
  @_transparent static func += (a: inout Bytes, count: Int) { a.start += count }
  @_transparent static func - (a: Bytes, b: Bytes) -> Int { a.start - b.start }
  @_transparent static func == (a: Bytes, b: Bytes) -> Bool { a.start == b.start }
  @_transparent static func < (a: Bytes, b: Bytes) -> Bool { a.start < b.start }

  /// The bytes from here, which are UTF-8, as text.
  @inline(__always) func text(_ count: Int) -> String {
    if count <= 15 { return shortText(count) }
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A text of up to 15 bytes, which a string holds without memory of its own. Copied in one or two words, it takes half
  /// of what decoding byte by byte takes.
  @inline(never) private func shortText(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { room in
      if let room = room.baseAddress { copyShort(count, to: UnsafeMutableRawPointer(room)) }
      return count
    }
  }

  /// Copies up to 16 bytes in words, the second of which may begin within the first.
  @inline(__always) private func copyShort(_ count: Int, to room: UnsafeMutableRawPointer) {
    if count >= 8 {
      room.storeBytes(of: word64, as: UInt64.self)
      (room + (count - 8)).storeBytes(of: (self + (count - 8)).word64, as: UInt64.self)
    } else if count >= 4 {
      room.storeBytes(of: word32, as: UInt32.self)
      (room + (count - 4)).storeBytes(of: (self + (count - 4)).word32, as: UInt32.self)
    } else if count > 0 {
      // The first byte, the one in the middle and the last one.
      room.storeBytes(of: byte, as: UInt8.self)
      (room + count / 2).storeBytes(of: self[count / 2], as: UInt8.self)
      (room + (count - 1)).storeBytes(of: self[count - 1], as: UInt8.self)
    }
  }

  @inline(__always) func text(to end: Bytes) -> String { text(end - self) }

  /// True if the next words, of eight bytes each, are ASCII.
  @inline(__always) func isASCII(words count: Int) -> Bool {
    var all: UInt64 = 0
    for i in 0..<count { all |= (self + i * 8).word64 }
    return all & 0x8080_8080_8080_8080 == 0
  }

  /// True if the next `count` bytes at both places are equal.
  @inline(__always) func equals(_ other: Bytes, _ count: Int) -> Bool {
    if count >= 8 {
      // Words, the last of which may begin within the one before.
      var i = 0
      while i < count - 8 {
        if (self + i).word64 != (other + i).word64 { return false }
        i += 8
      }
      return (self + (count - 8)).word64 == (other + (count - 8)).word64
    }
    if count >= 4 { return word32 == other.word32 && (self + (count - 4)).word32 == (other + (count - 4)).word32 }
    for i in 0..<count where start[i] != other.start[i] { return false }
    return true
  }

  /// One of 64 bits, by which the names of members are told apart before their bytes are compared.
  @inline(__always) func keyBit(_ length: Int) -> UInt64 {
    let mask = length >= 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
    let hash = ((word64 & mask) ^ UInt64(length)) &* 0x9e37_79b9_7f4a_7c15
    return 1 &<< (hash &>> 58)
  }

  /// Copies the bytes at this place to memory that has room for them.
  @inline(__always) func copy(_ count: Int, to room: UnsafeMutablePointer<UInt8>) {
    room.update(from: start, count: count)
  }
}

extension StaticString {
  /// The bytes of a literal.
  var bytes: [UInt8] { withUTF8Buffer { Array($0) } }

  /// A number that no other literal has: where it is in the program.
  var address: UInt { UInt(bitPattern: utf8Start) }
}
