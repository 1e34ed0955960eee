/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as a sentence without the place.
  public let message: String
  /// Where it is, in UTF-8 bytes from the beginning of the text.
  public let offset: Int
  /// The line of the place, from 1.
  public let line: Int
  /// The column of the place in its line, in UTF-8 bytes, from 1.
  public let column: Int

  /// An error at a place of a text.
  package init(_ message: String, at offset: Int, in text: some Sequence<UInt8>) {
    self.message = message
    self.offset = offset
    var line = 1, lineStart = 0, position = 0, previous: UInt8 = 0
    for byte in text.prefix(offset) {
      position += 1
      // A carriage return ends a line, and a line feed behind it belongs to it.
      if byte == UInt8(ascii: "\n"), previous == UInt8(ascii: "\r") {
        lineStart = position
      } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        line += 1
        lineStart = position
      }
      previous = byte
    }
    self.line = line
    column = offset - lineStart + 1
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}
