/// `StringValue` — [spec](https://spec.graphql.org/September2025/#StringValue)
///
/// A parsed string keeps its place in the source and is decoded when it is asked for: most of a large schema is
/// descriptions that nobody reads.
public struct StringValue: Sendable, Hashable {
  private enum Storage: Sendable {
    case text(String)
    case source(Source)
  }

  private var storage: Storage
  /// Whether it is written between triple quotes.
  public let isBlock: Bool
  public let span: SourceSpan

  /// A string built in code.
  public init(_ value: String, isBlock: Bool = false, span: SourceSpan = .none) {
    self.storage = .text(value)
    self.isBlock = isBlock
    self.span = span
  }

  /// A string token, quotes included, that the lexer has checked.
  init(source: Source, isBlock: Bool, span: SourceSpan) {
    self.storage = .source(source)
    self.isBlock = isBlock
    self.span = span
  }

  /// The characters it means: escapes resolved, and a block string's common indentation removed. A parsed string is
  /// decoded each time.
  public var value: String {
    switch storage {
    case .text(let text): text
    case .source(let source):
      isBlock
        ? BlockString.decode(source.paddedBytes[Int(span.start) + 3..<Int(span.end) - 3])
        : QuotedString.decode(source.paddedBytes[Int(span.start) + 1..<Int(span.end) - 1])
    }
  }

  public static func == (left: StringValue, right: StringValue) -> Bool {
    left.isBlock == right.isBlock && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(isBlock)
    hasher.combine(value)
  }
}
