import ApolloAPI

/// How deep mocks are written that may contain themselves. Written to their end, they would have none.
struct MockNesting {
  /// What was left out.
  private struct Cuts {
    var isCut = false
    var hasCycle = false
  }

  /// How many mocks are around the one that is being written.
  private var level = 0
  /// From this level on, no mock is written; nil: those that are inside of themselves are not.
  private let limit: Int?
  private let cuts = Locked(Cuts())

  /// The nesting of the mock that is being written.
  @TaskLocal static var current = MockNesting(limit: nil)

  private init(limit: Int?) { self.limit = limit }

  /// The nesting of what is inside of a mock.
  var next: MockNesting {
    var next = self
    next.level += 1
    return next
  }

  /// Whether a mock is left out.
  ///
  /// - Parameter isInsideItself: Whether it is being written, and this is a place inside of it.
  /// - Returns: True if it is.
  func cuts(isInsideItself: Bool) -> Bool {
    guard let limit else { return isInsideItself }
    guard level >= limit else {
      if isInsideItself { cuts.withLock { $0.hasCycle = true } }
      return false
    }
    cuts.withLock { $0.isCut = true }
    return true
  }

  /// Runs `body` with deeper and deeper mocks, until they are whole; or, of mocks that contain themselves, until `body` does
  /// not fail because an object is missing in them. What a model selects has an end.
  ///
  /// - Parameter body: Writes a mock, and reads what it has written.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  static func deepening<Result>(_ body: () throws -> Result) throws -> Result {
    var limit = 4
    while true {
      let nesting = MockNesting(limit: limit)
      let result = Swift.Result { try $current.withValue(nesting, operation: body) }
      let cuts = nesting.cuts.withLock { $0 }
      let lacksObject =
        if case .failure(let error as ResponseDecodingError) = result { error.isAboutObject(at: limit) } else { false }
      if !cuts.isCut || !lacksObject && cuts.hasCycle { return try result.get() }
      limit += 1
    }
  }
}

extension ResponseDecodingError {
  /// Whether something else stands where an object should, and so many fields lead to the place. Above of it, no mock was
  /// left out.
  fileprivate func isAboutObject(at level: Int) -> Bool {
    guard case .wrongType(expected: "an object", _) = reason else { return false }
    let fieldCount = path.count { if case .field = $0 { true } else { false } }
    return fieldCount >= level
  }
}
