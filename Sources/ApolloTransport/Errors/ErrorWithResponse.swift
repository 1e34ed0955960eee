#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// An error that is about a response over HTTP.
package protocol ErrorWithResponse: Error {
  /// The response; nil if there was none.
  var response: HTTPURLResponse? { get }
}
