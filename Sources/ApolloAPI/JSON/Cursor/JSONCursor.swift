/// A place in a JSON text (RFC 8259) that moves forward as values are read or passed.
///
/// It knows the grammar only. What a text means is known to those that use it: ``__ObjectReader``, ``JSONTree``,
/// ``JSONMembers``.
///
/// How memory is handled for speed is in the room `Memory`, and not here. What its types ask of a cursor: the bytes
/// are valid UTF-8; the cursor moves by what it has seen; the bytes are kept as long as the cursor.
struct JSONCursor: ~Copyable {
  /// Where the cursor is. (A short name, because most lines of the reader have it.)
  var p: Bytes
  /// The beginning and the end of the text.
  let start: Bytes, end: Bytes
  /// The text.
  let bytes: ResponseBytes
  /// How many objects and lists have begun and not ended.
  var depth = 0
  let maximumDepth: Int
  /// How many objects and lists may be nested where nothing else is asked for.
  static let defaultMaximumDepth = 512

  /// Makes a cursor at the beginning of a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - maximumDepth: How many objects and lists may be nested. Much of what uses a cursor is recursive, so the stack is
  ///     a limit as well: 2,048.
  init(_ bytes: ResponseBytes, maximumDepth: Int) {
    self.bytes = bytes
    p = bytes.start
    start = bytes.start
    end = bytes.start + bytes.count
    self.maximumDepth = min(maximumDepth, 2048)
  }

  /// How many bytes of the text are before the cursor.
  var offset: Int { p - start }

  // MARK: Punctuation

  @inline(__always) func skipSpace(_ q: inout Bytes) {
    while q.byte <= 0x20, q.byte == 0x20 || q.byte == 0x0a || q.byte == 0x0d || q.byte == 0x09 { q += 1 }
  }

  @inline(__always) mutating func skipSpace() {
    var q = p
    skipSpace(&q)
    p = q
  }

  /// Passes one byte of punctuation, if it is there.
  @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard p.byte == byte else { return false }
    p += 1
    return true
  }

  @inline(__always) mutating func descend() throws(__ReadError) {
    depth += 1
    guard depth <= maximumDepth else { throw __ReadError(.tooDeep, offset: offset) }
  }

  /// JSON does not allow a byte order mark, but some servers send one.
  mutating func skipByteOrderMark() {
    if p[0] == 0xef, p[1] == 0xbb, p[2] == 0xbf { p += 3 }
  }

  mutating func expectEnd() throws(__ReadError) {
    skipSpace()
    guard p >= end else { throw __ReadError(.trailingBytes, offset: offset) }
  }

  /// Checks that the whole text is UTF-8.
  func expectUTF8() throws(__ReadError) {
    if let offset = bytes.firstInvalidUTF8() { throw __ReadError(.invalidUTF8, offset: offset) }
  }

  // MARK: Literals

  private static let null: UInt32 = 0x6c6c_756e
  private static let `true`: UInt32 = 0x6575_7274
  private static let fals: UInt32 = 0x736c_6166

  /// Whether the value at the cursor is null.
  @inline(__always) var isNull: Bool { p.word32 == Self.null }

  @inline(__always) mutating func takeNull() -> Bool {
    if p.byte <= 0x20 { skipSpace() }
    guard isNull else { return false }
    p += 4
    return true
  }

  @inline(__always) mutating func bool() throws(__ReadError) -> Bool {
    if p.byte <= 0x20 { skipSpace() }
    let word = p.word32
    if word == Self.true {
      p += 4
      return true
    }
    if word == Self.fals, p[4] == UInt8(ascii: "e") {
      p += 5
      return false
    }
    throw mismatch(.expectedBoolean)
  }

  // MARK: Errors

  /// An error at the cursor: at the end of the text, that it is truncated.
  @inline(never) func error(_ code: __ReadError.Code) -> __ReadError {
    __ReadError(p >= end ? .truncated : code, offset: offset)
  }

  /// The value at the cursor is of the wrong kind.
  @inline(never) func mismatch(_ expected: __ReadError.Code) -> __ReadError {
    switch p.byte {
    case UInt8(ascii: "n"): error(isNull ? .null : .syntax)
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"):
      error(expected)
    default: error(.syntax)
    }
  }
}
