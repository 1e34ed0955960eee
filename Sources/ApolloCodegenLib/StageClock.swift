/// How long each stage of a run took.
struct StageClock {
  private(set) var durations: [(stage: String, duration: Duration)] = []
  private let clock = ContinuousClock()

  mutating func measure<Result>(_ stage: String, _ body: () -> Result) -> Result {
    let start = clock.now
    defer { durations.append((stage, clock.now - start)) }
    return body()
  }
}
