/// A line of a text with a mark below a part of it, cut to a width around that part: `… hero { nme } …`.
struct Excerpt {
  /// The line as a terminal shows it.
  private(set) var text = ""
  /// How many columns are before the mark.
  private(set) var indent = 0
  /// How many columns the mark takes; at least one.
  private(set) var length = 1

  /// Cuts a line.
  ///
  /// - Parameters:
  ///   - line: The line in UTF-8.
  ///   - mark: The range of the marked part, as offsets in the text that the line is a slice of.
  ///   - width: How many columns there are; nil: as many as the line has.
  init(_ line: ArraySlice<UInt8>, mark: Range<Int>, width: Int?) {
    let from = min(max(mark.lowerBound, line.startIndex), line.endIndex)
    let near = width.map { Self.bytes(of: line, near: from, width: $0) } ?? line
    let to = min(max(mark.upperBound, from), near.endIndex)
    let start = DisplayWidth.of(String(decoding: near[..<from], as: UTF8.self))
    let end = start + max(1, DisplayWidth.of(String(decoding: near[from..<to], as: UTF8.self), at: start))
    let shown = DisplayWidth.expandTabs(String(decoding: near, as: UTF8.self)), total = DisplayWidth.of(shown)
    guard let width, total > width || near.count < line.count else {
      (text, indent, length) = (shown, start, end - start)
      return
    }
    // The marked part begins at a third of the width, unless the line begins or ends before that.
    let first = max(0, min(start - width / 3, total - width))
    let isCutBefore = first > 0 || near.startIndex > line.startIndex
    let isCutBehind = first + width < total || near.endIndex < line.endIndex
    let visible = (first + (isCutBefore ? 1 : 0))..<(first + width - (isCutBehind ? 1 : 0))
    text = (isCutBefore ? "…" : "") + Self.columns(visible, of: shown) + (isCutBehind ? "…" : "")
    indent = start - first
    length = max(1, min(end, visible.upperBound) - start)
  }

  /// The part of a line that may be seen around a place. A line may have megabytes, and all of its columns would be
  /// counted for each mark in it.
  private static func bytes(of line: ArraySlice<UInt8>, near place: Int, width: Int) -> ArraySlice<UInt8> {
    // Few characters have more bytes for each of their columns.
    let margin = 8 * width
    var from = max(line.startIndex, place - margin), to = min(line.endIndex, place + margin)
    // A scalar is not cut in half.
    while from < place, isContinuation(line[from]) { from += 1 }
    while to > place, to < line.endIndex, isContinuation(line[to]) { to -= 1 }
    return line[from..<to]
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// A part of a line. A wide character that is cut in half becomes a space.
  private static func columns(_ range: Range<Int>, of line: String) -> String {
    var column = 0
    var result = ""
    for character in line {
      let next = column + DisplayWidth.width(of: character)
      if column >= range.lowerBound, next <= range.upperBound {
        result.append(character)
      } else if next > range.lowerBound, column < range.upperBound {
        result += String(repeating: " ", count: min(next, range.upperBound) - max(column, range.lowerBound))
      }
      column = next
      if column >= range.upperBound { break }
    }
    return result
  }
}
