import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Error {
  /// Whether no response came because of the network.
  package var isNetworkFailure: Bool {
    if let error = urlError, error.isLasting { return false }
    if passes == false { return false }
    guard let error = self as? any ApolloError else { return self is URLError }
    return error.code == .network
  }

  /// The error of Foundation that this one is, or that is the cause of it; nil if there is none.
  private var urlError: URLError? {
    var next: (any Error)? = self
    // (An error of an app could be its own cause.)
    for _ in 0..<10 {
      guard let error = next else { return nil }
      if let known = error as? URLError { return known }
      next = (error as? any ApolloError)?.cause
    }
    return nil
  }

  /// Whether no server has answered, for a reason that passes although it is not the network.
  package var isPassing: Bool { passes == true }

  private var passes: Bool? { (OperationError.unwrap(self) as? any PassingError)?.passes }
}

extension URLError {
  /// Whether another attempt would fail in the same way, because it is not the network that fails.
  fileprivate var isLasting: Bool {
    switch code {
    case .httpTooManyRedirects, .unsupportedURL, .badURL, .appTransportSecurityRequiresSecureConnection,
      .dataLengthExceedsMaximum:
      true
    // (`.badServerResponse` and `.cannotParseResponse` also come of a gateway or a connection that fails.)
    default: false
    }
  }
}

/// An error that can say more than its code of whether another attempt may succeed.
package protocol PassingError: Error {
  /// True if no server has answered, for a reason that passes although it is not the network; false if it is not the network
  /// although its code says so; nil if the code says it.
  var passes: Bool? { get }
}
