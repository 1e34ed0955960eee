/// What a page says about the pages beside it. An app gives the type that fits its server: one of
/// ``CursorBasedPagination``, one of ``OffsetPagination``, or a type of its own.
public protocol PaginationInfo: Sendable {
  /// Whether there is a page behind this one.
  var canLoadNext: Bool { get }
  /// Whether there is a page before this one.
  var canLoadPrevious: Bool { get }
}

/// Where a page is, seen from the pages that are loaded.
public enum PaginationDirection: Hashable, Sendable {
  /// Behind the last page.
  case next
  /// Before the first page.
  case previous
}

/// Where the data of a page comes from.
public enum UpdateSource: Hashable, Sendable {
  /// The server sent the data.
  case server
  /// The data was read from the cache.
  case cache
}

extension PaginationInfo {
  func canLoad(_ direction: PaginationDirection) -> Bool {
    switch direction {
    case .next: canLoadNext
    case .previous: canLoadPrevious
    }
  }
}
