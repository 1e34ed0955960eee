// What nulls mean: no value, an error that the server reports elsewhere in the response, or that an object is not wanted.
//
// Where a value of the schema may not be null, or a model says that it may not, reading fails as for any other wrong
// value. Only then is it asked whether there is an error with the path of the value, which models catch. So nothing is
// looked up for values that are there. A response is read again, if one of its errors has to be caught: only then is it
// noted where values begin.

/// What is known of nulls that are not just the absence of a value.
struct NullState {
  /// Whether the text is a whole response, which may have errors.
  var isOfResponse = false
  /// The errors of the response; nil as long as nothing was looked up.
  var errors: ErrorsByPath?
  /// Whether it is noted where values begin that may be null.
  var isCatching = false
  /// What was caught and is to be logged: a field with `@required(action: LOG)` that is null.
  var logged: [GraphQLError] = []
  /// The path of the object in which a reader of a part begins.
  var outerPath: [PathComponent] = []
  /// Whether values are read that only become records. Then something stands in for a value that may not be null: see
  /// ``__ObjectReader/passNull(or:)``.
  var makesBlanks = false
  /// Objects that are being read in the place of nulls.
  var blanks: [Blank] = []
  /// The error that is read in place of a value.
  fileprivate var result: GraphQLError?

  struct Blank {
    /// The number of its frame.
    let frame: Int
    /// Where to go on.
    let resume: Bytes
  }
}

/// Why a value may not be null, but is.
enum NullFailure {
  /// The server reports an error for it, or it counts as one.
  case reported(GraphQLError)
  /// The field has `@required`, by which the object around it is null as well.
  case required(GraphQLError, isLogged: Bool)

  /// The error that stands in place of a value that cannot be null.
  var error: GraphQLError {
    switch self {
    case .reported(let error), .required(let error, _): error
    }
  }

  /// Whether a value around it is null, even if errors of that are thrown on.
  var becomesNull: Bool {
    if case .required = self { true } else { false }
  }
}

extension __ObjectReader {
  /// Passes a null, if there is one.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``__ReadError`` for a null with an error that is thrown on.
  @usableFromInline mutating func takeNull() throws(__ReadError) -> Bool {
    if mode == .store {
      switch source.current.value {
      case .null: return true
      case .error(let stored):
        if throwsErrors { throw error(.cacheMismatch) }
        source.note(stored, at: path())
        return true
      default: return false
      }
    }
    guard cursor.takeNull() else { return false }
    try passedNull()
    return true
  }

  /// What is to be done with a null that was passed.
  @inline(never) mutating func passedNull() throws(__ReadError) {
    if mode == .normalize { emitNull() }
    if throwsErrors, reportedError() != nil { throw error(.null) }
  }

  /// Adds a null to the record, or the error in its place.
  private mutating func emitNull() {
    emit(sink.reportedErrors == nil ? .null : sink.valueOfNull(at: path()))
  }

  /// Whether an error is thrown on by the value that is being read.
  var throwsErrors: Bool {
    guard frames.top.field < frames.top.fields.count else { return false }
    let levels = frames.top.fields[frames.top.field].nulls.thrownLevels
    return levels != 0 && levels & (1 << UInt32(listLevel)) != 0
  }

  /// How many lists of the current field are being read.
  private var listLevel: Int {
    guard frames.top.index >= 0 else { return 0 }
    return 1 + outerIndices.reversed().prefix { $0.frame == frames.count - 1 }.count
  }

  /// The error that the server reported for the value that is being read; nil if there is none.
  private mutating func reportedError() -> GraphQLError? {
    if mode == .store {
      if case .error(let stored) = source.current.value { return stored.error(at: path()) }
      return nil
    }
    guard nulls.isOfResponse else { return nil }
    if nulls.errors == nil { nulls.errors = ErrorsByPath(cursor.bytes.errorsOfResponse(cursor.maximumDepth)) }
    return nulls.errors?.error(at: path())
  }

  /// What is to be caught of an error; nil if it is one of the response or of the cache, which nothing catches.
  @inline(never) mutating func nullFailure(_ error: __ReadError) -> NullFailure? {
    var reported: GraphQLError?
    switch error.code {
    case .null: reported = reportedError()
    case .cacheMismatch:
      switch source.current.value {
      case .null: break
      case .error: reported = reportedError()
      default: return nil
      }
    case .missing: break
    default: return nil
    }
    let field = frames.top.field
    if frames.top.index < 0, field < frames.top.fields.count, let action = frames.top.fields[field].nulls.required {
      let error = reported ?? .ofRequiredField(at: path())
      return action == .throw ? .reported(error) : .required(error, isLogged: action == .log)
    }
    return reported.map { .reported($0) }
  }

