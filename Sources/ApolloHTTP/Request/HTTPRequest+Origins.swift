import ApolloOperations
import ApolloTransport
import ApolloAPI
import Foundation
import Logging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPRequest {
  /// Where the request may go, and how much may come.
  var rules: ExchangeRules {
    let isEndless = Operation.operationType == .subscription
    guard let (origins, limits) = exchangeLimits else { return ExchangeRules(isEndless: isEndless) }
    return ExchangeRules(origins: origins, limits: limits, isEndless: isEndless)
  }

  /// Whether an address is of an origin of the client, which gets the authenticator's credentials. A request that an app
  /// has made itself goes where the app sends it.
  func isForOwnOrigin(_ url: URL?) -> Bool {
    guard let transport else { return url == nil || Origin(url) == Origin(graphQLEndpoint) }
    return transport.owns(url)
  }
}

extension URLRequest {
  /// The request without the fields of an authenticator, unless it goes to an origin of the client.
  func withoutCredentials(_ credentials: [String: String], unless isOwn: (URL?) -> Bool) -> URLRequest {
    guard !credentials.isEmpty, !isOwn(url) else { return self }
    var request = self
    for (name, value) in credentials where request.value(forHTTPHeaderField: name) == value {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    return request
  }

  /// Logs a warning, once for each server, if each machine on the way can read the credentials that are sent.
  ///
  /// - Parameter credentials: The fields that an authenticator gave.
  func warnOfPlainCredentials(_ credentials: [String: String]) {
    guard let warning = plainCredentials(credentials), let origin = Origin(url) else { return }
    let isFirst = Self.warned.withLock { warned in
      warned.count < 100 && warned.insert(origin).inserted
    }
    if isFirst { Self.logger.warning("\(warning)") }
  }

  /// What is said of credentials that are not encrypted; nil if there are none, or if they do not leave this machine.
  func plainCredentials(_ credentials: [String: String]) -> String? {
    guard url?.scheme?.lowercased() == "http", let origin = Origin(url), !origin.isLoopback else { return nil }
    let secret = LoggingInterceptor.Configuration().secretHeaders
    let names = (allHTTPHeaderFields ?? [:]).keys.filter { name in
      secret.contains(name.lowercased()) || credentials.keys.contains { $0.lowercased() == name.lowercased() }
    }
    guard !names.isEmpty else { return nil }
    return "\(names.sorted().joined(separator: ", ")) is sent to \(url?.placeDescription ?? "") without encryption, so "
      + "each machine on the way can read it. Use https."
  }

  private static let warned = Locked<Set<Origin>>([])
  private static let logger = Logger(label: "apollo")
}
