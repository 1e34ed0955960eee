// Finding the member of the object that a generated initializer asks for.

extension __ObjectReader {
  enum Found { case absent, fresh, again }

  /// True if the member at the cursor is field `i`, and then the cursor is at its value: three loads, three compares.
  @inline(__always) mutating func matchesNext(_ i: Int) -> Bool {
    // `,"` or, for the first member, `{"`.
    let opening = cursor.p.word16
    guard opening == 0x222c || (opening == 0x227b && cursor.p == frames.top.start) else { return false }
    return takeKey(of: i, at: cursor.p + 2)
  }

  /// True if field `i` is the next member after white space, as in indented JSON. The cursor is then at its value.
  private mutating func matchesBehindSpace(_ i: Int) -> Bool {
    guard cursor.p.byte == UInt8(ascii: ",") || cursor.p == frames.top.start else { return false }
    var q = cursor.p + 1
    cursor.skipSpace(&q)
    guard q.byte == UInt8(ascii: "\"") else { return false }
    return takeKey(of: i, at: q + 1)
  }

  /// Passes `key":` at `q`, if it is the key of field `i`.
  @inline(__always) private mutating func takeKey(of i: Int, at q: Bytes) -> Bool {
    guard hasField(i), q.word64 & frames.top.fields[i].mask0 == frames.top.fields[i].word0,
      (q + 8).word64 & frames.top.fields[i].mask1 == frames.top.fields[i].word1
    else { return false }
    let length = frames.top.fields[i].length
    if length > 16 {
      guard q + (length - 2) < cursor.end, (q + 16).equals(frames.top.fields[i].bytes + 16, length - 16) else {
        return false
      }
    }
    frames.top.field = i
    if frames.top.logsAllMembers {
      logMember(q, length - 2, bit: frames.top.fields[i].keyBit, value: q + length, isEmitted: true)
    }
    cursor.p = q + length
    return true
  }

  /// Whether the table has a field `i`: code that was not generated may ask for any.
  @inline(__always) private func hasField(_ i: Int) -> Bool {
    UInt(bitPattern: i) < UInt(bitPattern: frames.top.fields.count)
  }

  /// Moves to the value of field `i`.
  @inline(__always) mutating func locate(_ i: Int) throws(__ReadError) -> Found {
    if matchesNext(i) {
      if mode == .normalize { sink.fieldKey = frames.top.keys[i] }
      return .fresh
    }
    return try search(i)
  }

  @inline(never) mutating func search(_ i: Int) throws(__ReadError) -> Found {
    guard hasField(i) else {
      wrongPosition = i
      // The path ends with the object.
      frames.top.field = frames.top.fields.count
      throw error(.position)
    }
    frames.top.field = i
    if mode == .store {
      do throws(__ReadError) {
        source.current = try lookUp(i)
      } catch  where error.code == .cacheMiss && frames.top.fields[i].isLocal {
        return .absent
      } catch  where source.missingValues != .areErrors && (error.code == .cacheMiss || error.code == .expired) {
        if source.missingValues == .areReported { noteMiss(error) }
        return .absent
      }
      return .fresh
    }
    if mode == .normalize { sink.fieldKey = frames.top.keys[i] }
    if matchesBehindSpace(i) { return .fresh }
    if try findLogged(i) { return .again }
    if try findAhead(i) { return .fresh }
    if findContested(i) { return .again }
    if needsEveryField, !frames.top.fields[i].isLocal { throw error(.missing) }
    return .absent
  }

  private mutating func findLogged(_ i: Int) throws(__ReadError) -> Bool {
    let base = frames.top.logBase, count = log.count - base
    guard count > 0 else { return false }
    var j = frames.top.logNext
    for _ in 0..<count {
      if j >= count { j = 0 }
      if isKey(of: i, log[base + j].key, log[base + j].keyLength) {
        frames.top.logNext = j + 1
        goBack(toLogged: base + j)
        return true
      }
      j += 1
    }
    return false
  }

  @inline(__always) private mutating func goBack(toLogged entry: Int) {
    frames.top.resume = cursor.p
    cursor.p = log[entry].value
    if log[entry].isEmitted {
      sink.isRepeated = true
      frames.top.hasDuplicates = true
    } else {
      log[entry].isEmitted = true
    }
  }

  /// Whether the current object, in a text, has field `i`. The reader stays where it is.
  mutating func hasMember(_ i: Int) throws(__ReadError) -> Bool {
    let start = cursor.p, logged = log.count, outer = needsEveryField
    needsEveryField = false
    let found = try search(i)
    needsEveryField = outer
    if found == .fresh {
      cursor.p = start
      log.removeAll(from: logged)
    }
    finish(found)
    return found != .absent
  }

  /// Finds the value of a field in a mock, where operations give the name of the member to other fields as well. Such
  /// members stand at the end of their object, as `:field:name`. A server sends none, because that is not a name.
  private mutating func findContested(_ i: Int) -> Bool {
    let last = log.count - 1
    guard last >= frames.top.logBase, log[last].key.byte == UInt8(ascii: ":") else { return false }
    let table = frames.top.table.table
    let name = table.arguments.first { $0.field == i }?.name ?? table.staticKeys[i].name
    let key = ":\(name):\(frames.top.fields[i].responseKey)"
    for entry in frames.top.logBase...last where log[entry].key.text(log[entry].keyLength) == key {
      goBack(toLogged: entry)
      return true
    }
    return false
  }

  private mutating func findAhead(_ i: Int) throws(__ReadError) -> Bool {
    while let (key, length) = try nextMember() {
      if isKey(of: i, key, length) {
        if frames.top.logsAllMembers {
          logMember(key, length, bit: frames.top.fields[i].keyBit, value: cursor.p, isEmitted: true)
        }
        return true
      }
      passMember(key, length)
      try cursor.skipValue()
    }
    return false
  }

