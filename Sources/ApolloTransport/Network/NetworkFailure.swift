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
}
