/// A string or block string in a GraphQL text: `StringValue` —
/// [spec](https://spec.graphql.org/September2025/#StringValue)
///
/// A parsed string keeps only its place in the source, and is decoded when it is asked for. Most of a large schema is
/// descriptions, which are rarely read.
public struct StringValue: Sendable, Hashable {
  private enum Storage: Sendable {
    case text(String)
    case source(Source)
  }

  private var storage: Storage
  /// Whether the string is written between triple quotes.
  public let isBlock: Bool
  /// The range of the text, quotes included; ``SourceSpan/none`` if the string was built in code. Equality does not
  /// compare it.
  public let span: SourceSpan

  /// Builds a string in code.
  public init(_ value: String, isBlock: Bool = false, span: SourceSpan = .none) {
    self.storage = .text(value)
    self.isBlock = isBlock
    self.span = span
  }

  /// Makes a string of a token, quotes included, that the lexer has checked.
  init(source: Source, isBlock: Bool, span: SourceSpan) {
    self.storage = .source(source)
    self.isBlock = isBlock
    self.span = span
  }

  /// The characters that the string means: escapes are resolved, and the common indentation of a block string is
  /// removed. A parsed string is decoded at each call.
  public var value: String {
    switch storage {
    case .text(let text): text
    case .source(let source):
      isBlock
        ? BlockString.decode(source.paddedBytes[Int(span.start) + 3..<Int(span.end) - 3])
        : QuotedString.decode(source.paddedBytes[Int(span.start) + 1..<Int(span.end) - 1])
    }
  }

  /// Compares the characters, each code point by itself, and whether the strings are block strings.
  public static func == (left: StringValue, right: StringValue) -> Bool {
    left.isBlock == right.isBlock && ExactText(left.value) == ExactText(right.value)
  }

  /// Feeds the parts that equality compares into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isBlock)
    hasher.combine(ExactText(value))
  }
}
