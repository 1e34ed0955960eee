/// Cuts a source into tokens, one at a time, without allocating.
///
/// This folder is the one place of the front end that reads memory without bounds checks. Why that is sound: `bytes`
/// is followed by `Source.padding` zeros, zero continues no token, every loop stops at zero or compares with `count`,
/// and no look-ahead is longer than the padding. A lexer lives only inside ``Lexer/run(on:_:)``.
struct Lexer {
  let bytes: UnsafePointer<UInt8>
  let count: Int
  private let classes: UnsafePointer<UInt8>
  private let punctuators: UnsafePointer<Token.Kind>
  var position = 0
  /// How many comments there may be.
  var maximumComments = Int.max
  private var commentCount = 0
  /// Why the last token is `.invalid`.
  var failure: LexicalError?

  /// Calls `body` with a lexer at the start of the source.
  static func run<Result>(on source: Source, _ body: (Lexer) -> Result) -> Result {
    source.paddedBytes.withUnsafeBufferPointer { bytes in
      ByteClass.table.withUnsafeBufferPointer { classes in
        ByteClass.punctuators.withUnsafeBufferPointer { punctuators in
          // None of the three is empty, so each has an address.
          body(
            Lexer(
              bytes: bytes.baseAddress.unsafelyUnwrapped, count: source.count,
              classes: classes.baseAddress.unsafelyUnwrapped,
              punctuators: punctuators.baseAddress.unsafelyUnwrapped))
        }
      }
    }
  }

  private init(
    bytes: UnsafePointer<UInt8>, count: Int, classes: UnsafePointer<UInt8>, punctuators: UnsafePointer<Token.Kind>
  ) {
    self.bytes = bytes
    self.count = count
    self.classes = classes
    self.punctuators = punctuators
  }

  /// The next token. After the last it is `.endOfFile`, again and again.
  @inline(__always)
  mutating func next() -> Token {
    while true {
      let start = position
      let byte = bytes[start]
      let classified = classes[Int(byte)]
      if classified & ByteClass.nameBit != 0, !Ascii.isDigit(byte) {
        position += 1
        while classes[Int(bytes[position])] & ByteClass.nameBit != 0 { position += 1 }
        return token(.name, from: start)
      }
      switch ByteClass(rawValue: classified & 0x0F) {
      case .ignored:
        position += 1
      case .punctuator:
        position += 1
        return token(punctuators[Int(byte)], from: start)
      case .comment:
        if let token = comment(from: start) { return token }
      case .quote:
        return string(from: start)
      case .number:
        return number(from: start)
      default:
        if let token = rareToken(from: start) { return token }
      }
    }
  }

  @inline(__always)
  func token(_ kind: Token.Kind, from start: Int) -> Token {
    Token(kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position))
  }

  /// The bytes of a token.
  @inline(__always)
  func bytes(of token: Token) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(token.start), count: Int(token.end - token.start))
  }

  /// Whether a token is written exactly like this.
  @inline(__always)
  func matches(_ token: Token, _ text: StaticString) -> Bool {
    guard Int(token.end - token.start) == text.utf8CodeUnitCount else { return false }
    let start = bytes + Int(token.start)
    for index in 0..<text.utf8CodeUnitCount where start[index] != text.utf8Start[index] { return false }
    return true
  }

  /// `Comment` — [spec](https://spec.graphql.org/September2025/#Comment). It is not a token (`nil`), unless there are too
  /// many of them. After that nothing is read.
  @inline(never)
  private mutating func comment(from start: Int) -> Token? {
    commentCount += 1
    if commentCount > maximumComments {
      let message = "Document contains more than \(maximumComments) comments. Parsing aborted."
      let token = invalid(.tooManyComments, message, at: start)
      position = count
      return token
    }
    while position < count, bytes[position] != Ascii.lineFeed, bytes[position] != Ascii.carriageReturn {
      position += 1
    }
    return nil
  }

  /// The end, `...`, a byte order mark (which is ignored: `nil`), or a character that begins no token.
  @inline(never)
  private mutating func rareToken(from start: Int) -> Token? {
    if start >= count {
      position = count
      return token(.endOfFile, from: count)
    }
    switch (bytes[start], bytes[start + 1], bytes[start + 2]) {
    case (0xEF, 0xBB, 0xBF):
      position += 3
      return nil
    case (Ascii.dot, Ascii.dot, Ascii.dot):
      position += 3
      return token(.spread, from: start)
    case (Ascii.singleQuote, _, _):
      let message = "Unexpected single quote character ('), did you mean to use a double quote (\")?"
      return invalid(.invalidCharacter, message, at: start)
    case (Ascii.space...0x7E, _, _):
      return invalid(.invalidCharacter, "Unexpected character: \(describeCharacter(at: start)).", at: start)
    default:
      return invalid(.invalidCharacter, "Invalid character: \(describeCharacter(at: start)).", at: start)
    }
  }

  /// Why the last token is `.invalid`, once.
  mutating func takeFailure() -> LexicalError? {
    defer { failure = nil }
    return failure
  }

  /// Records a failure and passes the offending character, so that lexing can continue after it.
  mutating func invalid(_ code: Diagnostic.Code, _ message: String, at offset: Int) -> Token {
    failure = LexicalError(code: code, message: message, offset: UInt32(truncatingIfNeeded: offset))
    position = min(offset + characterWidth(at: offset), count)
    return token(.invalid, from: offset)
  }

  /// How an error message shows the character at an offset.
  func describeCharacter(at offset: Int) -> String {
    if offset >= count { return Token.Kind.endOfFile.description }
    let end = min(offset + characterWidth(at: offset), count)
    let character = String(decoding: UnsafeBufferPointer(start: bytes + offset, count: end - offset), as: UTF8.self)
    guard let scalar = character.unicodeScalars.first else { return Token.Kind.endOfFile.description }
    if scalar == "\"" { return "'\"'" }
    if (0x20...0x7E).contains(scalar.value) { return "\"\(scalar)\"" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The length of the UTF-8 sequence that a byte begins.
  private func characterWidth(at offset: Int) -> Int {
    switch bytes[offset] {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}
