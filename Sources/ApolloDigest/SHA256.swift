/// The secure hash algorithm of FIPS 180-4 with 256 bits.
package enum SHA256 {
  /// The hash of a text in UTF-8, as 64 lower-case hexadecimal digits.
  package static func hexadecimal(_ text: String) -> String {
    let digits = Array("0123456789abcdef")
    return String(hash(Array(text.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  static func hash(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    bytes += Array(repeating: 0, count: (120 - bytes.count % 64) % 64)
    let bitCount = UInt64(message.count) * 8
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> UInt64(56 - 8 * $0)) }
    var state = initialState
    for start in stride(from: 0, to: bytes.count, by: 64) { compress(bytes[start..<(start + 64)], into: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var schedule = [UInt32](repeating: 0, count: 64)
    for i in 0..<16 {
      for j in 0..<4 { schedule[i] = schedule[i] << 8 | UInt32(block[block.startIndex + 4 * i + j]) }
    }
    for i in 16..<64 {
      let a = schedule[i - 15], b = schedule[i - 2]
      let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3), s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
      schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
    }
    // The eight working variables of the standard.
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for i in 0..<64 {
      let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ roundConstants[i] &+ schedule[i]
      let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] = state[i] &+ word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  private static let initialState: [UInt32] = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let roundConstants: [UInt32] = primes.map { fraction(cubeRoot(Double($0))) }

  private static let primes = (2...311).filter { n in (2..<n).allSatisfy { n % $0 != 0 } }

  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }

  private static func cubeRoot(_ number: Double) -> Double {
    var root = number / 3 + 1
    for _ in 0..<64 { root -= (root * root * root - number) / (3 * root * root) }
    return root
  }
}
