// The value at the cursor, or the value of a record that is read next. While records are made, each is added to them.

extension __ObjectReader {
  // MARK: Built-in scalars

  @usableFromInline mutating func stringValue() throws(__ReadError) -> String {
    if mode == .store {
      guard case .string(let value) = source.current.value else { return try storedText() }
      return value
    }
    do throws(__ReadError) {
      let value = try string()
      emit(.string(value))
      return value
    } catch {
      try passNull(or: error)
      return ""
    }
  }

  /// The name of an enum's value: a string, and nothing else.
  @usableFromInline mutating func enumName() throws(__ReadError) -> String {
    if mode == .store {
      guard case .string(let value) = source.current.value else { throw error(.cacheMismatch) }
      return value
    }
    cursor.skipSpace()
    guard cursor.p.byte == UInt8(ascii: "\"") else {
      try passNull(or: cursor.mismatch(.expectedString))
      return ""
    }
    return try stringValue()
  }

  @usableFromInline mutating func intValue() throws(__ReadError) -> Int {
    if mode == .store {
      guard case .int(let value) = source.current.value else { return try storedInt() }
      return value
    }
    do throws(__ReadError) {
      let value = try cursor.int()
      emit(.int(value))
      return value
    } catch {
      try passNull(or: error)
      return 0
    }
  }

  @usableFromInline mutating func doubleValue() throws(__ReadError) -> Double {
    if mode == .store {
      switch source.current.value {
      case .double(let value): return value
      case .int(let value): return Double(value)
      default: throw error(.cacheMismatch)
      }
    }
    do throws(__ReadError) {
      let value = try cursor.double()
      emit(.double(value))
      return value
    } catch {
      try passNull(or: error)
      return 0
    }
  }

  @usableFromInline mutating func boolValue() throws(__ReadError) -> Bool {
    if mode == .store {
      guard case .bool(let value) = source.current.value else { throw error(.cacheMismatch) }
      return value
    }
    do throws(__ReadError) {
      let value = try cursor.bool()
      emit(.bool(value))
      return value
    } catch {
      try passNull(or: error)
      return false
    }
  }

  // MARK: Strings

  @inline(__always) mutating func string() throws(__ReadError) -> String {
    if cursor.p.byte <= 0x20 { cursor.skipSpace() }
    guard cursor.p.byte == UInt8(ascii: "\"") else { return try textOfOtherScalar() }
    return try cursor.quotedString()
  }

  /// The text of a number that was sent where a string is expected: custom scalars without a Swift type are strings, and
  /// servers send numbers for an `ID`.
  ///
  /// The text is the one in the response. Only a number for an `ID` is normalized, so that `1` and `1.0` are one
  /// identifier.
  @inline(never) private mutating func textOfOtherScalar() throws(__ReadError) -> String {
    let start = cursor.p
    switch start.byte {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try cursor.skipNumber()
      if !frames.isEmpty, frames.top.field < frames.top.fields.count, frames.top.fields[frames.top.field].isID {
        let text = start.text(to: cursor.p)
        return integerDigits(text) ?? text
      }
    default: throw cursor.mismatch(.expectedString)
    }
    return start.text(to: cursor.p)
  }

  // MARK: Numbers of an app's records

  /// The text of a number that an app has written where a string is expected. It is the one that a key has of the number.
  @inline(never) private mutating func storedText() throws(__ReadError) -> String {
    switch source.current.value {
    case .int(let value): return String(value)
    case .double(let value): return wholeNumber(value).map { String($0) } ?? String(value)
    default: throw error(.cacheMismatch)
    }
  }

  /// The integer that an app has written as a `Double`.
  @inline(never) private mutating func storedInt() throws(__ReadError) -> Int {
    guard case .double(let value) = source.current.value, let integer = Int(exactly: value) else {
      throw error(.cacheMismatch)
    }
    return integer
  }

  // MARK: Numbers of other sizes

  /// Reads an integer of fewer bits than `Int`, or without a sign.
  mutating func integerValue<Value: FixedWidthInteger>() throws(__ReadError) -> Value {
    let start = startOfNumber()
    if Value.bitWidth - (Value.isSigned ? 1 : 0) >= Int.bitWidth { return try wideValue(start) }
    guard let value = Value(exactly: try intValue()) else { throw outOfRange(start) }
    return value
  }

  /// Reads an integer that an `Int` may be too small for: a `UInt`, and a `UInt32` where `Int` has 32 bits.
  @inline(never) private mutating func wideValue<Value: FixedWidthInteger>(
    _ start: Bytes
  ) throws(__ReadError) -> Value {
    if mode == .store {
      switch source.current.value {
      case .int(let value): if let value = Value(exactly: value) { return value }
      case .json(let digits): if let value = Value(digits) { return value }
      default: break
      }
      throw error(.cacheMismatch)
    }
    guard start.byte == UInt8(ascii: "-") || start.byte &- 0x30 < 10 else {
      try passNull(or: cursor.mismatch(.expectedInt))
      return 0
    }
    try cursor.skipNumber()
    guard let digits = integerDigits(start.text(to: cursor.p)) else {
      cursor.p = start
      throw error(.fractionInInt)
    }
    guard let value = Value(digits) else { throw outOfRange(start) }
    emit(Int(exactly: value).map(RecordValue.int) ?? .json(digits))
    return value
  }

