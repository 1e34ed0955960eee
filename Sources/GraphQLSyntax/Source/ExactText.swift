/// A text that equals only a text with the same bytes in UTF-8, as texts do in GraphQL and JSON. (Texts that differ in
/// how their letters are composed are one text for `String`: "é" as one character, and "e" with an accent behind it.)
package struct ExactText: Hashable, Sendable {
  /// The text.
  package let value: String

  /// Makes one of a text.
  package init(_ value: String) { self.value = value }

  /// Compares the bytes.
  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.value.utf8.elementsEqual(right.value.utf8)
  }

  /// Feeds the bytes into a hasher, and one behind them that no text has.
  package func hash(into hasher: inout Hasher) {
    for byte in value.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8.max)
  }
}
