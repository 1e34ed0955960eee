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
      if mode == .json {
        guard cursor.takeNull() else { return try string() }
        try passedNull()
        return nil
      }
      sink.fieldKey = frames.top.keys[i]
      return try takeNull() ? nil : try stringValue()
    }
    return try searchOptionalString(i)
  }

  @inline(never) private mutating func searchOptionalString(_ i: Int) throws(__ReadError) -> String? {
    if let stored = expectedInStore(i), case .string(let value) = stored.value { return value }
    let found = try search(i)
    if found == .absent { return nil }
    let value = try takeNull() ? nil : try stringValue()
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
    let value = try takeNull() ? nil : try intValue()
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
    let value = try takeNull() ? nil : try doubleValue()
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
    let value = try takeNull() ? nil : try boolValue()
    finish(found)
    return value
  }

  /// Reads a field whose value is an object. `i` is its position in the field table.
  @inlinable public mutating func read<Value: SelectionSet>(_ i: Int) throws(__ReadError) -> Value {
    let found = try beginObject(i, Value.__fields)
    let value = try Value(__reading: &self)
    try endObject(found)
    return value
  }

  /// Reads a field whose value is an object or null. `i` is its position in the field table.
  ///
  /// (It is not inlined, because the compiler copies a struct once more whose initializer catches an error.)
  @inlinable @inline(never) public mutating func read<Value: SelectionSet>(_ i: Int) throws(__ReadError) -> Value? {
    let found = try beginNullableObject(i, Value.__fields)
    if found == Self.absent { return nil }
    do throws(__ReadError) {
      let value = try Value(__reading: &self)
      try endObject(found)
      return value
    } catch {
      try returnToNull(after: error, found)
      return nil
    }
  }

  /// Reads a field whose value is a list of objects. `i` is its position in the field table.
  @inlinable @inline(never) public mutating func read<Value: SelectionSet>(_ i: Int) throws(__ReadError) -> [Value] {
    let found = try findRequired(i)
    let value: [Value] = try objects()
    if found == Self.again { finishRepeated() }
    return value
  }

  /// Reads a field whose value is a list of objects or null. `i` is its position in the field table.
  @inlinable @inline(never) public mutating func read<Value: SelectionSet>(_ i: Int) throws(__ReadError) -> [Value]? {
    let found = try find(i)
    if found == Self.absent { return nil }
    let value = try nullable { reader throws(__ReadError) -> [Value] in try reader.objects() }
    if found == Self.again { finishRepeated() }
    return value
  }

  /// Reads a field whose value is a list of objects and nulls. `i` is its position in the field table.
  @inlinable @inline(never) public mutating func read<Value: SelectionSet>(_ i: Int) throws(__ReadError) -> [Value?] {
    let found = try findRequired(i)
    let value: [Value?] = try nullableObjects()
    if found == Self.again { finishRepeated() }
    return value
  }

  /// Reads a field whose value is a list of objects and nulls, or null. `i` is its position in the field table.
  @inlinable @inline(never) public mutating func read<Value: SelectionSet>(_ i: Int) throws(__ReadError) -> [Value?]? {
    let found = try find(i)
    if found == Self.absent { return nil }
    let value = try nullable { reader throws(__ReadError) -> [Value?] in try reader.nullableObjects() }
    if found == Self.again { finishRepeated() }
    return value
  }

  /// Reads a field of any other type: an enum, a custom scalar, a list or an optional of one, or a list of lists. `i` is
  /// its position in the field table.
  @_disfavoredOverload @inlinable @inline(never)
  public mutating func read<Value: __OutputValue>(_ i: Int) throws(__ReadError) -> Value {
    let found: Int
    if let absentValue = Value.__absentValue {
      found = try find(i)
      if found == Self.absent { return absentValue }
    } else {
      found = try findRequired(i)
    }
    let value = try Value.__read(from: &self)
    if found == Self.again { finishRepeated() }
    return value
  }

  /// Reads a non-null field that is there only if a condition holds. `i` is its position in the field table,
  /// `condition` that of the condition. nil if the condition does not hold.
  @inlinable public mutating func read<Value: __OutputValue>(_ i: Int, if condition: Int) throws(__ReadError) -> Value?
  {
    try includes(condition, field: i, isNullable: false) ? try read(i) as Value : nil
  }

  /// Reads a nullable field that is there only if a condition holds. `i` is its position in the field table,
  /// `condition` that of the condition. nil if the condition does not hold.
  @inlinable public mutating func readNullable<Value: __OutputValue>(
    _ i: Int, if condition: Int
  ) throws(__ReadError) -> Value? {
    try includes(condition, field: i, isNullable: true) ? try read(i) as Value? : nil
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
    return found == .absent ? try required() : found
  }

  // How a field was found. It is not an enum, because that would have to be public for code that is inlined into an app.
  @usableFromInline static var absent: Int { 0 }
  @usableFromInline static var fresh: Int { 1 }
  @usableFromInline static var again: Int { 2 }
  /// The value may become null, and where the reader stood is noted.
  @usableFromInline static var hasWayBack: Int { 3 }

  @usableFromInline mutating func find(_ i: Int) throws(__ReadError) -> Int {
    if let stored = expectedInStore(i) {
      source.current = stored
      return Self.fresh
    }
    return switch try locate(i) {
    case .absent: Self.absent
    case .fresh: Self.fresh
    case .again: Self.again
    }
  }

  @usableFromInline mutating func finishRepeated() { finish(.again) }

  @usableFromInline mutating func findRequired(_ i: Int) throws(__ReadError) -> Int {
    let found = try find(i)
    if found != Self.absent { return found }
    _ = try required()
    return Self.again
  }

  /// What is read where a field is absent that may not be: nothing, or the null in place of a value that is not kept.
  @inline(never) private mutating func required() throws(__ReadError) -> Found {
    guard readsBlank() else { throw error(mode == .store ? .cacheMiss : .missing) }
    return .again
  }

  @usableFromInline mutating func beginObject(_ i: Int, _ fields: __FieldTable) throws(__ReadError) -> Int {
    let found = try findRequired(i)
    try beginObject(fields)
    return found
  }

  /// Begins an object, unless there is null in its place: then it is absent as well.
  @usableFromInline mutating func beginNullableObject(_ i: Int, _ fields: __FieldTable) throws(__ReadError) -> Int {
    let found = try find(i)
    if found == Self.absent { return found }
    switch try beginNullable() {
    case Self.absent:
      if found == Self.again { finishRepeated() }
      return Self.absent
    case Self.hasWayBack:
      if found == Self.again { waysBack[waysBack.count - 1].isRepeated = true }
      do throws(__ReadError) {
        try beginObject(fields)
        return Self.hasWayBack
      } catch {
        try returnToNull(after: error, Self.hasWayBack)
        return Self.absent
      }
    default:
      try beginObject(fields)
      return found
    }
  }

  @usableFromInline mutating func endObject(_ found: Int) throws(__ReadError) {
    try endObject()
    if found != Self.fresh { endFound(found) }
  }

  @inline(never) private mutating func endFound(_ found: Int) {
    if found == Self.again { finishRepeated() } else { forgetWayBack() }
  }
}