  mutating func floatValue() throws(__ReadError) -> Float {
    let start = startOfNumber()
    let value = Float(try doubleValue())
    guard value.isFinite else { throw outOfRange(start) }
    return value
  }

  private mutating func startOfNumber() -> Bytes {
    if mode != .store { cursor.skipSpace() }
    return cursor.p
  }

  private mutating func outOfRange(_ start: Bytes) -> __ReadError {
    // A number in the cache may come from another version of the app: the operation goes to the server.
    if mode == .store { return error(.cacheMismatch) }
    cursor.p = start
    return error(.numberOutOfRange)
  }

  // MARK: Custom scalars

  /// Reads the value of a custom scalar.
  mutating func scalarValue() throws(__ReadError) -> JSONValue {
    if mode == .store { return try storedScalar() }
    cursor.skipSpace()
    let start = cursor.p
    let value = try cursor.value()
    if mode == .normalize {
      switch value {
      case is JSONNull: cursor.p = start; throw error(.null)
      case let value as String: emit(.string(value))
      case let value as Bool: emit(.bool(value))
      case let value as Int: emit(.int(value))
      default: emit(.json(start.text(to: cursor.p)))
      }
    } else if value is JSONNull {
      cursor.p = start
      throw error(.null)
    }
    return value
  }

  private mutating func storedScalar() throws(__ReadError) -> JSONValue {
    switch source.current.value {
    case .string(let value): return value
    case .bool(let value): return value
    case .int(let value): return value
    case .double(let value): return value
    case .json(let text):
      guard let value = try? JSONCursor.value(of: text) else { throw error(.cacheMismatch) }
      return value
    default: throw error(.cacheMismatch)
    }
  }

  /// The error for a value that the type of a custom scalar refuses.
  package mutating func scalarFailure(_ cause: any Error) -> __ReadError {
    scalarError = cause
    return error(.scalar)
  }

  /// The value at the cursor as the JSON that was sent.
  package mutating func rawJSON() throws(__ReadError) -> String {
    if mode == .store {
      switch source.current.value {
      case .json(let text): return text
      case .null: throw error(.null)
      // What an app wrote is kept in the type in which it was written.
      case .string(let value): return Self.json(value)
      case .int(let value): return Self.json(value)
      case .double(let value): return Self.json(value)
      case .bool(let value): return Self.json(value)
      default: throw error(.cacheMismatch)
      }
    }
    cursor.skipSpace()
    if cursor.isNull { throw error(.null) }
    let start = cursor.p
    try cursor.skipValue()
    let text = start.text(to: cursor.p)
    emit(.json(text))
    return text
  }

  private static func json(_ value: some __JSONWritable) -> String {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return writer.text
  }

  /// Reads a custom scalar that is sent as a string or as a number, and that the cache keeps in one form, however it was
  /// sent. It is the form in which the type writes it: so records, keys and what an app writes agree.
  ///
  /// - Parameters:
  ///   - make: Makes the value of a text: the string, or the digits of the number.
  ///   - form: What the cache keeps.
  /// - Returns: The value.
  /// - Throws: An error for a null, and for a text of which `make` makes nothing.
  package mutating func textScalar<Value>(
    _ make: (String) -> Value?, keptAs form: (Value) -> String
  ) throws(__ReadError) -> Value {
    let text = try textOfScalar()
    guard let value = make(text) else {
      throw scalarFailure(JSONDecodingError.couldNotConvert(value: text, to: Value.self))
    }
    if mode == .normalize { emit(.string(form(value))) }
    return value
  }

  /// The string, or the JSON of a value that is not a string.
  private mutating func textOfScalar() throws(__ReadError) -> String {
    if mode == .store {
      if case .string(let value) = source.current.value { return value }
      let json = try rawJSON()
      return json.hasPrefix("\"") ? (try? JSONCursor.value(of: json)) as? String ?? json : json
    }
    cursor.skipSpace()
    if cursor.isNull { throw error(.null) }
    let start = cursor.p
    if start.byte == UInt8(ascii: "\"") { return try cursor.quotedString() }
    try cursor.skipValue()
    return start.text(to: cursor.p)
  }

  // MARK: Records

  /// Adds a value to the record of the current object, unless it was added before.
  @inline(__always) mutating func emit(_ value: consuming RecordValue) {
    guard mode == .normalize, !sink.isRepeated else { return }
    sink.push(value)
  }
}
