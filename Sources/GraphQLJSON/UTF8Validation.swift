/// Finds the first byte of ill-formed UTF-8.
package enum UTF8Validation {
  package static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      var index = 0
      while index < buffer.count {
        // GraphQL text is almost all ASCII: skip it eight bytes at a time.
        while index + 8 <= buffer.count,
          buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          index += 8
        }
        let end = min(index + 8, buffer.count)
        while index < end {
          guard let length = sequenceLength(at: index, in: buffer) else { return index }
          index += length
        }
      }
      return nil
    }
  }

  /// The length of a well-formed sequence, or `nil` (Unicode, table 3-7).
  private static func sequenceLength(at index: Int, in buffer: UnsafeRawBufferPointer) -> Int? {
    let first = buffer[index]
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= buffer.count, second.contains(buffer[index + 1]) else { return nil }
    for offset in 2..<max(length, 2) where buffer[index + offset] & 0xC0 != 0x80 { return nil }
    return length
  }
}
