// Finding the member of the object that a generated initializer asks for.

extension ObjectReader {
  enum Found { case absent, fresh, again }

  /// True if the member at the cursor is field `i`, and then the cursor is at its value: three loads, three compares.
  @inline(__always) mutating func matchesNext(_ i: Int) -> Bool {
    let field = f.pointee.fields + i
    let r = UnsafeRawPointer(p)
    // `,"` or, for the first member, `{"`.
    let opening = r.loadUnaligned(as: UInt16.self)
    guard opening == 0x222c || (opening == 0x227b && p == f.pointee.start),
      (r + 2).loadUnaligned(as: UInt64.self) & field.pointee.mask0 == field.pointee.word0,
      (r + 10).loadUnaligned(as: UInt64.self) & field.pointee.mask1 == field.pointee.word1
    else { return false }
    let length = field.pointee.length
    if length > 16 {
      guard p + length < end, equal(p + 18, field.pointee.bytes + 16, length - 16) else { return false }
    }
    f.pointee.field = i
    if f.pointee.logsAllMembers { logMember(p + 2, length - 2, value: p + (2 + length), isEmitted: true) }
    p += 2 + length
    return true
  }

  /// Moves to the value of field `i`.
  @inline(__always) mutating func locate(_ i: Int) throws(ReadError) -> Found {
    if matchesNext(i) {
      if mode == .normalize { fieldKey = f.pointee.keys[i] }
      return .fresh
    }
    return try search(i)
  }

  @inline(never) mutating func search(_ i: Int) throws(ReadError) -> Found {
    f.pointee.field = i
    if mode == .store {
      do throws(ReadError) {
        current = try lookUp(i)
      } catch  where allowsMissingFields && error.code == .cacheMiss {
        return .absent
      }
      return .fresh
    }
    if mode == .normalize { fieldKey = f.pointee.keys[i] }
    if try findLogged(i) { return .again }
    if try findAhead(i) { return .fresh }
    if needsEveryField { throw error(.missing) }
    return .absent
  }

  private mutating func findLogged(_ i: Int) throws(ReadError) -> Bool {
    let count = logCount - f.pointee.logBase
    guard count > 0 else { return false }
    let members = log + f.pointee.logBase
    var j = f.pointee.logNext
    for _ in 0..<count {
      if j >= count { j = 0 }
      if isKey(of: i, members[j].key, members[j].keyLength) {
        f.pointee.logNext = j + 1
        f.pointee.resume = p
        p = members[j].value
        if members[j].isEmitted {
          isRepeated = true
          f.pointee.hasDuplicates = true
        } else {
          members[j].isEmitted = true
        }
        return true
      }
      j += 1
    }
    return false
  }

  private mutating func findAhead(_ i: Int) throws(ReadError) -> Bool {
    while let (key, length) = try nextMember() {
      if isKey(of: i, key, length) {
        if f.pointee.logsAllMembers { logMember(key, length, value: p, isEmitted: true) }
        return true
      }
      logMember(key, length, value: p, isEmitted: false)
      try skipValue()
    }
    return false
  }

  @inline(__always) private func isKey(of i: Int, _ key: Bytes, _ length: Int) -> Bool {
    let field = f.pointee.fields + i
    guard length == field.pointee.keyLength else { return false }
    let mask = length >= 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
    guard (load64(key) ^ field.pointee.word0) & mask == 0 else { return false }
    return length <= 8 || equal(key + 8, field.pointee.bytes + 8, length - 8)
  }

  /// Goes back behind the members read so far, after a value that was read again.
  @inline(__always) mutating func finish(_ found: Found) {
    if found == .again {
      p = f.pointee.resume
      isRepeated = false
    }
  }

  @inline(__always) mutating func logMember(_ key: Bytes, _ length: Int, value: Bytes, isEmitted: Bool) {
    if logCount == logCapacity { growLog() }
    (log + logCount).initialize(to: LogEntry(key: key, keyLength: length, value: value, isEmitted: isEmitted))
    logCount += 1
  }

  @inline(never) private mutating func growLog() {
    let grown = UnsafeMutablePointer<LogEntry>.allocate(capacity: logCapacity * 2)
    grown.moveInitialize(from: log, count: logCount)
    log.deallocate()
    log = grown
    logCapacity *= 2
  }

  /// Passes `,"key":`; nil at the end of the object.
  @inline(never) mutating func nextMember() throws(ReadError) -> (key: Bytes, length: Int)? {
    var q = p
    if q == f.pointee.start {
      q += 1
      skipSpace(&q)
      if q.pointee == UInt8(ascii: "}") { p = q; return nil }
    } else {
      skipSpace(&q)
      if q.pointee == UInt8(ascii: "}") { p = q; return nil }
      guard q.pointee == UInt8(ascii: ",") else { p = q; throw error(.syntax) }
      q += 1
      skipSpace(&q)
    }
    guard q.pointee == UInt8(ascii: "\"") else { p = q; throw error(.syntax) }
    let start = q + 1
    q = plainRun(start)
    var key = (start, q - start)
    if q.pointee == UInt8(ascii: "\\") {
      p = start
      let text = try escapedString(start, q)
      q = p - 1
      key = keepDecoded(text)
    }
    guard q.pointee == UInt8(ascii: "\"") else { p = q; throw error(.syntax) }
    q += 1
    skipSpace(&q)
    guard q.pointee == UInt8(ascii: ":") else { p = q; throw error(.syntax) }
    q += 1
    skipSpace(&q)
    p = q
    return key
  }

  mutating func keepDecoded(_ text: String) -> (Bytes, Int) {
    let count = text.utf8.count
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 16)
    copy.initialize(repeating: 0, count: count + 16)
    for (index, byte) in text.utf8.enumerated() { copy[index] = byte }
    decodedKeys.append(copy)
    return (Bytes(copy), count)
  }

  // MARK: Records

  /// The value of field `i` in the current record. A field that is not there is a miss, never nil.
  @inline(__always) mutating func lookUp(_ i: Int) throws(ReadError) -> UnsafeMutablePointer<RecordValue> {
    let frame = f
    frame.pointee.field = i
    let key = frame.pointee.keys[i], next = frame.pointee.hint
    if next < frame.pointee.entryCount, let entries = frame.pointee.entries, entries[next].key == key {
      frame.pointee.hint = next + 1
      return valuePointer(entries + next)
    }
    return try lookUpElsewhere(i)
  }

  @inline(never) private mutating func lookUpElsewhere(_ i: Int) throws(ReadError) -> UnsafeMutablePointer<RecordValue>
  {
    let key = f.pointee.keys[i]
    if let entries = f.pointee.entries {
      for j in 0..<f.pointee.entryCount where entries[j].key == key {
        f.pointee.hint = j + 1
        return valuePointer(entries + j)
      }
    }
    guard let redirected = redirect(i) else { throw error(.cacheMiss) }
    scratch.pointee = redirected
    return scratch
  }

  /// The value is the first member of a field, so it has the field's address.
  @inline(__always) private func valuePointer(_ field: UnsafeMutablePointer<ObjectRecord.Field>)
    -> UnsafeMutablePointer<
      RecordValue
    >
  {
    UnsafeMutableRawPointer(field).assumingMemoryBound(to: RecordValue.self)
  }
}

@inline(__always) func equal(_ a: Bytes, _ b: Bytes, _ count: Int) -> Bool {
  var i = 0
  while i < count {
    if a[i] != b[i] { return false }
    i += 1
  }
  return true
}
