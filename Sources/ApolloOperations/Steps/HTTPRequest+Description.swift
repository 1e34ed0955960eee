import ApolloTransport
import ApolloAPI

extension HTTPRequest: CustomDebugStringConvertible {
  /// The operation, its address, its cache policy and its header fields, for debugging. What may be secret in them is
  /// left out, because errors of an app may have this text.
  public var debugDescription: String {
    let configuration = LoggingInterceptor.Configuration(), given = Set(credentials.keys.map { $0.lowercased() })
    let headers = additionalHeaders.sorted { $0.key < $1.key }.map { name, value in
      let isSecret = given.contains(name.lowercased()) || EventLog.isSuspect(name, configuration)
      return "\n  \(name): \(isSecret ? EventLog.redacted : value)"
    }
    return "\(Operation.operationType) \(Operation.operationName) → \(placeDescription) (\(cachePolicy))"
      + headers.joined()
  }
}
