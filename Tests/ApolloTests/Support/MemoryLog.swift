import Apollo
import Logging

/// Keeps what is logged.
struct MemoryLog: LogHandler {
  let lines: Locked<[String]>
  var logLevel: Logger.Level = .trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.level): \(event.message)") } }
}
