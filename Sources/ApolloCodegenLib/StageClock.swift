/// Measures how long each stage of a run takes.
public final class StageClock {
  /// The names of the stages in order, with the time that each took.
  public private(set) var durations: [(stage: String, duration: Duration)] = []
  private let clock = ContinuousClock()
  private let onStage: ((String) -> Void)?

  /// Makes a clock.
  ///
  /// - Parameter onStage: Called as each stage begins, with its name. nil, the default: nothing is called.
  public init(onStage: ((String) -> Void)? = nil) { self.onStage = onStage }

  func measure<Result>(_ stage: String, _ body: () -> Result) -> Result {
    onStage?(stage)
    let start = clock.now
    defer { durations.append((stage, clock.now - start)) }
    return body()
  }
}
