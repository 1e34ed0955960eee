extension ObjectReader {
  @usableFromInline mutating func beginObject(_ fields: FieldTable) throws(ReadError) {
    if mode == .store { return try beginStoredObject(fields.storage) }
    if p.pointee <= 0x20 { skipSpace() }
    guard p.pointee == UInt8(ascii: "{") else { throw mismatch(.expectedObject) }
    try descend()
    let table = fields.storage
    pushFrame()
    f.initialize(
      to: Frame(
        table: .passUnretained(table), keyTable: .passUnretained(table), fields: table.fields, keys: keys(of: table),
        start: p, resume: p,
        logBase: logCount,
        logsAllMembers: table.hasFragments, outerIsRepeated: isRepeated, hasDuplicates: table.hasAliases,
        pendingBase: pendingCount))
    isRepeated = false
    if table.hasTypename, matchesNext(0) {
      guard p.pointee == UInt8(ascii: "\"") else { throw mismatch(.expectedString) }
      if !f.pointee.logsAllMembers { logMember(p - 12, 10, value: p, isEmitted: true) }
      let q = plainRun(p + 1)
      guard q.pointee == UInt8(ascii: "\""), q < end else { return try skipString() }
      f.pointee.typeStart = p + 1
      f.pointee.typeLength = q - p - 1
      p = q + 1
    }
  }

  @usableFromInline mutating func endObject() throws(ReadError) {
    depth -= 1
    if mode == .store {
      f -= 1
      return
    }
    if p.pointee != UInt8(ascii: "}") || p == f.pointee.start {
      while let (key, length) = try nextMember() {
        logMember(key, length, value: p, isEmitted: false)
        try skipValue()
      }
    }
    if mode == .normalize { return try endRecord() }
    p += 1
    logCount = f.pointee.logBase
    isRepeated = f.pointee.outerIsRepeated
    f -= 1
  }

  @inline(__always) private mutating func pushFrame() {
    f += 1
    if f == frames + frameCapacity { growFrames() }
  }

  @inline(never) mutating func growFrames() {
    let count = f - frames
    let grown = UnsafeMutablePointer<Frame>.allocate(capacity: frameCapacity * 2)
    grown.moveInitialize(from: frames, count: count)
    frames.deallocate()
    frames = grown
    frameCapacity *= 2
    f = frames + count
  }

  // MARK: Fragments

  /// Reads a fragment on the current object, as a member of the selection set that spreads it.
  @inlinable public mutating func fragment<Value: SelectionSet>() throws(ReadError) -> Value {
    let outer = enter(Value.fields)
    let value = try Value(&self)
    leave(outer)
    return value
  }

  /// Goes on with another selection set on the same object.
  public mutating func enter(_ fields: FieldTable) -> FragmentScope {
    let outer = FragmentScope(
      table: f.pointee.table, fields: f.pointee.fields, keys: f.pointee.keys, field: f.pointee.field)
    let table = fields.storage
    f.pointee.table = .passUnretained(table)
    f.pointee.fields = table.fields
    f.pointee.keys = keys(of: table)
    f.pointee.logNext = 0
    f.pointee.hint = 0
    if mode == .store {
      if f.pointee.record >= 0 { dependencies.add(f.pointee.record, table) }
    } else if mode == .normalize {
      if table.hasAliases { f.pointee.hasDuplicates = true }
      if !table.keyFields.isEmpty, f.pointee.keyTable.takeUnretainedValue().keyFields.isEmpty {
        f.pointee.keyTable = .passUnretained(table)
      }
    }
    return outer
  }

  /// Returns to the selection set that `enter` left.
  public mutating func leave(_ outer: FragmentScope) {
    f.pointee.table = outer.table
    f.pointee.fields = outer.fields
    f.pointee.keys = outer.keys
    f.pointee.field = outer.field
  }

  /// What ``leave(_:)`` restores.
  public struct FragmentScope {
    let table: Unmanaged<FieldTable.Storage>
    let fields: UnsafeMutablePointer<FieldInfo>
    let keys: UnsafeMutablePointer<FieldKey>
    let field: Int
  }

  // MARK: Types

  /// True if the current object is of one of `types`: whether a fragment with a type condition applies.
  public mutating func isType(_ types: TypeSet) throws(ReadError) -> Bool {
    types.contains(try typeSymbol())
  }

  /// The value of `__typename`.
  public mutating func typename() throws(ReadError) -> String {
    if mode == .store { return try storedTypename() }
    guard let (start, length) = try typenameBytes() else { throw error(.missing) }
    return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }

  mutating func typeSymbol() throws(ReadError) -> TypeSymbol {
    if f.pointee.type != .unknown { return f.pointee.type }
    let symbol: TypeSymbol
    if mode == .store {
      symbol = .lookUp(try storedTypename())
    } else {
      guard let (start, length) = try typenameBytes() else { throw error(.missing) }
      symbol = typeNames.symbol(start, length)
    }
    f.pointee.type = symbol
    return symbol
  }

  /// Where the type's name stands; nil if it is not selected or the server left it out.
  mutating func typenameBytes() throws(ReadError) -> (Bytes, Int)? {
    if let start = f.pointee.typeStart { return (start, f.pointee.typeLength) }
    guard f.pointee.table.takeUnretainedValue().hasTypename else { return nil }
    let wasRepeated = isRepeated
    let found = try search(0)
    if found == .absent { return nil }
    if takeJSONNull() { throw error(.null) }
    skipSpace()
    guard p.pointee == UInt8(ascii: "\"") else { throw mismatch(.expectedString) }
    let start = p + 1
    let q = plainRun(start)
    if q.pointee == UInt8(ascii: "\\") {
      let (decoded, length) = keepDecoded(try escapedString(start, q))
      f.pointee.typeStart = decoded
      f.pointee.typeLength = length
    } else {
      try skipString()
      f.pointee.typeStart = start
      f.pointee.typeLength = p - start - 1
    }
    finish(found)
    isRepeated = wasRepeated
    return (f.pointee.typeStart!, f.pointee.typeLength)
  }
}

/// The symbols of the last type names, so that most objects need no look-up in the process-wide table.
struct TypeNameCache {
  private var entries: [(start: Bytes, length: Int, symbol: TypeSymbol)?] = []

  mutating func symbol(_ start: Bytes, _ length: Int) -> TypeSymbol {
    if entries.isEmpty { entries = Array(repeating: nil, count: 16) }
    let slot = (length &+ Int(start[0]) &+ Int(start[length / 2]) &* 5) & 15
    if let entry = entries[slot], entry.length == length, equal(entry.start, start, length) { return entry.symbol }
    let symbol = TypeSymbol.lookUp(String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self))
    entries[slot] = (start, length, symbol)
    return symbol
  }
}
