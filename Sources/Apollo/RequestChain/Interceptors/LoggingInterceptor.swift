package import ApolloAPI
import ForeignText
import Foundation
public import Logging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Logs what is sent and received, without secrets.
///
/// It stands directly before the interceptor that fetches, so it sees each attempt. Operations over a WebSocket are
/// logged as well, if the client's configuration has this interceptor. Requests and results are logged at the level
/// `debug`, results with errors at `warning`, and failures at `error`.
public final class LoggingInterceptor: GraphQLInterceptor, OutcomeStep {
  /// What is logged.
  public struct Configuration: Sendable {
    /// How much of each operation is logged.
    public enum Detail: Int, Comparable, Sendable {
      /// Name, address and duration of the operation, and how it ended.
      case operations
      /// The header fields as well.
      case headers
      /// The header fields and the bodies as well.
      case bodies

      /// Whether one level logs less than another.
      public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// How much of each operation is logged. The default is `operations`.
    public var detail: Detail
    /// The names of header fields whose values are not logged, in lower case.
    public var secretHeaders: Set<String> = [
      "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
    ]
    /// The names of variables and fields whose values are not logged, in lower case and without `_` and `-`.
    public var secretMembers: Set<String> = [
      "password", "newpassword", "oldpassword", "token", "accesstoken", "refreshtoken", "idtoken", "secret", "apikey",
      "authorization", "pin", "otp",
    ]
    /// The length in characters after which a body is cut off. The default is 4096.
    public var maximumBodySize = 4096

    /// Makes a configuration.
    ///
    /// - Parameter detail: How much of each operation is logged.
    public init(detail: Detail = .operations) { self.detail = detail }
  }

  private let logger: Logger
  private let configuration: Configuration
  private let start = Locked<ContinuousClock.Instant?>(nil)

  /// Makes an interceptor. It logs one operation: make a new one for each.
  ///
  /// - Parameters:
  ///   - logger: The log.
  ///   - configuration: What is logged.
  public init(logger: Logger, configuration: Configuration = Configuration()) {
    self.logger = logger
    self.configuration = configuration
  }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    start.withLock { [now = passage.clock.now] in $0 = now }
    guard logger.logLevel <= .debug else { return .proceed(response) }
    var lines = ["\(Operation.operationType) \(Operation.operationName) → \(passage.placeDescription)"]
    if configuration.detail >= .headers, let request = passage.asHTTP { lines += headers(request.additionalHeaders) }
    if configuration.detail >= .bodies, let sent = passage.bodyForLogs {
      lines.append((try? RequestBody.json(sent)).map { body(Data($0)) } ?? "(no JSON)")
    }
    logger.debug("\(Self.text(lines))")
    return .proceed(response)
  }

  package nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    let now = passage.clock.now, time = start.withLock { now - ($0 ?? now) }
    var level = Logger.Level.debug
    var lines = ["\(Operation.operationType) \(Operation.operationName) ← "]
    switch outcome {
    case .success(let result) where result.source == .cache: lines[0] += "from the cache"
    case .success(let result):
      let errors = result.errors ?? []
      if !errors.isEmpty { level = .warning }
      if let status = response?.status { lines[0] += "HTTP status \(status.statusCode), " }
      lines[0] += "\(response?.received.count ?? 0) bytes in \(time)"
      lines += errors.map { "  error: \($0)" }
    case .failure(let error):
      level = .error
      lines[0] += "failed after \(time): \(error)"
    }
    guard logger.logLevel <= level else { return .deliver }
    if let status = response?.status, configuration.detail >= .headers {
      let fields = status.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
      lines += headers(Dictionary(fields) { first, _ in first })
    }
    if let response, configuration.detail >= .bodies { lines.append(body(response.received)) }
    logger.log(level: level, "\(Self.text(lines))")
    return .deliver
  }

  /// What a server sent cannot begin a line of its own in a log.
  private static func text(_ lines: [String]) -> String {
    lines.map(\.shownOnOneLine).joined(separator: "\n")
  }

  // MARK: Without secrets

  private func headers(_ headers: [String: String]) -> [String] {
    headers.sorted { $0.key < $1.key }.map { name, value in
      "  \(name): \(configuration.secretHeaders.contains(name.lowercased()) ? Self.redacted : value)"
    }
  }

  private static let redacted = "(secret)"

  private func body(_ data: Data) -> String {
    let json = try? ResponseReader.jsonValue(ResponseBytes(data))
    // A body that is not JSON may have secrets in places that cannot be found.
    guard let json else { return "  \(data.count) bytes that are not JSON" }
    var writer = __JSONWriter()
    writer.writeJSON(redact(json))
    let text = writer.text
    let size = configuration.maximumBodySize
    return "  " + (text.utf8.count > size ? "\(text.prefix(size))… (\(text.utf8.count) bytes)" : text)
  }

  private func redact(_ value: JSONValue) -> JSONValue {
    switch value {
    case let object as JSONObject:
      var copy = object
      for (name, member) in object {
        let isSecret = configuration.secretMembers.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
        copy[name] = isSecret ? Self.redacted : redact(member)
      }
      return copy
    case let list as [JSONValue]: return list.map(redact)
    default: return value
    }
  }
}

extension OperationPassage {
  /// What is sent as JSON, for logs; nil if it is sent in another form.
  fileprivate var bodyForLogs: JSONEncodableDictionary? {
    guard let request = asHTTP else {
      return ApolloRequestBodyCreator().requestBody(for: operation, sendQueryDocument: false)
    }
    return request.asJSON?.body
  }
}
