/// Texts that mean something to a lexer, a terminal or a reader, unless each scalar is looked at.
enum HostileTexts {
  /// A scalar of each class of Grapheme_Cluster_Break, and of each general category that makes trouble.
  static let scalars: [Unicode.Scalar] =
    [
      // Prepend: of Cf and of Lo.
      0x600, 0x605, 0x6DD, 0x70F, 0x890, 0x8E2, 0xD4E, 0x110BD, 0x110CD, 0x111C2, 0x1193F, 0x11A3A, 0x11D46, 0x11F02,
      // Control, CR, LF, and separators.
      0x0, 0x1, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, 0xD, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9D, 0x2028, 0x2029,
      // Extend, SpacingMark, ZWJ, variation selectors, marks around letters.
      0x300, 0x488, 0x903, 0xE33, 0x20DD, 0x200C, 0x200D, 0xFE0F, 0xE0100, 0x1F3FB,
      // L, V, T, LV, LVT, Regional_Indicator, pictures.
      0x1100, 0x1160, 0x11A8, 0xAC00, 0xAC01, 0x1F1E6, 0x1F469, 0x2764,
      // Linkers and consonants of Indic conjuncts.
      0x915, 0x94D,
      // Format: bidirectional, invisible, byte order mark, tags, annotations.
      0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0x206F, 0xFEFF, 0xFFF9,
      0xE0001, 0xE0061, 0x1D173, 0x13430,
      // Spaces, unassigned, private, noncharacters, the last one.
      0xA0, 0x1680, 0x2003, 0x202F, 0x3000, 0x378, 0xE000, 0xF0000, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFF, 0x10FFFF,
      // Syntax.
      0x22, 0x23, 0x24, 0x27, 0x28, 0x2F, 0x2A, 0x3B, 0x40, 0x5C, 0x60, 0x7B, 0x7D, 0xFF02, 0x201C, 0xFF3C,
    ].compactMap { Unicode.Scalar($0 as UInt32) }

  /// A text in which a scalar stands before and behind all that ends or opens something in Swift.
  static func text(around scalar: Unicode.Scalar) -> String {
    let syntax = [
      "\"", "\\(x)", "\"#", "\\#(x)", "\"\"\"", "*/", "//", "/*", "\n", "\\", "#if", "`", "\r\n", ";", "\\u{41}", "\\",
    ]
    var text = String.UnicodeScalarView([scalar])
    for part in syntax {
      text.append(contentsOf: part.unicodeScalars)
      text.append(scalar)
      text.append(" ")
      text.append(scalar)
    }
    return String(text)
  }

  /// A literal of GraphQL in which everything but letters is an escape.
  static func graphQL(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { "\\u{" + String($0.value, radix: 16) + "}" }.joined() + "\""
  }
}
