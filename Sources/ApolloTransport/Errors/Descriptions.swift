import ApolloAPI
package import Foundation
import ForeignText

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

// Texts for messages of errors: addresses, errors of Foundation, and bodies.

extension URL {
  /// The address without its user, password and query, which may be secret.
  package var placeDescription: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return absoluteString }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    return parts.string ?? absoluteString
  }
}

extension URLError {
  /// The key of a time limit in seconds.
  private static let limitKey = "ApolloTimeLimit"

  package init(_ code: URLError.Code, url: URL?, limit: TimeInterval? = nil) {
    var information: [String: Any] = [:]
    information[NSURLErrorFailingURLErrorKey] = url
    information[Self.limitKey] = limit
    self.init(code, userInfo: information)
  }

  /// The error with the address of the request that failed and, after a timeout, the time limit. What the error has
  /// already stays.
  package func naming(_ request: URLRequest?) -> URLError {
    var information = userInfo
    if information[NSURLErrorFailingURLErrorKey] == nil { information[NSURLErrorFailingURLErrorKey] = request?.url }
    if code == .timedOut, information[Self.limitKey] == nil { information[Self.limitKey] = request?.timeoutInterval }
    return URLError(code, userInfo: information)
  }

  /// What happened, in English: on Linux the system's own text is often only a number.
  package var explanation: String {
    let place = (userInfo[NSURLErrorFailingURLErrorKey] as? URL).map { " (\($0.placeDescription))" } ?? ""
    let what =
      switch code {
      case .cannotConnectToHost: "The server refuses connections"
      case .cannotFindHost, .dnsLookupFailed: "There is no server of that name"
      case .timedOut:
        "The server did not answer in time"
          + ((userInfo[Self.limitKey] as? TimeInterval).map { ": the limit is \($0) s" } ?? "")
      case .networkConnectionLost: "The connection broke; the server may have received the request"
      case .notConnectedToInternet: "There is no connection to the internet"
      case .httpTooManyRedirects: "The server redirects too often, perhaps in a loop"
      case .requestBodyStreamExhausted:
        "The server asks for the body again, which is a stream: give it as data or as a file"
      case .badServerResponse: "The server left HTTP for another protocol, which it was not asked to do"
      // Foundation on Linux reports this for broken connections, for TLS errors, and for compressed bodies that are cut
      // off.
      case .unknown: "The connection failed: \(localizedDescription)"
      default: localizedDescription
      }
    return what + place + "."
  }
}

extension Data {
  /// The first 160 bytes as text on one line, for errors.
  package var excerpt: String {
    String(decoding: prefix(160), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .shownOnOneLine
  }
}
