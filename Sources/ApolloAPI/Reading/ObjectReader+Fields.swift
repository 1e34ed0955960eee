// The functions that generated code calls. Those for common leaf types are concrete and not inlined: inlining them into
// each generated initializer would make the app larger, and no faster.

extension __ObjectReader {
  /// Reads a field whose value is a `String`. `i` is its position in the field table.
  public mutating func read(_ i: Int) throws(__ReadError) -> String {
    if matchesNext(i) {
      if mode == .json { return try string() }
      sink.fieldKey = frames.top.keys[i]
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
      if mode == .json { return cursor.takeNull() ? nil : try string() }
      sink.fieldKey = frames.top.keys[i]
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
      if mode == .json { return try cursor.int() }
      sink.fieldKey = frames.top.keys[i]
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
      if mode == .json { return try cursor.double() }
      sink.fieldKey = frames.top.keys[i]
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
      if mode == .json { return try cursor.bool() }
      sink.fieldKey = frames.top.keys[i]
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

  /// Reads a field that the document does not select and that is a part of the key of some objects. `i` is its position
  /// in the field table. nil if it is not a part of the key of this object, or if it is not there.
  @inlinable public mutating func readKey<Value: __OutputValue>(_ i: Int) throws(__ReadError) -> Value? {
    try isKeyField(i) ? try read(i) as Value? : nil
  }

  /// Whether the key of the current object has field `i`, and, of a record, whether the record has the field.
  @usableFromInline mutating func isKeyField(_ i: Int) throws(__ReadError) -> Bool {
    let table = frames.top.table.table
    guard !table.typeKeys.isEmpty, i >= 0, i < frames.top.keys.count else { return false }
    let field = frames.top.keys[i], type = try typeSymbol()
    guard table.keyFields(of: type).contains(where: { $0 == field }) else { return false }
    return mode != .store || storedFields?.index(of: field) != nil
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
