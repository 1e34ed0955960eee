/// The first violation of the grammar of JSON (RFC 8259) in a text, with its location.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence that says what is wrong, without the location.
  public let message: String
  /// The location of the error, in UTF-8 bytes from the beginning of the text.
  public let offset: Int
  /// The line of the location, counted from 1.
  public let line: Int
  /// The column of the location in its line, in UTF-8 bytes, counted from 1.
  public let column: Int

  /// Makes an error at an offset of a text.
  package init(_ message: String, at offset: Int, in text: some Sequence<UInt8>) {
    self.message = message
    self.offset = offset
    var line = 1, lineStart = 0, position = 0, previous: UInt8 = 0
    for byte in text.prefix(offset) {
      position += 1
      // A carriage return ends a line. A line feed directly after it belongs to it.
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

  /// The location and the message: `line 3, column 7: …`.
  public var description: String { "line \(line), column \(column): \(message)" }
}
