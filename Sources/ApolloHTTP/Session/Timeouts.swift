import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TimeInterval {
  /// The time, rounded up to whole seconds, and at least 1. On Linux, Foundation ignores fractions of a second, so half
  /// a second would be zero; and it stops the process if the time is not a finite number.
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
