package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Duration {
  /// A time to wait. What is no time at all is none, and what never ends is a year.
  package static func waiting(_ seconds: TimeInterval) -> Duration { .seconds(seconds.limitedToYear) }

  /// The longest time to wait. Beyond it there are times that no clock can add to its own.
  package static let longest = Duration.seconds(365 * 24 * 3600)
}

extension TimeInterval {
  /// So many seconds, but not fewer than none and not more than a year; none for what is no number.
  var limitedToYear: TimeInterval { isNaN ? 0 : Swift.max(0, Swift.min(self, 365 * 24 * 3600)) }

  /// The next whole second. Foundation on Linux cuts off fractions, so that half a second would be none, and traps at
  /// what is no number of seconds.
  fileprivate var wholeSeconds: TimeInterval { Swift.max(1, limitedToYear.rounded(.up)) }
}

extension URLRequest {
  /// The request with a timeout that Foundation does not cut short.
  var withTimeoutFoundationKeeps: URLRequest {
    #if canImport(Darwin)
      return self
    #else
      guard timeoutInterval != timeoutInterval.wholeSeconds else { return self }
      var request = self
      request.timeoutInterval = timeoutInterval.wholeSeconds
      return request
    #endif
  }
}

extension URLSessionConfiguration {
  /// The configuration with a timeout that Foundation does not cut short; a copy if that is another one.
  var withTimeoutsFoundationKeeps: URLSessionConfiguration {
    #if canImport(Darwin)
      return self
    #else
      let seconds = timeoutIntervalForRequest.wholeSeconds
      guard timeoutIntervalForRequest != seconds, let copy = copy() as? URLSessionConfiguration else { return self }
      copy.timeoutIntervalForRequest = seconds
      return copy
    #endif
  }
}