  /// Notes what is caught, where the cache or the log has to have it.
  mutating func note(_ failure: NullFailure) {
    if case .required(let error, isLogged: true) = failure { nulls.logged.append(error) }
    if mode == .store, case .error(let stored) = source.current.value { source.note(stored, at: path()) }
  }

  // MARK: Results

  /// Reads the value at the cursor, or the error that made it null.
  @inlinable mutating func result<Value: __OutputValue>() throws(__ReadError) -> FieldResult<Value> {
    let begun = beginResult()
    if begun == Self.absent { return .failure(takeResult()) }
    do throws(__ReadError) {
      let value = try Value.__read(from: &self)
      if begun == Self.hasWayBack { forgetWayBack() }
      return .success(value)
    } catch {
      let becomesNull = try returnToResult(after: error, begun), failure = takeResult()
      if becomesNull, let null = Value.__absentValue { return .success(null) }
      return .failure(failure)
    }
  }

  /// Passes a null with an error, or begins a value whose errors are caught.
  ///
  /// - Returns: ``absent`` for an error, else ``hasWayBack`` or ``fresh``.
  @usableFromInline mutating func beginResult() -> Int {
    let isNull: Bool
    if mode == .store {
      if case .error = source.current.value { isNull = true } else { isNull = false }
    } else {
      cursor.skipSpace()
      isNull = cursor.isNull
    }
    if isNull, let error = sink.reportedErrors?.error(at: path()) ?? reportedError() {
      nulls.result = error
      if mode == .store {
        if case .error(let stored) = source.current.value { source.note(stored, at: path()) }
      } else {
        _ = cursor.takeNull()
        if mode == .normalize { emitNull() }
      }
      return Self.absent
    }
    guard nulls.isCatching else { return Self.fresh }
    noteWayBack()
    return Self.hasWayBack
  }

  /// Returns to where a value began whose error is caught.
  ///
  /// - Returns: Whether the value is null, if it may be.
  /// - Throws: The error, if it is not one that is caught.
  @usableFromInline @inline(never) mutating func returnToResult(
    after error: __ReadError, _ begun: Int
  ) throws(__ReadError) -> Bool {
    guard begun == Self.hasWayBack, let place = waysBack.popLast(), let failure = nullFailure(error) else {
      throw error
    }
    note(failure)
    nulls.result = failure.error
    try goBack(to: place)
    return failure.becomesNull
  }

  @usableFromInline mutating func takeResult() -> GraphQLError {
    defer { nulls.result = nil }
    return nulls.result ?? GraphQLError([:])
  }
}

extension GraphQLError {
  /// The error of a field with `@required` that is null.
  fileprivate static func ofRequiredField(at path: [PathComponent]) -> GraphQLError {
    GraphQLError([
      "message": "The field is null, and the operation requires a value.", "path": path.map(\.jsonValue),
      "extensions": ["code": "REQUIRED_FIELD_IS_NULL"] as JSONObject,
    ])
  }
}

extension PathComponent {
  /// The name or the index.
  var jsonValue: JSONValue {
    switch self {
    case .field(let name): name
    case .index(let index): index
    }
  }
}

extension ResponseBytes {
  /// The errors of the response that the bytes are; none if they are not one.
  fileprivate func errorsOfResponse(_ maximumDepth: Int) -> [GraphQLError] {
    var cursor = JSONCursor(self, maximumDepth: maximumDepth), isFirst = true, errors: [GraphQLError] = []
    cursor.skipByteOrderMark()
    do throws(__ReadError) {
      while let name = try cursor.nextMember(&isFirst) {
        if name == "errors" { errors = GraphQLError.list(try cursor.value()) ?? [] } else { try cursor.skipValue() }
      }
    } catch {
      // The reader meets the same fault, and says where it is.
      return errors
    }
    return errors
  }
}

extension GraphQLError {
  /// Reads `errors`. By the specification it is a list of objects; strings are read as messages. nil for null.
  static func list(_ value: JSONValue) -> [GraphQLError]? {
    if value is JSONNull { return nil }
    guard let list = value as? [JSONValue] else { return [GraphQLError(anyValue: value)] }
    return list.map { GraphQLError(anyValue: $0) }
  }
}
