public import Apollo
import Foundation

/// Why a pager cannot load a page. The errors of requests are no such errors: they are among the pager's outputs.
public enum PaginationError: ApolloError {
  /// A page beside the first one was asked for, and there is no first page yet.
  case missingInitialPage
  /// There are no more pages in this direction.
  case pageHasNoMoreContent
  /// A page in another direction, or all pages, are being loaded. (A second load in the same direction waits for the
  /// first. One that was cancelled does not count.)
  case loadInProgress
  /// The app's `pageResolver` has no query for the page.
  case noQuery
  /// The pager was reset or released while the page was being loaded, or the task was cancelled.
  case cancellation
  /// The last page leads to a page that was loaded already. A server that repeats its cursors would be asked for ever.
  /// Where elements were removed, an offset may lead to a page that is shown. The first page can be loaded anew.
  case repeatedPage
  /// Another error.
  case unknown(any Error)

  /// The kind of this error.
  public var code: ApolloErrorCode {
    switch self {
    case .cancellation: .cancelled
    case .repeatedPage: .invalidResponse
    case .missingInitialPage, .pageHasNoMoreContent, .loadInProgress, .noQuery: .invalidRequest
    case .unknown: .other
    }
  }

  /// One sentence that says what went wrong.
  public var message: String {
    switch self {
    case .missingInitialPage: "There is no first page yet; 'fetch' loads it."
    case .pageHasNoMoreContent: "There are no more pages in this direction."
    case .loadInProgress: "Another page is being loaded."
    case .noQuery: "The pager's 'pageResolver' has no query for this page."
    case .cancellation: "The page was not loaded, because the pager was reset or the task was cancelled."
    case .repeatedPage: "The server leads to a page that was loaded already."
    case .unknown(let error): "The page was not loaded: \(error)"
    }
  }

  /// The error behind this one; nil if there is none.
  public var cause: (any Error)? {
    if case .unknown(let error) = self { error } else { nil }
  }
}
