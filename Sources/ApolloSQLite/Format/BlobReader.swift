/// Reads what a ``BlobWriter`` wrote. Any other bytes are an error, and nothing else.
struct BlobReader {
  private let bytes: [UInt8]
  private var position = 0
  private let end: Int

  /// What cannot be read.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - bytes: A blob with its checksum.
  ///   - key: The key of the record.
  /// - Throws: ``Problem`` if the checksum does not fit.
  init(_ bytes: [UInt8], for key: String) throws(Problem) {
    guard bytes.count >= Checksum.length else { throw Problem(description: "it has \(bytes.count) bytes") }
    self.bytes = bytes
    end = bytes.count - Checksum.length
    var sum: UInt32 = 0
    for byte in bytes[end...].reversed() { sum = sum << 8 | UInt32(byte) }
    guard sum == Checksum.of(bytes[..<end], for: key) else { throw Problem(description: "its checksum does not fit") }
  }

  /// How many bytes are left.
  var rest: Int { end - position }

  mutating func byte() throws(Problem) -> UInt8 {
    guard position < end else { throw ended }
    position += 1
    return bytes[position - 1]
  }

  mutating func number() throws(Problem) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte(), bits = UInt64(byte & 0x7f)
      guard shift < 63 || bits <= 1 else { throw Problem(description: "a number is too large") }
      number |= bits << shift
      if byte < 0x80 { return number }
    }
    throw Problem(description: "a number is too long")
  }

  mutating func signed() throws(Problem) -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func seconds() throws(Problem) -> UInt32 {
    guard let seconds = UInt32(exactly: try number()) else { throw Problem(description: "a date is too late") }
    return seconds
  }

  mutating func double() throws(Problem) -> Double {
    var bits: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
    let value = Double(bitPattern: bits)
    guard value.isFinite else { throw Problem(description: "a number is not finite") }
    return value
  }

  /// How many elements follow. Each takes at least one byte, so there cannot be more than bytes are left.
  mutating func count() throws(Problem) -> Int {
    let count = try number()
    guard count <= UInt64(rest) else { throw ended }
    return Int(count)
  }

  mutating func text() throws(Problem) -> String { try text(ofLength: try count()) }

  mutating func text(ofLength count: Int) throws(Problem) -> String {
    guard count >= 0, count <= rest else { throw ended }
    position += count
    return String(decoding: bytes[position - count..<position], as: UTF8.self)
  }

  private var ended: Problem { Problem(description: "it ends too early") }
}
