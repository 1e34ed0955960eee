import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Error {
  /// Whether no response came because of the network.
  package var isNetworkFailure: Bool {
    guard let error = self as? any ApolloError else { return self is URLError }
    return error.code == .network
  }

  /// Whether no server has answered, for a reason that passes although it is not the network.
  package var isPassing: Bool {
    (OperationError.unwrap(self) as? any PassingError)?.passes ?? false
  }
}

/// An error that can say that another attempt may succeed, such as one that ended with a connection that the app has closed.
package protocol PassingError: Error {
  /// Whether no server has answered, for a reason that passes.
  var passes: Bool { get }
}
