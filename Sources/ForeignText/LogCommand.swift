/// What the logs of CI services take for a command, wherever it stands in a line: `##[`, `##vso[`, `##teamcity[`.
package enum LogCommand {
  /// The offsets of the second `#` of each.
  package static func places(in bytes: [UInt8]) -> [Int] {
    bytes.indices.dropFirst().filter { index in
      bytes[index] == UInt8(ascii: "#") && bytes[index - 1] == UInt8(ascii: "#")
        && bytes[(index + 1)...].first { !isLetter($0) } == UInt8(ascii: "[")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
}
