public import Testing

/// Waits for something that nothing tells of, such as the end of an object: it looks again and again.
///
/// Where there is an event, tests wait for that: see ``Awaited``.
public func eventually(
  _ what: Comment = "What was waited for has not happened.", isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + patience
  while try await !condition() {
    guard ContinuousClock.now < end else {
      Issue.record(what, sourceLocation: sourceLocation)
      throw NothingHappened()
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}
