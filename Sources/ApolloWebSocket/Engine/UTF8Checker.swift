/// Checks text that comes in parts for UTF-8 (Unicode 16, table 3-7).
struct UTF8Checker {
  /// How many bytes of the character are still to come.
  private var missing = 0
  /// What the next of them may be.
  private var next: ClosedRange<UInt8> = 0x80...0xbf

  /// True if no character is left open.
  var isComplete: Bool { missing == 0 }

  /// False at the first byte that cannot be part of UTF-8. A part may end within a character.
  mutating func accepts(_ bytes: some Sequence<UInt8>) -> Bool {
    for byte in bytes {
      if missing > 0 {
        guard next.contains(byte) else { return false }
        next = 0x80...0xbf
        missing -= 1
      } else if byte >= 0x80 {
        guard start(byte) else { return false }
      }
    }
    return true
  }

  private mutating func start(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xc2...0xdf: missing = 1
    case 0xe0: (missing, next) = (2, 0xa0...0xbf)
    case 0xed: (missing, next) = (2, 0x80...0x9f)
    case 0xe1...0xef: missing = 2
    case 0xf0: (missing, next) = (3, 0x90...0xbf)
    case 0xf1...0xf3: missing = 3
    case 0xf4: (missing, next) = (3, 0x80...0x8f)
    default: return false
    }
    return true
  }
}
