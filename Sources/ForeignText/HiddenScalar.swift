/// Scalars that a reader does not see, although they have an effect.
package enum HiddenScalar {
  /// Whether a scalar is hidden: a control character other than the tab, a separator of lines or paragraphs, or a
  /// format character that has no shape, such as those of bidirectional text. The joiners of letters and emoji are not
  /// counted.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return scalar.properties.isDefaultIgnorableCodePoint && !isJoiner(scalar)
    // Those that no text may contain (https://www.unicode.org/faq/private_use.html#noncharacters).
    case .unassigned: return scalar.properties.isNoncharacterCodePoint
    default: return false
    }
  }

  /// How a scalar is written in its place: `\u{1b}`.
  package static func escaped(_ scalar: Unicode.Scalar) -> String {
    "\\u{" + String(scalar.value, radix: 16) + "}"
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }
}
