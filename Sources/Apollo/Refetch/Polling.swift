import ApolloTransport
import Foundation

/// Sends a watched query again and again.
final class Polling: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - interval: In seconds. Each wait is up to a tenth shorter or longer, so that the watchers of many apps do not ask
  ///     a server at one moment.
  ///   - queries: Waits, and knows whether the app is in the background.
  ///   - ask: Sends the query. False if there will never be a listener again.
  init(every interval: Double, _ queries: ActiveQueries, _ ask: @escaping @Sendable () -> Bool) {
    task = Task { [weak queries] in
      while !Task.isCancelled, let clock = queries?.clock {
        let wait = interval * Double.random(in: 0.9...1.1)
        guard (try? await clock.sleep(for: .waiting(wait))) != nil, !Task.isCancelled, let queries else { return }
        if !queries.isInBackground, !ask() { return }
      }
    }
  }

  deinit { task.cancel() }
}

extension RequestConfiguration {
  /// A configuration with another interval of polling; nil if nothing is different.
  init?(_ configuration: RequestConfiguration?, pollInterval: Double?) {
    guard configuration != nil || pollInterval != nil else { return nil }
    self = configuration ?? RequestConfiguration()
    self.pollInterval = pollInterval ?? self.pollInterval
  }
}
