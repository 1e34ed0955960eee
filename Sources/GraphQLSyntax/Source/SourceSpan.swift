/// A range in a source, as UTF-8 offsets. Every node of a syntax tree has one.
public struct SourceSpan: Sendable, Hashable {
  /// The source that the offsets belong to.
  public var source: Source.ID
  /// The UTF-8 offset of the first byte.
  public var start: UInt32
  /// The UTF-8 offset after the last byte.
  public var end: UInt32

  /// Makes a span of UTF-8 offsets.
  @inlinable
  public init(source: Source.ID, start: UInt32, end: UInt32) {
    self.source = source
    self.start = start
    self.end = end
  }

  /// Makes a span of a range of UTF-8 offsets.
  package init(_ range: Range<Int>, in source: Source.ID) {
    self.init(
      source: source, start: UInt32(clamping: range.lowerBound), end: UInt32(clamping: range.upperBound))
  }

  /// The span of nodes that were built in code.
  public static let none = SourceSpan(source: .none, start: 0, end: 0)

  /// The smallest span that contains both spans, which must be of one source.
  public func union(_ other: SourceSpan) -> SourceSpan {
    SourceSpan(source: source, start: min(start, other.start), end: max(end, other.end))
  }
}
