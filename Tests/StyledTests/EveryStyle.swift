import Foundation
@_exported public import ResponseStyles
public import Testing

/// Runs a test as it is and then once in each of several styles of the JSON that its servers send.
///
/// The environment says how many (`APOLLO_STYLES`, 2 unless it says so) and which (`APOLLO_STYLE_SEED`). Unless it says
/// which, each test has styles of its own, so that the tests of a suite together have many. A failure names its style.
public struct EveryStyle: SuiteTrait, TestTrait, TestScoping {
  /// nil: no style but the test's own.
  let allowed: JSONStyle.Changes?

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing run: @Sendable () async throws -> Void
  ) async throws {
    // Of the suite's trait and the test's own, the latter counts.
    let nearest = test.traits.compactMap { $0 as? EveryStyle }.last
    guard let allowed, testCase != nil, nearest?.allowed == allowed, !Self.hasBegun else { return try await run() }
    try await Self.$hasBegun.withValue(true) {
      try await run()
      try await runStyled(allowed, test, testCase, run)
    }
  }

  @TaskLocal private static var hasBegun = false

  private func runStyled(
    _ allowed: JSONStyle.Changes, _ test: Test, _ testCase: Test.Case?, _ run: @Sendable () async throws -> Void
  ) async throws {
    for seed in Self.seeds(of: test) {
      let style = JSONStyle(seed: seed, allowing: allowed)
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("In \(style). To see it alone: APOLLO_STYLES=1 APOLLO_STYLE_SEED=\(seed)")
        return issue
      }
      try await ResponseStyle.$current.withValue(style) {
        try await naming.provideScope(for: test, testCase: testCase) { try await run() }
      }
    }
  }

  private static let count = number("APOLLO_STYLES") ?? 2
  private static let first = number("APOLLO_STYLE_SEED")

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  private static func seeds(of test: Test) -> [UInt64] {
    let first =
      first ?? "\(test.sourceLocation.fileID) \(test.name)".utf8.reduce(7) { ($0 &* 31 &+ UInt64($1)) % 100_000 }
    return (0..<count).map { first &+ $0 }
  }
}

extension Trait where Self == EveryStyle {
  /// Runs the tests in several styles of JSON.
  public static var everyStyle: EveryStyle { EveryStyle(allowed: .all) }

  /// - Parameter allowed: What may change in the JSON beside white space and escapes.
  public static func everyStyle(changing allowed: JSONStyle.Changes) -> EveryStyle { EveryStyle(allowed: allowed) }

  /// Runs a test only as it is: it looks at the very bytes that a server sends.
  public static var asWritten: EveryStyle { EveryStyle(allowed: nil) }
}
