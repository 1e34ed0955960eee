import ApolloTransport
import ApolloAPI
import ForeignText
import Foundation
import Logging

/// Writes what happens to operations to a log, without secrets: the first listener to the events of a client.
final class EventLog: Sendable {
  /// What is known of a try that is under way.
  private struct Attempt {
    let sentAt: ContinuousClock.Instant
    var response: ClientEvent.Response?
    /// Whether its failure is in the log.
    var hasFailed = false
  }

  private let logger: Logger
  private let configuration: LoggingInterceptor.Configuration
  private let attempts = Locked<[Int: Attempt]>([:])

  init(_ logger: Logger, _ configuration: LoggingInterceptor.Configuration) {
    self.logger = logger
    self.configuration = configuration
  }

  /// What the events have to have.
  var details: ClientEvent.Details {
    switch configuration.detail {
    case .operations: []
    case .headers: .headerFields
    case .bodies: [.headerFields, .bodies]
    }
  }

  func take(_ event: ClientEvent) {
    guard let operation = event.operation else { return }
    switch event.kind {
    case .requestSent(let request):
      attempts.withLock { $0[operation.id] = Attempt(sentAt: event.instant) }
      log(.debug) {
        ["\(operation) → \(request.address)"] + headers(request.headerFields, secret: request.credentialNames)
          + body(request.body, isJSON: true)
      }
    case .responseReceived(let response): attempts.withLock { $0[operation.id]?.response = response }
    case .result(let result) where result.isFromCache: log(.debug) { ["\(operation) ← from the cache"] }
    case .result(let result):
      let attempt = attempts.withLock { $0[operation.id] }, response = attempt?.response
      log(result.errors.isEmpty && result.nullRequiredFields.isEmpty ? .debug : .warning) {
        let status = response?.status.map { "HTTP status \($0), " } ?? ""
        let time = attempt.map { " in \(event.instant - $0.sentAt)" } ?? ""
        return ["\(operation) ← \(status)\(response?.byteCount ?? result.byteCount) bytes\(time)"]
          + result.errors.map { "  error: \($0)" }
          + result.nullRequiredFields.map {
            "  required, and null: \(($0.path ?? []).map(\.description).joined(separator: "."))"
          }
          + headers(response?.headerFields) + body(response?.body)
      }
    case .tryFailed(let error):
      let attempt = attempts.withLock { attempts in
        attempts[operation.id]?.hasFailed = true
        return attempts[operation.id]
      }
      log(failure: error, of: operation, attempt, at: event.instant)
    case .operationEnded(let end):
      let attempt = attempts.withLock { $0.removeValue(forKey: operation.id) }
      // What failed otherwise than by a try, such as by its deadline.
      if case .failed(let error) = end, attempt?.hasFailed != true {
        log(failure: error, of: operation, attempt, at: event.instant)
      }
    default: break
    }
  }

  private func log(
    failure error: any Error, of operation: ClientEvent.Operation, _ attempt: Attempt?,
    at instant: ContinuousClock.Instant
  ) {
    log(.error) {
      let time = attempt.map { " after \(instant - $0.sentAt)" } ?? "", response = attempt?.response
      return ["\(operation) ← failed\(time): \(error)"] + headers(response?.headerFields) + body(response?.body)
    }
  }

  private func log(_ level: Logger.Level, _ lines: () -> [String]) {
    guard logger.logLevel <= level else { return }
    // What a server sent cannot begin a line of its own in a log.
    logger.log(level: level, "\(lines().map(\.shownOnOneLine).joined(separator: "\n"))")
  }

  // MARK: Without secrets

  private func headers(_ headers: [String: String]?, secret credentialNames: Set<String> = []) -> [String] {
    let credentialNames = credentialNames.map { $0.lowercased() }
    return (headers ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      let isSecret = credentialNames.contains(name.lowercased()) || Self.isSuspect(name, configuration)
      return "  \(name): \(isSecret ? Self.redacted : value)"
    }
  }

  /// Whether the value of a header field may be a credential, by its name.
  static func isSuspect(_ name: String, _ configuration: LoggingInterceptor.Configuration) -> Bool {
    let name = name.lowercased()
    return configuration.secretHeaders.contains(name) || secretParts.contains { name.contains($0) }
  }

  /// What the names of header fields with credentials have in them.
  private static let secretParts = ["token", "secret", "key", "auth", "session", "cookie", "password"]

  static let redacted = "(secret)"

  private func body(_ data: Data?, isJSON: Bool = false) -> [String] {
    guard configuration.detail >= .bodies else { return [] }
    guard let data else { return isJSON ? ["  (no JSON)"] : [] }
    // A body that is not JSON may have secrets in places that cannot be found.
    guard let json = try? ResponseReader.jsonValue(ResponseBytes(data)) else {
      return ["  \(data.count) bytes that are not JSON"]
    }
    var writer = __JSONWriter()
    writer.writeJSON(redact(json))
    let text = writer.text
    let size = configuration.maximumBodySize
    return ["  " + (text.utf8.count > size ? "\(text.prefix(size))… (\(text.utf8.count) bytes)" : text)]
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

extension ClientEvent.Operation: CustomStringConvertible {
  /// The type and the name of the operation.
  public var description: String { "\(type) \(name)" }
}
