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
  ///   - line: The line.
  ///   - mark: The range of the marked part, as UTF-8 offsets in the line.
  ///   - width: How many columns there are; nil: as many as the line has.
  init(_ line: String, mark: Range<Int>, width: Int?) {
    let bytes = Array(line.utf8)
    let from = min(mark.lowerBound, bytes.count), to = min(max(mark.upperBound, from), bytes.count)
    let start = DisplayWidth.of(String(decoding: bytes[..<from], as: UTF8.self))
    let end = start + max(1, DisplayWidth.of(String(decoding: bytes[from..<to], as: UTF8.self), at: start))
    let shown = DisplayWidth.expandTabs(line), total = DisplayWidth.of(shown)
    guard let width, total > width else {
      (text, indent, length) = (shown, start, end - start)
      return
    }
    // The marked part begins at a third of the width, unless the line begins or ends before that.
    let first = max(0, min(start - width / 3, total - width))
    let isCutBefore = first > 0, isCutBehind = first + width < total
    let visible = (first + (isCutBefore ? 1 : 0))..<(first + width - (isCutBehind ? 1 : 0))
    text = (isCutBefore ? "…" : "") + Self.columns(visible, of: shown) + (isCutBehind ? "…" : "")
    indent = start - first
    length = max(1, min(end, visible.upperBound) - start)
  }

  /// A part of a line. A wide character that is cut in half becomes a space.
  private static func columns(_ range: Range<Int>, of line: String) -> String {
    var column = 0
    var result = ""
    for character in line {
      let next = column + DisplayWidth.of(String(character))
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
