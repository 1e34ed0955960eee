import ApolloAPI

/// Bytes that grow, with the numbers and texts of a blob.
struct BlobWriter {
  private(set) var bytes: [UInt8] = []

  /// Begins another blob in the memory of this one.
  mutating func restart() { bytes.removeAll(keepingCapacity: true) }

  mutating func write(_ byte: UInt8) { bytes.append(byte) }

  /// Seven bits in each byte, the lowest first; the eighth bit says that another byte follows.
  mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func write(count: Int) { write(UInt64(count)) }

  /// Numbers near zero take few bytes, whatever their sign.
  mutating func write(signed number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

  mutating func write(_ number: Double) {
    var bits = number.bitPattern
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
  }

  /// The text as UTF-8, behind its length.
  mutating func write(_ text: String) {
    write(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// The key of a record as UTF-8, behind its length.
  mutating func write(keyOf number: Int32, in records: RecordSnapshot) {
    write(count: records.keyLength(of: number))
    records.appendKey(of: number, to: &bytes)
  }

  /// Ends the blob with a checksum of the record's key and of all bytes before it.
  mutating func writeChecksum(for key: String) {
    let sum = Checksum.of(bytes, for: key)
    for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: sum >> shift)) }
  }
}

/// FNV-1a of 32 bits. Two texts of one length that differ in one byte never have the same one. The key counts as well:
/// damage may lead SQLite from a key to another record.
enum Checksum {
  static let length = 4

  static func of(_ bytes: some Sequence<UInt8>, for key: String) -> UInt32 {
    var sum: UInt32 = 0x811c_9dc5
    for byte in key.utf8 { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
    for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
    return sum
  }
}
