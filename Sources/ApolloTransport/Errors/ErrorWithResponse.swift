#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// An error that is about a response over HTTP.
package protocol ErrorWithResponse: Error {
  /// The response. If there was none, it is one without header fields.
  var response: HTTPURLResponse { get }
}
