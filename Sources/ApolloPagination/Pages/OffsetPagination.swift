/// The kinds of ``PaginationInfo`` for servers that are asked for a part of a list by its place.
public enum OffsetPagination {
  /// Pages that are loaded from the start to the end.
  public struct Forward: PaginationInfo, Hashable, Sendable {
    /// Where the next page begins.
    public let offset: Int
    /// Whether there is a page behind this one.
    public let canLoadNext: Bool
    /// False.
    public var canLoadPrevious: Bool { false }

    /// Makes the information of one page.
    ///
    /// - Parameters:
    ///   - offset: Where the next page begins.
    ///   - canLoadNext: Whether there is a page behind this one.
    public init(offset: Int, canLoadNext: Bool) {
      self.offset = offset
      self.canLoadNext = canLoadNext
    }
  }

  /// Pages that are loaded from the end to the start.
  public struct Reverse: PaginationInfo, Hashable, Sendable {
    /// Where the previous page begins.
    public let offset: Int
    /// False.
    public var canLoadNext: Bool { false }
    /// Whether there is a page before this one.
    public let canLoadPrevious: Bool

    /// Makes the information of one page.
    ///
    /// - Parameters:
    ///   - offset: Where the previous page begins.
    ///   - canLoadPrevious: Whether there is a page before this one.
    public init(offset: Int, canLoadPrevious: Bool) {
      self.offset = offset
      self.canLoadPrevious = canLoadPrevious
    }
  }

  /// Pages that are loaded in both directions from one in the middle.
  public struct Bidirectional: PaginationInfo, Hashable, Sendable {
    /// Where this page is.
    public let offset: Int
    /// Whether there is a page behind this one.
    public let canLoadNext: Bool
    /// Whether there is a page before this one.
    public let canLoadPrevious: Bool

    /// Makes the information of one page.
    ///
    /// - Parameters:
    ///   - offset: Where this page is.
    ///   - canLoadNext: Whether there is a page behind this one.
    ///   - canLoadPrevious: Whether there is a page before this one.
    public init(offset: Int, canLoadNext: Bool, canLoadPrevious: Bool) {
      self.offset = offset
      self.canLoadNext = canLoadNext
      self.canLoadPrevious = canLoadPrevious
    }
  }
}
