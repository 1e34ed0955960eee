#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A buffer of bytes that grows.
///
/// **Invariants.** The first `count` bytes are initialized. There is memory for `capacity` and ``slack`` more bytes: so
/// a word may be loaded or stored at any place up to `capacity`, and its surplus bytes are overwritten later. Before
/// the first byte is written, no memory is allocated.
struct JSONBuffer: ~Copyable {
  private var start = UnsafeMutablePointer<UInt8>.nowhere
  private(set) var count = 0
  private var capacity = 0
  private static let slack = 16

  init() {}

  deinit {
    if capacity > 0 { start.returnToSystem() }
  }

  // MARK: What was written

  var array: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// It is valid until something is written.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  var text: String { String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }

  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    return start[index]
  }

  func array(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return Array(UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// True if the bytes in both ranges are equal.
  func areEqual(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    precondition(a.lowerBound >= 0 && a.upperBound <= count && b.lowerBound >= 0 && b.upperBound <= count)
    return a.count == b.count && memcmp(start + a.lowerBound, start + b.lowerBound, a.count) == 0
  }

  // MARK: Writing

  @inline(__always) mutating func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    start[count] = byte
    count += 1
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append($0) }
  }

  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  mutating func append(_ bytes: ResponseBytes, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    reserve(range.count)
    (bytes.start + range.lowerBound).copy(range.count, to: start + count)
    count += range.count
    withExtendedLifetime(bytes) {}
  }

  /// Appends a part of a cache key, with `\` before what separates parts.
  ///
  /// Copies the text first and looks for such bytes afterwards, as ``append(string:)`` does.
  mutating func append(keyPart text: String) {
    let first = count
    // Not `withUTF8`, which needs a variable, and so one more reference.
    if text.utf8.withContiguousStorageIfAvailable({ append($0) }) == nil { append(Array(text.utf8)) }
    // The last word may have bytes after the text. Their values affect only the time, not the result.
    var q = first
    while q < count {
      if Bytes(UnsafePointer(start) + q).hasSpecialKeyByte { return escapeKeyPart(from: first) }
      q += 8
    }
  }

  @inline(never) private mutating func escapeKeyPart(from first: Int) {
    let text = array(first..<count)
    truncate(to: first)
    for byte in text {
      if CacheKeyEscaping.isSpecial(byte) { append(UInt8(ascii: "\\")) }
      append(byte)
    }
  }

  mutating func append(_ bytes: Bytes, _ length: Int) {
    reserve(length)
    bytes.copy(length, to: start + count)
    count += length
  }

  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    reserve(source.count)
    if let base = source.baseAddress { memcpy(start + count, base, source.count) }
    count += source.count
  }

  /// Appends an integer, from its last digit to its first.
  mutating func append(decimal value: Int64) {
    let longest = 20
    reserve(longest)
    let end = start + (count + longest)
    var first = end, rest = value.magnitude
    repeat {
      first -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      first.pointee = 0x30 + UInt8(digit)
      rest = quotient
    } while rest != 0
    if value < 0 {
      first -= 1
      first.pointee = UInt8(ascii: "-")
    }
    memmove(start + count, first, end - first)
    count += end - first
  }

  /// Appends `,"name":`, without the comma at the beginning of an object. The name needs no escapes.
  mutating func append(key name: StaticString) {
    name.withUTF8Buffer { name in
      reserve(name.count + 4)
      openKey()
      append(name)
      start[count] = UInt8(ascii: "\"")
      start[count + 1] = UInt8(ascii: ":")
      count += 2
    }
  }

  /// Appends `,"key":`, most keys as two words.
  ///
  /// - Parameters:
  ///   - key: `key":`.
  ///   - words: Its first 16 bytes.
  ///   - length: How many bytes it has.
  @inline(__always) mutating func append(key: Bytes, _ words: (UInt64, UInt64), length: Int) {
    reserve(length + 2)
    openKey()
    if length <= Self.slack {
      let room = UnsafeMutableRawPointer(start + count)
      room.storeBytes(of: words.0, as: UInt64.self)
      (room + 8).storeBytes(of: words.1, as: UInt64.self)
    } else {
      key.copy(length, to: start + count)
    }
    count += length
  }

  @inline(__always) private mutating func openKey() {
    if count > 0, start[count - 1] != UInt8(ascii: "{") {
      start[count] = UInt8(ascii: ",")
      count += 1
    }
    start[count] = UInt8(ascii: "\"")
    count += 1
  }

  /// Appends a string of JSON (RFC 8259, section 7).
  ///
  /// Copies the text first and looks for what must be escaped afterwards, in the copy: words may be loaded from there.
  mutating func append(string: String) {
    var string = string
    string.withUTF8 { text in
      reserve(text.count + 2)
      start[count] = UInt8(ascii: "\"")
      let first = count + 1
      if let base = text.baseAddress { memcpy(start + first, base, text.count) }
      count = first + text.count
      start[count] = UInt8(ascii: "\"")
      count += 1
      // The closing quote ends every run.
      let plain = Bytes(UnsafePointer(start) + first).endOfPlainRun - Bytes(UnsafePointer(start) + first)
      if plain < text.count { escape(text, from: plain, at: first) }
    }
  }

  /// Writes the text again, from its first byte that must be escaped.
  @inline(never) private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, from first: Int, at start: Int) {
    count = start + first
    for byte in text[first...] {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        append(byte)
        continue
      }
      append(UInt8(ascii: "\\"))
      switch byte {
      case 0x0a: append(UInt8(ascii: "n"))
      case 0x0d: append(UInt8(ascii: "r"))
      case 0x09: append(UInt8(ascii: "t"))
      case 0x08: append(UInt8(ascii: "b"))
      case 0x0c: append(UInt8(ascii: "f"))
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
      default:
        append("u00")
        append(Self.hexDigit(byte >> 4))
        append(Self.hexDigit(byte & 15))
      }
    }
    append(UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : UInt8(ascii: "a") + value - 10
  }

  // MARK: Changing

  mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count)
    self.count = count
  }

  mutating func replace(_ range: Range<Int>, with replacement: [UInt8]) {
    let tail = array(range.upperBound..<count)
    truncate(to: range.lowerBound)
    append(replacement)
    append(tail)
  }

  /// Makes room for so many bytes more.
  @inline(__always) mutating func reserve(_ length: Int) {
    if count + length > capacity { grow(length) }
  }

  @inline(never) private mutating func grow(_ length: Int) {
    let wanted = max(256, capacity * 2, count + length)
    let grown = UnsafeMutablePointer<UInt8>.fromSystem(capacity: wanted + Self.slack)
    grown.update(from: start, count: count)
    if capacity > 0 { start.returnToSystem() }
    start = grown
    capacity = wanted
  }
}
