import ApolloAPI

/// Which of the objects in a mock are written, as a tree of the response keys that lead to them.
///
/// Mocks may contain themselves, and an object that is not set may have to contain others: all of them would have no end.
/// What a model selects has one.
struct MockSelection: Sendable {
  private var fields: [String: MockSelection] = [:]

  /// What is written in the mock that comes next; nil: of this mock only that it is there.
  @TaskLocal static var current: MockSelection? = MockSelection()

  /// Whether a field with an error has the value that it has without one.
  @TaskLocal static var hidesErrors = false

  /// What models have needed so far, by their types.
  private static let known = Locked<[ObjectIdentifier: MockSelection]>([:])

  /// What is written in the objects of a field; nil: only that they are there.
  ///
  /// - Parameter key: A response key of the field.
  subscript(key: String) -> MockSelection? { fields[key] }

  /// Adds the first object on a path that is not written yet.
  ///
  /// - Parameter path: The response keys of the fields that lead to an object.
  /// - Returns: Whether there was one.
  private mutating func add(_ path: ArraySlice<String>) -> Bool {
    guard let key = path.first else { return false }
    guard var inner = fields[key] else {
      fields[key] = MockSelection()
      return true
    }
    let isNew = inner.add(path.dropFirst())
    fields[key] = inner
    return isNew
  }

  /// Runs `body` with more and more objects, until it does not fail because an object is missing.
  ///
  /// It begins with what the type needed before, which may be more than it needs now. So `body` runs once as a rule,
  /// and not once for each field with objects.
  ///
  /// - Parameters:
  ///   - type: The type of the model.
  ///   - body: Writes a mock, and reads what it has written.
  /// - Returns: The objects that `body` needs, and its result.
  static func exploring<Value>(
    _ type: Any.Type, _ body: () throws -> Value
  ) -> (selection: MockSelection, result: Result<Value, any Error>) {
    let type = ObjectIdentifier(type)
    if let start = known.withLock({ $0[type] }) {
      let (selection, result) = explore(from: start, body)
      // (A failure may be in what is not needed now.)
      if case .success = result {
        known.withLock { $0[type] = selection }
        return (selection, result)
      }
    }
    let (selection, result) = explore(from: MockSelection(), body)
    switch result {
    case .success: known.withLock { $0[type] = selection }
    case .failure(is GraphQLError):
      // The model ends at the error. A response goes on behind it.
      return ($hidesErrors.withValue(true) { explore(from: selection, body).selection }, result)
    case .failure: break
    }
    return (selection, result)
  }

  private static func explore<Value>(
    from start: MockSelection, _ body: () throws -> Value
  ) -> (selection: MockSelection, result: Result<Value, any Error>) {
    var selection = start
    while true {
      let result: Result<Value, any Error> = Result { try $current.withValue(selection, operation: body) }
      // (What is written already and still does not fit is something else than an object.)
      guard case .failure(let error as ResponseDecodingError) = result, selection.add(error.pathToObject[...]) else {
        return (selection, result)
      }
    }
  }
}

extension ResponseDecodingError {
  /// The response keys that lead to what stands where an object should; empty for errors of other kinds.
  fileprivate var pathToObject: [String] {
    guard case .wrongType(expected: "an object", _) = reason else { return [] }
    return path.compactMap { component -> String? in
      if case .field(let key) = component { key } else { nil }
    }
  }
}
