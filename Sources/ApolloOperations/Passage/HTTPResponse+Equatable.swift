import ApolloTransport
public import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses are equal if their addresses, statuses, bodies and results are. Header fields are not compared.
extension HTTPResponse: Equatable where Operation.Data: Equatable {
  /// Compares address, status, body and result.
  public static func == (a: HTTPResponse, b: HTTPResponse) -> Bool {
    a.httpResponse.url == b.httpResponse.url && a.httpResponse.statusCode == b.httpResponse.statusCode
      && a.rawData == b.rawData && a.parsedResponse == b.parsedResponse
  }
}

extension HTTPResponse: Hashable where Operation.Data: Hashable {
  /// Feeds address, status and body into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(httpResponse.url)
    hasher.combine(httpResponse.statusCode)
    hasher.combine(rawData)
  }
}
