/// Finds the first byte of ill-formed UTF-8.
enum UTF8Validation {
  static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    let valid = bytes.withUnsafeBytes { buffer in
      // GraphQL text is almost all ASCII: skip it eight bytes at a time.
      var index = 0
      while index + 8 <= buffer.count,
        buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      return index
    }
    return firstInvalidOffset(in: bytes, from: valid)
  }

  private static func firstInvalidOffset(in bytes: [UInt8], from start: Int) -> Int? {
    var decoder = UTF8()
    var iterator = bytes[start...].makeIterator()
    var offset = start
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}
