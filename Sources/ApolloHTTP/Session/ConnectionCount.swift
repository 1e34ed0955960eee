import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// The configuration as a client uses it; a copy if something in it is different.
  var forOperations: URLSessionConfiguration {
    withTimeoutsFoundationKeeps.askingCacheOnlyForGET.withRoomForSubscriptions
  }

  /// The number of connections to a server without HTTP/2 that Foundation has by default.
  private static let usualConnectionCount = URLSessionConfiguration.default.httpMaximumConnectionsPerHost

  /// The configuration with room for more connections to a server without HTTP/2, unless the app has chosen a number; a
  /// copy if that is another one.
  ///
  /// A subscription over HTTP keeps a connection for as long as it lasts. With Foundation's six, the sixth subscription
  /// would hold up all other operations.
  private var withRoomForSubscriptions: URLSessionConfiguration {
    guard httpMaximumConnectionsPerHost == Self.usualConnectionCount, let copy = copy() as? URLSessionConfiguration
    else { return self }
    copy.httpMaximumConnectionsPerHost = 64
    return copy
  }
}
