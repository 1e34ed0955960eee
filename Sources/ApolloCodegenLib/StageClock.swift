/// How long each stage of a run took.
struct StageClock {
  private(set) var durations: [(stage: String, duration: Duration)] = []
  private let clock = ContinuousClock()
  private let onStage: ((String) -> Void)?

  /// - Parameter onStage: Called as each stage begins.
  init(onStage: ((String) -> Void)? = nil) { self.onStage = onStage }

  mutating func measure<Result>(_ stage: String, _ body: () -> Result) -> Result {
    onStage?(stage)
    let start = clock.now
    defer { durations.append((stage, clock.now - start)) }
    return body()
  }
}
