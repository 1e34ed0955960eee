import ApolloCache

/// What loads an outbox again that could not be loaded.
struct Reloading {
  /// How often it could not be loaded.
  var failures = 0
  var timer: Task<Void, Never>?
  var foreground: AppPhaseObserver?

  /// Nothing has to be loaded any more.
  mutating func end() {
    timer?.cancel()
    self = Reloading()
  }
}
