extension __ObjectReader {
  @usableFromInline mutating func beginObject(_ fields: __FieldTable) throws(__ReadError) {
    if mode == .store { return try beginStoredObject(fields.storage) }
    if cursor.p.byte <= 0x20 { cursor.skipSpace() }
    if cursor.p.byte != UInt8(ascii: "{") { try beginBlank(or: cursor.mismatch(.expectedObject)) }
    try cursor.descend()
    let table = fields.storage
    frames.push(
      Frame(
        table: UnownedTable(table), keyFields: table.keyFields, fields: table.fields, keys: keys(of: table),
        start: cursor.p, resume: cursor.p,
        logBase: log.count,
        logsAllMembers: table.hasFragments, outerIsRepeated: sink.isRepeated, hasDuplicates: table.hasAliases,
        pendingBase: sink.pendingCount))
    sink.isRepeated = false
    if mode == .normalize, notesLifetimes(table) { noteTableForLifetimes() }
    if table.hasTypename, matchesNext(0) {
      if !frames.top.logsAllMembers {
        logMember(cursor.p - 12, 10, bit: frames.top.fields[0].keyBit, value: cursor.p, isEmitted: true)
      }
      if cursor.p.byte != UInt8(ascii: "\"") {
        cursor.skipSpace()
        guard cursor.p.byte == UInt8(ascii: "\"") else { throw cursor.mismatch(.expectedString) }
      }
      let q = (cursor.p + 1).endOfPlainRun
      guard q.byte == UInt8(ascii: "\""), q < cursor.end else { return try cursor.skipString() }
      frames.top.typeStart = cursor.p + 1
      frames.top.typeLength = q - cursor.p - 1
      cursor.p = q + 1
    }
  }

  @usableFromInline mutating func endObject() throws(__ReadError) {
    if mode == .store { return endStoredObject() }
    cursor.depth -= 1
    if cursor.p.byte != UInt8(ascii: "}") || cursor.p == frames.top.start {
      frames.top.field = frames.top.fields.count
      while let (key, length) = try nextMember() {
        passMember(key, length)
        try cursor.skipValue()
      }
    }
    if mode == .json { return passEnd() }
    if !nulls.blanks.isEmpty, try endBlank() { return }
    try endRecord()
  }

  /// Passes the `}` of the current object, and continues in the surrounding one.
  @inline(__always) mutating func passEnd() {
    cursor.p += 1
    log.removeAll(from: frames.top.logBase)
    sink.isRepeated = frames.top.outerIsRepeated
    frames.pop()
  }

  // MARK: Fragments

  /// Reads a fragment on the current object, as a member of the selection set that spreads it.
  @inlinable public mutating func fragment<Value: SelectionSet>() throws(__ReadError) -> Value {
    let outer = enter(Value.__fields)
    let value = try Value(__reading: &self)
    leave(outer)
    return value
  }

  /// Reads a fragment on the current object, which is there only if condition `condition` holds.
  @inlinable public mutating func fragment<Value: SelectionSet>(if condition: Int) throws(__ReadError) -> Value? {
    if assumedConditions != nil { return try fragmentIfThere() }
    return includes(condition) ? try fragment() : nil
  }

  /// Reads the current object with another selection set.
  public mutating func enter(_ fields: __FieldTable) -> FragmentScope {
    let table = fields.storage, hasAges = mode == .store && source.hasAges(table)
    if hasAges { noteAges(before: table) }
    let outer = FragmentScope(
      table: frames.top.table, fields: frames.top.fields, keys: frames.top.keys, field: frames.top.field,
      ageCount: source.ages?.count ?? 0)
    frames.top.table = UnownedTable(table)
    frames.top.fields = table.fields
    frames.top.keys = keys(of: table)
    frames.top.logNext = 0
    frames.top.hint = 0
    if mode == .store {
      if source.readers != nil { beginComputedFields() }
      if frames.top.record >= 0 {
        depend(
          on: frames.top.record, table, sentAt: source.snapshot?.dated(frames.top.record)?.date ?? .unknown)
      }
      if hasAges { enterAges() }
    } else if mode == .normalize {
      if table.hasAliases { frames.top.hasDuplicates = true }
      if frames.top.keyFields.count == 0 { frames.top.keyFields = table.keyFields }
      if notesLifetimes(table) { noteTableForLifetimes() }
    }
    return outer
  }

