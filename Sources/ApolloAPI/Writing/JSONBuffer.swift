#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Bytes that grow, with a few more of room behind them, so that a word may be loaded that starts inside them.
struct JSONBuffer: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  private static let slack = 16

  init() {
    capacity = 256
    start = .allocate(capacity: capacity + Self.slack)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  var last: UInt8? { count == 0 ? nil : start[count - 1] }

  @inline(__always) mutating func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    start[count] = byte
    count += 1
  }

  @inline(__always) mutating func append(_ source: UnsafePointer<UInt8>, _ length: Int) {
    if count + length > capacity { grow(length) }
    memcpy(start + count, source, length)
    count += length
  }

  /// Appends `,"name":`, without the comma at the beginning of an object. The name needs no escapes.
  mutating func appendKey(_ name: StaticString) {
    reserve(name.utf8CodeUnitCount + 4)
    openKey()
    memcpy(start + count, name.utf8Start, name.utf8CodeUnitCount)
    count += name.utf8CodeUnitCount
    start[count] = UInt8(ascii: "\"")
    start[count + 1] = UInt8(ascii: ":")
    count += 2
  }

  /// Appends `,"key":`, most keys as two words: what they have too much is written over.
  mutating func appendKey(_ field: UnsafePointer<FieldInfo>) {
    let length = field.pointee.length
    reserve(length + 2)
    openKey()
    if length <= Self.slack {
      let room = UnsafeMutableRawPointer(start + count)
      room.storeBytes(of: field.pointee.word0, as: UInt64.self)
      (room + 8).storeBytes(of: field.pointee.word1, as: UInt64.self)
    } else {
      memcpy(start + count, field.pointee.bytes, length)
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

  /// Appends text between quotes, unescaped; tells where it begins.
  mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    reserve(text.count + 2)
    start[count] = UInt8(ascii: "\"")
    if let base = text.baseAddress { memcpy(start + count + 1, base, text.count) }
    start[count + 1 + text.count] = UInt8(ascii: "\"")
    count += text.count + 2
    return count - text.count - 1
  }

  @inline(__always) private mutating func reserve(_ length: Int) {
    if count + length > capacity { grow(length) }
  }

  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    if let base = source.baseAddress { append(base, source.count) }
  }

  mutating func truncate(to count: Int) { self.count = count }

  mutating func replace(_ range: Range<Int>, with replacement: [UInt8]) {
    let tail = Array(bytes[range.upperBound...])
    count = range.lowerBound
    replacement.withUnsafeBufferPointer { append($0) }
    tail.withUnsafeBufferPointer { append($0) }
  }

  @inline(never) private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.slack)
    grown.update(from: start, count: count)
    start.deallocate()
    start = grown
  }
}
