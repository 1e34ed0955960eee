// The functions that generated code calls. Those for common leaf types are concrete and not inlined: inlining them into
// each generated initializer would make the app larger, and no faster.

extension __ObjectReader {
  /// Reads a field whose value is a `String`. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> String {
    if matchesNext(i) {
      if mode == .json { return try string() }
      fieldKey = frames.top.keys[i]
      return try stringValue()
    }
    return try searchString(i)
  }

  @inline(never) private mutating func searchString(_ i: Int) throws(__ReadError) -> String {
    if let stored = expectedInStore(i), case .string(let value) = stored.value { return value }
    let found = try locateRequired(i)
    let value = try stringValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is a `String` or null. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> String? {
    if matchesNext(i) {
      if mode == .json { return takeJSONNull() ? nil : try string() }
      fieldKey = frames.top.keys[i]
      return takeNull() ? nil : try stringValue()
    }
    return try searchOptionalString(i)
  }

  @inline(never) private mutating func searchOptionalString(_ i: Int) throws(__ReadError) -> String? {
    if let stored = expectedInStore(i), case .string(let value) = stored.value { return value }
    let found = try search(i)
    if found == .absent { return nil }
    let value = takeNull() ? nil : try stringValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is an `Int`. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> Int {
    if matchesNext(i) {
      if mode == .json { return try int() }
      fieldKey = frames.top.keys[i]
      return try intValue()
    }
    return try searchInt(i)
  }

  @inline(never) private mutating func searchInt(_ i: Int) throws(__ReadError) -> Int {
    if let stored = expectedInStore(i), case .int(let value) = stored.value { return value }
    let found = try locateRequired(i)
    let value = try intValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is an `Int` or null. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> Int? {
    let found = try locate(i)
    if found == .absent { return nil }
    let value = takeNull() ? nil : try intValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is a `Double`. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> Double {
    if matchesNext(i) {
      if mode == .json { return try double() }
      fieldKey = frames.top.keys[i]
      return try doubleValue()
    }
    return try searchDouble(i)
  }

  @inline(never) private mutating func searchDouble(_ i: Int) throws(__ReadError) -> Double {
    if let stored = expectedInStore(i), case .double(let value) = stored.value { return value }
    let found = try locateRequired(i)
    let value = try doubleValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is a `Double` or null. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> Double? {
    let found = try locate(i)
    if found == .absent { return nil }
    let value = takeNull() ? nil : try doubleValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is a `Bool`. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> Bool {
    if matchesNext(i) {
      if mode == .json { return try bool() }
      fieldKey = frames.top.keys[i]
      return try boolValue()
    }
    return try searchBool(i)
  }

  @inline(never) private mutating func searchBool(_ i: Int) throws(__ReadError) -> Bool {
    if let stored = expectedInStore(i), case .bool(let value) = stored.value { return value }
    let found = try locateRequired(i)
    let value = try boolValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is a `Bool` or null. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> Bool? {
    let found = try locate(i)
    if found == .absent { return nil }
    let value = takeNull() ? nil : try boolValue()
    finish(found)
    return value
  }

  /// Reads a field of any other type: an object, a list, an enum, a custom scalar, or an optional of one. `i` is its
  /// position in the field table.
  @inlinable public mutating func read<Value: __OutputValue>(_ i: Int) throws(__ReadError) -> Value {
    let found = try find(i)
    if found == Self.absent {
      guard let value = Value.__absentValue else { throw missing() }
      return value
    }
    let value = try Value.__read(from: &self)
    if found == Self.again { finishRepeated() }
    return value
  }

  /// Reads a non-null field that is there only if a condition holds. `i` is its position in the field table,
  /// `condition` that of the condition. nil if the condition does not hold.
  @inlinable public mutating func read<Value: __OutputValue>(_ i: Int, if condition: Int) throws(__ReadError) -> Value?
  {
    includes(condition) ? try read(i) as Value : nil
  }

  /// Reads a nullable field that is there only if a condition holds. `i` is its position in the field table,
  /// `condition` that of the condition. nil if the condition does not hold.
  @inlinable public mutating func readNullable<Value: __OutputValue>(
    _ i: Int, if condition: Int
  ) throws(__ReadError) -> Value? {
    includes(condition) ? try read(i) as Value? : nil
  }

  @inline(__always) private mutating func locateRequired(_ i: Int) throws(__ReadError) -> Found {
    let found = try search(i)
    if found == .absent { throw missing() }
    return found
  }

  // What the generic `read` uses. Its signatures mention no type that would have to be public.
  @usableFromInline static var absent: Int { 0 }
  @usableFromInline static var again: Int { 2 }

  @usableFromInline mutating func find(_ i: Int) throws(__ReadError) -> Int {
    switch try locate(i) {
    case .absent: Self.absent
    case .fresh: 1
    case .again: Self.again
    }
  }

  @usableFromInline mutating func finishRepeated() { finish(.again) }
  @usableFromInline func missing() -> __ReadError { error(mode == .store ? .cacheMiss : .missing) }
}

// MARK: - Values at the cursor, in every mode

extension __ObjectReader {
  @usableFromInline mutating func stringValue() throws(__ReadError) -> String {
    if mode == .store {
      guard case .string(let value) = current.value else { throw storedMismatch(.expectedString) }
      return value
    }
    let value = try string()
    emit(.string(value))
    return value
  }

  @usableFromInline mutating func intValue() throws(__ReadError) -> Int {
    if mode == .store {
      guard case .int(let value) = current.value else { throw storedMismatch(.expectedInt) }
      return value
    }
    let value = try int()
    emit(.int(value))
    return value
  }

  @usableFromInline mutating func doubleValue() throws(__ReadError) -> Double {
    if mode == .store {
      switch current.value {
      case .double(let value): return value
      case .int(let value): return Double(value)
      default: throw storedMismatch(.expectedFloat)
      }
    }
    let value = try double()
    emit(.double(value))
    return value
  }

  @usableFromInline mutating func boolValue() throws(__ReadError) -> Bool {
    if mode == .store {
      guard case .bool(let value) = current.value else { throw storedMismatch(.expectedBoolean) }
      return value
    }
    let value = try bool()
    emit(.bool(value))
    return value
  }

  /// Skips a null, if there is one.
  @usableFromInline mutating func takeNull() -> Bool {
    if mode == .store {
      switch current.value {
      case .null: return true
      case .error(let error):
        noteCachedError(error)
        return true
      default: return false
      }
    }
    guard takeJSONNull() else { return false }
    if reportedErrors.isEmpty { emit(.null) } else { emit(valueOfNull()) }
    return true
  }

  @inline(never) func storedMismatch(_ expected: __ReadError.Code) -> __ReadError {
    // The expected type is not reported, because the operation then goes to the server.
    error(.cacheMismatch)
  }

  // MARK: Emitting

  /// Adds a value to the record of the current object, unless it was added before.
  @inline(__always) mutating func emit(_ value: consuming RecordValue) {
    guard mode == .normalize, !isRepeated else { return }
    push(value)
  }

  @inline(__always) mutating func push(_ value: consuming RecordValue) {
    pending.append(ObjectRecord.Field(fieldKey, value))
  }
}