  /// Returns to the selection set that `enter` left.
  public mutating func leave(_ outer: FragmentScope) {
    frames.top.table = outer.table
    frames.top.fields = outer.fields
    frames.top.keys = outer.keys
    frames.top.field = outer.field
    if source.ages != nil { leaveAges(outer.ageCount) }
  }

  /// What ``leave(_:)`` restores.
  public struct FragmentScope {
    let table: UnownedTable
    let fields: UnownedList<FieldInfo>
    let keys: UnownedList<FieldKey>
    let field: Int
    let ageCount: Int
  }

  // MARK: Types

  /// True if the current object is of one of `types`: whether a fragment with a type condition applies.
  public mutating func isType(_ types: __TypeSet) throws(__ReadError) -> Bool {
    types.contains(try typeSymbol())
  }

  /// True if the current object is of one of `types`, and condition `condition` holds.
  public mutating func isType(_ types: __TypeSet, if condition: Int) throws(__ReadError) -> Bool {
    if assumedConditions != nil {
      guard try isType(types), let condition = assumedCondition(condition) else { return false }
      return assumedConditions?.guess(condition) ?? false
    }
    return includes(condition) ? try isType(types) : false
  }

  /// The value of `__typename`.
  public mutating func typename() throws(__ReadError) -> String {
    if mode == .store { return try storedTypename() }
    guard let (start, length) = try typenameBytes() else {
      if isBlank { return "" }
      throw error(.missing)
    }
    return start.text(length)
  }

  mutating func typeSymbol() throws(__ReadError) -> TypeSymbol {
    if frames.top.type != .unknown { return frames.top.type }
    let symbol: TypeSymbol
    if mode == .store {
      symbol = .lookUp(try storedTypename())
    } else {
      guard let (start, length) = try typenameBytes() else {
        if isBlank { return .unknown }
        throw error(.missing)
      }
      symbol = typeNames.symbol(start, length)
    }
    frames.top.type = symbol
    return symbol
  }

  /// Where the type's name stands; nil if it is not selected or the server left it out.
  mutating func typenameBytes() throws(__ReadError) -> (Bytes, Int)? {
    if let start = frames.top.typeStart { return (start, frames.top.typeLength) }
    guard frames.top.table.table.hasTypename else { return nil }
    let wasRepeated = sink.isRepeated
    let found = try search(0)
    if found == .absent { return nil }
    if cursor.takeNull() { throw error(.null) }
    cursor.skipSpace()
    guard cursor.p.byte == UInt8(ascii: "\"") else { throw cursor.mismatch(.expectedString) }
    let start = cursor.p + 1
    let q = start.endOfPlainRun
    if q.byte == UInt8(ascii: "\\") {
      let (decoded, length) = keepDecoded(try cursor.escapedString(start, q))
      frames.top.typeStart = decoded
      frames.top.typeLength = length
    } else {
      try cursor.skipString()
      frames.top.typeStart = start
      frames.top.typeLength = cursor.p - start - 1
    }
    finish(found)
    sink.isRepeated = wasRepeated
    return (frames.top.typeStart!, frames.top.typeLength)
  }
}

/// The symbols of the last type names, so that most objects need no look-up in the process-wide table.
struct TypeNameCache {
  private var entries: [(start: Bytes, length: Int, symbol: TypeSymbol)?] = []

  mutating func symbol(_ start: Bytes, _ length: Int) -> TypeSymbol {
    if entries.isEmpty {
      entries.reserveCapacity(16)
      for _ in 0..<16 { entries.append(nil) }
    }
    let slot = (length &+ Int(start[0]) &+ Int(start[length / 2]) &* 5) & 15
    if let entry = entries[slot], entry.length == length, entry.start.equals(start, length) { return entry.symbol }
    let symbol = TypeSymbol.lookUp(start.text(length))
    entries[slot] = (start, length, symbol)
    return symbol
  }
}
