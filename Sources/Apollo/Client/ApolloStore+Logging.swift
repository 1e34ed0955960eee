import ApolloAPI
public import ApolloCache
import ForeignText
public import Logging

extension ApolloStore {
  /// Logs why the cache did not have what an operation reads, from now on. It costs nothing where the cache has
  /// everything.
  ///
  ///     store.logCacheMisses(to: Logger(label: "cache"))
  ///
  /// One line is logged for each read of an operation that misses: by a request, by `ApolloStore.load(_:ttlEnforcement:)`,
  /// and by a watcher. Reads in transactions throw what they miss, and are not logged. The metadata names the first value
  /// that was missing: `operation`, `path`, `record`, `field`, and as `reason` one of `missing`, `expired` (with `age` and
  /// `maxAge` in seconds; without `age` if it is not known) and `mismatched`. Keys and arguments of fields may have
  /// values of the app's users in them.
  ///
  /// - Parameters:
  ///   - logger: The log. nil: nothing is logged any more.
  ///   - level: The level of the lines. The default is `info`.
  public func logCacheMisses(to logger: Logger?, level: Logger.Level = .info) {
    guard let logger else { return onMiss(nil) }
    onMiss { operation, miss in
      logger.log(
        level: level, "The cache does not have all of \(operation): \(miss.message.shownOnOneLine)",
        metadata: miss.metadata(operation)
      )
    }
  }
}

extension ResponseDecodingError {
  /// What is logged of a miss.
  fileprivate func metadata(_ operation: String) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "operation": "\(operation)", "path": "\(path.map(\.description).joined(separator: ".").shownOnOneLine)",
    ]
    func set(_ reason: String, _ record: String, _ field: String) {
      metadata["reason"] = "\(reason)"
      metadata["record"] = "\(record.shownOnOneLine)"
      metadata["field"] = "\(field.shownOnOneLine)"
    }
    switch reason {
    case .cacheMiss(let record, let field): set("missing", record, field)
    case .expired(let record, let field, let age, let maxAge):
      set("expired", record, field)
      if let age { metadata["age"] = "\(wholeSeconds(age))" }
      metadata["maxAge"] = "\(wholeSeconds(maxAge))"
    case .cacheMismatch(let record, let field): set("mismatched", record, field)
    default: metadata["reason"] = "mismatched"
    }
    return metadata
  }
}
