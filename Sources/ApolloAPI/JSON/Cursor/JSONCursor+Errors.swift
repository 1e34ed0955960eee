extension JSONCursor {
  /// Turns an error into a complete one.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The path of the value, if it is known.
  /// - Returns: The error with the place in the text.
  @inline(never) borrowing func describe(_ error: __ReadError, path: [PathComponent] = []) -> ResponseDecodingError {
    ResponseDecodingError(
      reason: reason(of: error), path: path, offset: error.offset, excerpt: excerpt(around: error.offset),
      underlyingError: nil)
  }

  borrowing func reason(of error: __ReadError) -> ResponseDecodingError.Reason {
    func type(_ expected: String) -> ResponseDecodingError.Reason {
      .wrongType(expected: expected, found: found(at: error.offset))
    }
    switch error.code {
    case .syntax: return .invalidJSON("unexpected \(found(at: error.offset))")
    case .truncated: return .invalidJSON("it ends too early")
    case .badEscape: return .invalidJSON("unknown escape in a string")
    case .badNumber: return .invalidJSON("malformed number")
    case .invalidUTF8: return .invalidJSON("invalid UTF-8")
    case .trailingBytes: return .invalidJSON("unexpected text after its end")
    case .tooDeep: return .invalidJSON("nested more than \(maximumDepth) levels deep")
    case .missing: return .missingValue
    case .null: return .nullValue
    case .expectedString: return type("a String")
    case .expectedInt: return type("an Int")
    case .fractionInInt: return .wrongType(expected: "an Int", found: "a number with a fraction")
    case .expectedFloat: return type("a Float")
    case .expectedBoolean: return type("a Boolean")
    case .expectedObject: return type("an object")
    case .expectedList: return type("a list")
    case .numberOutOfRange: return .numberOutOfRange
    case .scalar: return .invalidScalar
    // What a cursor knows nothing of; see ``__ObjectReader/describe(_:)``.
    case .position, .cacheMiss, .cacheMismatch, .expired, .computation: return .invalidModel("")
    }
  }

  private borrowing func found(at offset: Int) -> String {
    guard start + offset < end else { return "the end" }
    switch start[offset] {
    case UInt8(ascii: "\""): return "a string"
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "a list"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return "a boolean"
    case UInt8(ascii: "n"): return "null"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "a number"
    case 0x21..<0x7f: return "'\(Character(UnicodeScalar(start[offset])))'"
    default: return "byte \(start[offset])"
    }
  }

  /// Some bytes before and after the offset, on one line.
  private borrowing func excerpt(around offset: Int) -> String {
    let from = max(0, offset - 30), to = min(end - start, offset + 30)
    guard from < to else { return "" }
    let text = (start + from).text(to - from)
    let line = String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    return (from > 0 ? "…" : "") + line + (to < end - start ? "…" : "")
  }
}