  @inline(__always) private func isKey(of i: Int, _ key: Bytes, _ length: Int) -> Bool {
    guard length == frames.top.fields[i].keyLength else { return false }
    let mask = length >= 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
    guard (key.word64 ^ frames.top.fields[i].word0) & mask == 0 else { return false }
    return length <= 8 || (key + 8).equals(frames.top.fields[i].bytes + 8, length - 8)
  }

  /// Moves the cursor back to the end of the members read so far, after an earlier value was read again.
  @inline(__always) mutating func finish(_ found: Found) {
    if found == .again {
      cursor.p = frames.top.resume
      sink.isRepeated = false
    }
  }

  @inline(__always) mutating func logMember(
    _ key: Bytes, _ length: Int, bit keyBit: UInt64, value: Bytes, isEmitted: Bool
  ) {
    if frames.top.keyBits & keyBit != 0 { noteIfLogged(key, length) }
    frames.top.keyBits |= keyBit
    log.append(LogEntry(key: key, keyLength: length, value: value, isEmitted: isEmitted))
  }

  /// Logs a member whose value is at the cursor and that is not the one asked for.
  @inline(never) mutating func passMember(_ key: Bytes, _ length: Int) {
    // Fields are read in the order of the table, and each earlier field was found or is not in the object. So this
    // member may be repeated. It need not be, because a field whose condition does not hold was not read.
    if !frames.top.logsAllMembers {
      for i in 0..<frames.top.field where isKey(of: i, key, length) {
        let isTypename = i == 0 && frames.top.table.table.hasTypename
        if !isTypename || frames.top.typeStart != nil { hasRepeatedMembers = true }
      }
    }
    logMember(key, length, bit: key.keyBit(length), value: cursor.p, isEmitted: false)
  }

  /// Notes that a member came before, if it did. Where many did, it is left to the other way of reading to find out.
  @inline(never) private mutating func noteIfLogged(_ key: Bytes, _ length: Int) {
    guard !hasRepeatedMembers else { return }
    guard log.count - frames.top.logBase <= 256 else {
      hasRepeatedMembers = true
      return
    }
    for index in frames.top.logBase..<log.count
    where log[index].keyLength == length && log[index].key.equals(key, length) {
      hasRepeatedMembers = true
    }
  }

  /// Passes `,"key":`; nil at the end of the object.
  @inline(never) mutating func nextMember() throws(__ReadError) -> (key: Bytes, length: Int)? {
    var q = cursor.p
    if q == frames.top.start {
      q += 1
      cursor.skipSpace(&q)
      if q.byte == UInt8(ascii: "}") { cursor.p = q; return nil }
    } else {
      cursor.skipSpace(&q)
      if q.byte == UInt8(ascii: "}") { cursor.p = q; return nil }
      guard q.byte == UInt8(ascii: ",") else { cursor.p = q; throw cursor.error(.syntax) }
      q += 1
      cursor.skipSpace(&q)
    }
    guard q.byte == UInt8(ascii: "\"") else { cursor.p = q; throw cursor.error(.syntax) }
    let start = q + 1
    q = start.endOfPlainRun
    var key = (start, q - start)
    if q.byte == UInt8(ascii: "\\") {
      cursor.p = start
      let text = try cursor.escapedString(start, q)
      q = cursor.p - 1
      key = keepDecoded(text)
    }
    guard q.byte == UInt8(ascii: "\"") else { cursor.p = q; throw cursor.error(.syntax) }
    q += 1
    cursor.skipSpace(&q)
    guard q.byte == UInt8(ascii: ":") else { cursor.p = q; throw cursor.error(.syntax) }
    q += 1
    cursor.skipSpace(&q)
    cursor.p = q
    return key
  }

  // MARK: Records

  /// The value of field `i` if it is the one that is expected next in the current record: most are.
  @inline(__always) mutating func expectedInStore(_ i: Int) -> ValuePlace? {
    guard mode == .store, hasField(i) else { return nil }
    let next = frames.top.hint
    guard let entries = frames.top.entries, next < entries.count, entries[next].key == frames.top.keys[i] else {
      return nil
    }
    frames.top.hint = next + 1
    frames.top.field = i
    return entries.value(at: next)
  }

  /// The value of field `i` in the current record. A field that is not there is a miss, never nil.
  @inline(__always) mutating func lookUp(_ i: Int) throws(__ReadError) -> ValuePlace {
    frames.top.field = i
    let next = frames.top.hint
    if let entries = frames.top.entries, next < entries.count, entries[next].key == frames.top.keys[i] {
      frames.top.hint = next + 1
      return entries.value(at: next)
    }
    return try lookUpElsewhere(i)
  }

  @inline(never) private mutating func lookUpElsewhere(_ i: Int) throws(__ReadError) -> ValuePlace {
    if frames.top.hasComputedFields, let place = try computed(i) { return place }
    if let ages = source.ages, ages.applies(in: frames.count - 1), ages.innermost.comparesFields {
      if let place = try lookUpWithAge(i, ages) { return place }
    } else if let entries = frames.top.entries, let index = entries.index(of: frames.top.keys[i]) {
      if !frames.top.hasComputedFields { frames.top.hint = index + 1 }
      return entries.value(at: index)
    }
    if frames.top.keys[i] == .typename {
      return source.place(of: .string(try storedTypename()))
    }
    guard let redirected = redirect(i) else { throw error(.cacheMiss) }
    return source.place(of: redirected)
  }
}
