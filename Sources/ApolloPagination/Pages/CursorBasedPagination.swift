/// The kinds of ``PaginationInfo`` for servers that give a cursor for each end of a page, as connections do.
public enum CursorBasedPagination {
  /// Pages that are loaded from the start to the end.
  public struct Forward: PaginationInfo, Hashable, Sendable {
    /// Whether there is a page behind this one.
    public let hasNext: Bool
    /// The cursor behind which the next page begins; nil if the server gave none.
    public let endCursor: String?

    /// Whether there is a page behind this one.
    public var canLoadNext: Bool { hasNext }
    /// False.
    public var canLoadPrevious: Bool { false }

    /// Makes the information of one page.
    ///
    /// - Parameters:
    ///   - hasNext: Whether there is a page behind this one.
    ///   - endCursor: The cursor behind which the next page begins; nil if the server gave none.
    public init(hasNext: Bool, endCursor: String?) {
      self.hasNext = hasNext
      self.endCursor = endCursor
    }
  }

  /// Pages that are loaded from the end to the start.
  public struct Reverse: PaginationInfo, Hashable, Sendable {
    /// Whether there is a page before this one.
    public let hasPrevious: Bool
    /// The cursor before which the previous page ends; nil if the server gave none.
    public let startCursor: String?

    /// False.
    public var canLoadNext: Bool { false }
    /// Whether there is a page before this one.
    public var canLoadPrevious: Bool { hasPrevious }

    /// Makes the information of one page.
    ///
    /// - Parameters:
    ///   - hasPrevious: Whether there is a page before this one.
    ///   - startCursor: The cursor before which the previous page ends; nil if the server gave none.
    public init(hasPrevious: Bool, startCursor: String?) {
      self.hasPrevious = hasPrevious
      self.startCursor = startCursor
    }
  }

  /// Pages that are loaded in both directions from one in the middle.
  public struct Bidirectional: PaginationInfo, Hashable, Sendable {
    /// Whether there is a page behind this one.
    public let hasNext: Bool
    /// The cursor behind which the next page begins; nil if the server gave none.
    public let endCursor: String?
    /// Whether there is a page before this one.
    public let hasPrevious: Bool
    /// The cursor before which the previous page ends; nil if the server gave none.
    public let startCursor: String?

    /// Whether there is a page behind this one.
    public var canLoadNext: Bool { hasNext }
    /// Whether there is a page before this one.
    public var canLoadPrevious: Bool { hasPrevious }

    /// Makes the information of one page.
    ///
    /// - Parameters:
    ///   - hasNext: Whether there is a page behind this one.
    ///   - endCursor: The cursor behind which the next page begins; nil if the server gave none.
    ///   - hasPrevious: Whether there is a page before this one.
    ///   - startCursor: The cursor before which the previous page ends; nil if the server gave none.
    public init(hasNext: Bool, endCursor: String?, hasPrevious: Bool, startCursor: String?) {
      self.hasNext = hasNext
      self.endCursor = endCursor
      self.hasPrevious = hasPrevious
      self.startCursor = startCursor
    }
  }
}
