#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// What requests tell a server of the app and of this library, for its statistics: the client awareness of GraphOS
/// Studio. As in Apollo iOS 2.
public struct ClientAwarenessMetadata: Hashable, Sendable {
  /// The name of the app, for the header field `apollographql-client-name`; nil: the field is not sent.
  public let clientApplicationName: String?
  /// The version of the app, for the header field `apollographql-client-version`; nil: the field is not sent.
  public let clientApplicationVersion: String?
  /// Whether requests name this library and its version, in `extensions`.
  public let includeApolloLibraryAwareness: Bool

  /// Makes a value. Without arguments, this library is named and the app is not.
  public init(
    clientApplicationName: String? = nil, clientApplicationVersion: String? = nil,
    includeApolloLibraryAwareness: Bool = true
  ) {
    self.clientApplicationName = clientApplicationName
    self.clientApplicationVersion = clientApplicationVersion
    self.includeApolloLibraryAwareness = includeApolloLibraryAwareness
  }

  /// Neither the app nor this library is named.
  public static var none: ClientAwarenessMetadata { ClientAwarenessMetadata(includeApolloLibraryAwareness: false) }

  /// The app is named by ``defaultClientName`` and ``defaultClientVersion``, and this library is named. This is the default
  /// of transports.
  public static var enabledWithDefaults: ClientAwarenessMetadata {
    ClientAwarenessMetadata(
      clientApplicationName: defaultClientName, clientApplicationVersion: defaultClientVersion)
  }

  /// The bundle identifier followed by `-apollo-swift`, or `apollo-swift-client` without a bundle.
  public static var defaultClientName: String {
    Bundle.main.bundleIdentifier.map { $0 + "-apollo-swift" } ?? "apollo-swift-client"
  }

  /// The version and the build of the app, joined by `+`, or `(unknown)` without a bundle.
  public static var defaultClientVersion: String {
    let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    let build = Bundle.main.infoDictionary?["CFBundleVersion"] as? String
    let known = [version, build].compactMap { $0 }
    return known.isEmpty ? "(unknown)" : known.joined(separator: "+")
  }

  /// Sets the header fields of a request that have the name and the version of the app.
  public func applyHeaders(to request: inout URLRequest) {
    for (name, value) in headerFields { request.setValue(value, forHTTPHeaderField: name) }
  }

  /// The header fields with the name and the version of the app. An empty text is not sent.
  package var headerFields: [String: String] {
    let fields = [
      "apollographql-client-name": clientApplicationName, "apollographql-client-version": clientApplicationVersion,
    ]
    return fields.compactMapValues { $0?.isEmpty == true ? nil : $0 }
  }
}
