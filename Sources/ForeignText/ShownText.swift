extension String {
  /// The text on one line, as a person or a program that reads lines may see it: in a message, a log, a comment or a
  /// terminal.
  ///
  /// A text of a schema, a document, a server or the name of a file can have scalars that do something instead of being
  /// seen: they end a line, command a terminal, or change the direction in which the text around them is read
  /// ([CVE-2021-42574](https://trojansource.codes)). They are written as `\u{1b}`, and line breaks as `\n` and `\r`. So
  /// are the first characters of what the logs of CI services take for a command: `::` at the beginning, and `##[` or
  /// `##vso[` anywhere.
  package var shownOnOneLine: String {
    var shown = withHiddenScalarsShown { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      default: HiddenScalar.escaped(scalar)
      }
    }
    shown.showCommands()
    return shown
  }

  /// The lines of the text, without what ends them. Scalars in them that are hidden are written as `\u{1b}`.
  ///
  /// Lines end where Swift's compiler, a terminal or an editor may end them: at a line feed, a carriage return, both
  /// together, U+000B, U+000C, U+0085, U+2028 and U+2029.
  package var shownLines: [String] {
    var lines = [String.UnicodeScalarView()]
    var last: Unicode.Scalar?
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where last == "\r": break
      case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": lines.append(.init())
      default: lines[lines.count - 1].append(scalar)
      }
      last = scalar
    }
    return lines.map { String($0).withHiddenScalarsShown(HiddenScalar.escaped) }
  }

  private func withHiddenScalarsShown(_ show: (Unicode.Scalar) -> String) -> String {
    // Most texts have none.
    guard unicodeScalars.contains(where: HiddenScalar.isHidden) else { return self }
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if HiddenScalar.isHidden(scalar) {
        shown.append(contentsOf: show(scalar).unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  private mutating func showCommands() {
    var bytes = Array(utf8)
    let start = bytes.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? bytes.endIndex
    let beginning = bytes[start...].starts(with: "::".utf8) ? [start] : []
    let places = beginning + LogCommand.places(in: bytes)
    guard !places.isEmpty else { return }
    for place in places.reversed() {
      bytes.replaceSubrange(place...place, with: HiddenScalar.escaped(Unicode.Scalar(bytes[place])).utf8)
    }
    self = String(decoding: bytes, as: UTF8.self)
  }
}
