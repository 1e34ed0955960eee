/// How the values of several key fields are joined: with `+` between them, and with `\` before each `+` and `\` in a
/// value, so that different values never make equal keys.
enum CacheKeyEscaping {
  static func escaped(_ value: String) -> String {
    guard value.utf8.contains(where: isSpecial) else { return value }
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if isSpecial(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func isSpecial(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "\\") }
}
