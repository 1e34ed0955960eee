/// What a token can begin with a byte. The lexer looks it up in a table of 256 of these.
enum ByteClass: UInt8 {
  /// Begins no token. Zero, the padding of a source, is one of them.
  case other
  case ignored, nameStart, number, quote, comment, dot, byteOrderMark
  case punctuator

  /// The class of a byte in the low four bits, and in the high bit whether it continues a name.
  static let table: [UInt8] = (UInt8.min...UInt8.max).map { byte in
    ByteClass(of: byte).rawValue | (continuesName(byte) ? nameBit : 0)
  }

  /// The token kind of each punctuator byte.
  static let punctuators: [Token.Kind] = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "!"): .bang
    case UInt8(ascii: "$"): .dollar
    case UInt8(ascii: "&"): .ampersand
    case UInt8(ascii: "("): .leftParenthesis
    case UInt8(ascii: ")"): .rightParenthesis
    case UInt8(ascii: ":"): .colon
    case UInt8(ascii: "="): .equals
    case UInt8(ascii: "@"): .at
    case UInt8(ascii: "["): .leftBracket
    case UInt8(ascii: "]"): .rightBracket
    case UInt8(ascii: "{"): .leftBrace
    case UInt8(ascii: "|"): .pipe
    case UInt8(ascii: "}"): .rightBrace
    default: .invalid
    }
  }

  static let nameBit: UInt8 = 0x80

  private init(of byte: UInt8) {
    switch byte {
    case Ascii.tab, Ascii.lineFeed, Ascii.carriageReturn, Ascii.space, UInt8(ascii: ","): self = .ignored
    case Ascii.quote: self = .quote
    case Ascii.hash: self = .comment
    case Ascii.dot: self = .dot
    case Ascii.minus: self = .number
    case 0xEF: self = .byteOrderMark
    case _ where Ascii.isDigit(byte): self = .number
    case _ where Ascii.isNameStart(byte): self = .nameStart
    case _ where Self.punctuators[Int(byte)] != .invalid: self = .punctuator
    default: self = .other
    }
  }

  private static func continuesName(_ byte: UInt8) -> Bool { Ascii.isNameStart(byte) || Ascii.isDigit(byte) }
}
