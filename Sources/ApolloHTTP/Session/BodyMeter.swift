package import ApolloTransport

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// Counts the bytes of one body.
package struct BodyMeter: Sendable {
  private let limit: ResponseLimits.Exceeded.Limit
  private let maximum: Int
  private let url: URL?
  private let status: Int
  private var count = 0

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - response: Status and header fields of the response.
  ///   - limits: What is allowed.
  ///   - isEndless: Whether a body in parts may have any number of bytes.
  /// - Throws: ``ResponseLimits/Exceeded``, if the server announces too much.
  package init(
    _ response: HTTPURLResponse, _ limits: ResponseLimits, isEndless: Bool = false
  ) throws(ResponseLimits.Exceeded) {
    let isAnswer = response.isSuccess || response.mediaType?.isGraphQLResponse == true
    limit = isAnswer ? .responseSize : .errorSize
    maximum = isEndless && response.isStream ? .max : isAnswer ? limits.responseSize : limits.errorSize
    url = response.url
    status = response.statusCode
    if let length = response.announcedLength, length > maximum { throw exceeded }
  }

  /// Counts a piece.
  ///
  /// - Parameter bytes: How many bytes it has, unpacked.
  /// - Throws: ``ResponseLimits/Exceeded``.
  package mutating func add(_ bytes: Int) throws(ResponseLimits.Exceeded) {
    // (Written this way because a sum could overflow.)
    guard bytes <= maximum - count else { throw exceeded }
    count += bytes
  }

  private var exceeded: ResponseLimits.Exceeded {
    ResponseLimits.Exceeded(limit, maximum, url: url, status: (200..<300).contains(status) ? nil : status)
  }
}
