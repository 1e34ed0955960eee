/// A place in a text, for people.
public struct SourceLocation: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int
  /// The column, from 1, in UTF-16 code units as GraphQL servers and editors count.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The beginning of a text.
  public static let start = SourceLocation(line: 1, column: 1)
}

/// The line starts of a source. Making one reads the whole text: keep it when several places are asked for.
///
/// Lines end as the [specification](https://spec.graphql.org/September2025/#sec-Line-Terminators) says: at a line feed, or a carriage return with
/// or without a line feed.
public struct LineIndex: Sendable {
  private let source: Source
  private var starts: [Int] = [0]

  public init(_ source: Source) {
    self.source = source
    let bytes = source.utf8
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == Ascii.lineFeed || byte == Ascii.carriageReturn else { continue }
      if byte == Ascii.carriageReturn, index < bytes.count, bytes[index] == Ascii.lineFeed { index += 1 }
      starts.append(index)
    }
  }

  /// The number of lines: one more than there are line terminators.
  public var lineCount: Int { starts.count }

  /// The line and column of a UTF-8 offset, which is clamped to the source.
  public func location(of offset: UInt32) -> SourceLocation {
    let offset = min(Int(offset), source.count)
    let line = lineNumber(of: offset)
    let start = starts[line]
    let column = String(decoding: source.utf8[start..<offset], as: UTF8.self).utf16.count
    return SourceLocation(
      line: source.origin.line + line,
      column: column + (line == 0 ? source.origin.column : 1))
  }

  /// The text of the line that holds an offset, without its terminator, and the UTF-8 offset it starts at.
  func line(containing offset: UInt32) -> (text: String, start: Int) {
    let line = lineNumber(of: min(Int(offset), source.count))
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : source.count
    while end > start, source.utf8[end - 1] == Ascii.lineFeed || source.utf8[end - 1] == Ascii.carriageReturn {
      end -= 1
    }
    return (source.text(from: start, to: end), start)
  }

  private func lineNumber(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
