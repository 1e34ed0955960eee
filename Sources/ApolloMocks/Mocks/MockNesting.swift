import ApolloAPI

/// How deep mocks that contain themselves are written. Written to their end, they would have none.
struct MockNesting {
  /// How many mocks are around the one that is being written.
  var level = 0
  /// From this level on, a mock is not written once more inside of itself.
  var limit = 0
  /// How many mocks have been written.
  let count = Locked(0)

  /// Mocks that contain several others which contain them are too many soon.
  private static let maximumCount = 20_000

  /// Whether there is no room for a mock inside of itself.
  var isFull: Bool { level >= limit || count.withLock { $0 } >= Self.maximumCount }

  init(limit: Int = 0) { self.limit = limit }

  /// The nesting of what is inside of a mock.
  var next: MockNesting {
    var next = self
    next.level += 1
    count.withLock { $0 += 1 }
    return next
  }

  /// The nesting of the mock that is being written.
  @TaskLocal static var current = MockNesting()

  /// Runs `body` with deeper and deeper mocks, as long as it fails because an object is missing in them. What a model
  /// selects has an end.
  ///
  /// - Parameter body: Writes a mock, and reads what it has written.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  static func deepening<Result>(_ body: () throws -> Result) throws -> Result {
    var limit = 4
    while true {
      let nesting = MockNesting(limit: limit)
      do {
        return try $current.withValue(nesting, operation: body)
      } catch let error as ResponseDecodingError where error.isAboutObject && limit < 256 && !nesting.isFull {
        limit *= 2
      }
    }
  }
}

extension ResponseDecodingError {
  /// Whether something else stands where an object should.
  fileprivate var isAboutObject: Bool {
    if case .wrongType(expected: "an object", _) = reason { true } else { false }
  }
}
