import Testing

/// Where the cache of a test is.
enum CachePlace: CaseIterable, Sendable {
  case memory
  /// In a file that is opened again after each write: each read asks the file.
  case disk

  @TaskLocal static var current = CachePlace.memory
}

/// Runs each test once for each place of the cache.
struct EveryPlace: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing run: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await run() }
    for place in CachePlace.allCases {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("The cache is in: \(place)")
        return issue
      }
      try await CachePlace.$current.withValue(place) {
        try await naming.provideScope(for: test, testCase: testCase) { try await run() }
      }
    }
  }
}

extension Trait where Self == EveryPlace {
  static var everyPlace: EveryPlace { EveryPlace() }
}
