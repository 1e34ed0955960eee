/// A position in a text, for people.
public struct SourceLocation: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int
  /// The column, from 1, in UTF-16 code units, which GraphQL servers and editors count as well.
  public var column: Int

  /// Makes a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The beginning of a text: line 1, column 1.
  public static let start = SourceLocation(line: 1, column: 1)
}

/// The offsets at which the lines of a source begin. Making an index reads the whole text, so keep it if several
/// positions are needed.
///
/// A line ends at a line feed, or at a carriage return with or without a line feed, as in the
/// [specification](https://spec.graphql.org/September2025/#sec-Line-Terminators).
public struct LineIndex: Sendable {
  private let source: Source
  private var starts: [Int] = [0]
  /// The numbers of UTF-16 code units before each block of bytes, so that not all of a long line is read to count the
  /// columns in it. There are none if no line is longer than a block, or if the text is not UTF-8.
  private var unitsBeforeBlocks: [Int] = []

  /// Makes an index.
  ///
  /// - Parameter source: The text.
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
    let lengths = zip(starts, starts.dropFirst() + [bytes.count]).lazy.map { $1 - $0 }
    guard source.firstInvalidOffset == nil, lengths.contains(where: { $0 > Self.blockSize }) else { return }
    var units = 0
    for offset in 0...bytes.count {
      if offset % Self.blockSize == 0 { unitsBeforeBlocks.append(units) }
      if offset < bytes.count { units += Self.units(bytes[offset]) }
    }
  }

  /// The number of lines, which is one more than the number of line terminators.
  public var lineCount: Int { starts.count }

  /// The line and column of a UTF-8 offset. An offset beyond the end stands for the end.
  public func location(of offset: UInt32) -> SourceLocation {
    let offset = min(Int(offset), source.count)
    let line = lineNumber(of: offset)
    let start = starts[line]
    let column =
      unitsBeforeBlocks.isEmpty
      ? String(decoding: source.utf8[start..<offset], as: UTF8.self).utf16.count
      : units(before: offset) - units(before: start)
    return SourceLocation(
      line: source.origin.line + line,
      column: column + (line == 0 ? source.origin.column : 1))
  }

  /// The UTF-8 offsets of the line with an offset, without its terminator.
  func line(containing offset: UInt32) -> Range<Int> {
    let line = lineNumber(of: min(Int(offset), source.count))
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : source.count
    while end > start, source.utf8[end - 1] == Ascii.lineFeed || source.utf8[end - 1] == Ascii.carriageReturn {
      end -= 1
    }
    return start..<end
  }

  private static let blockSize = 1024

  /// The number of UTF-16 code units of the scalar that a byte begins.
  private static func units(_ byte: UInt8) -> Int { byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }

  private func units(before offset: Int) -> Int {
    let block = offset / Self.blockSize
    return source.utf8[block * Self.blockSize..<offset].reduce(unitsBeforeBlocks[block]) { $0 + Self.units($1) }
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
