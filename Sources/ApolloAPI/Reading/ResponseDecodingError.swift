/// The error for a response, or a cached object, that does not have the form that the operation selects.
public struct ResponseDecodingError: Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The text is not JSON (RFC 8259).
    case invalidJSON(String)
    /// The response has neither `data` nor `errors`, or a non-null field is missing.
    case missingValue
    /// A non-null field is null.
    case nullValue
    /// The value has another type than the schema says. The texts are phrases such as `a string`.
    case wrongType(expected: String, found: String)
    /// The number is too large or too small for its type.
    case numberOutOfRange
    /// The type of a custom scalar refused the value; see ``ResponseDecodingError/underlyingError``.
    case invalidScalar
    /// The cache has no such field in the record, or no such record.
    case cacheMiss(record: String, field: String)
    /// The cache has another kind of value in the field than the operation selects.
    case cacheMismatch(record: String, field: String)
    /// The generated code does not fit this version of the library: its field table cannot be read, or has a newer
    /// version, or lacks a field that is read.
    case invalidModel(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The path of the value in `data`, such as `hero.friends.0.name`. Empty if the error is about the whole response.
  public let path: [PathComponent]
  /// The offset in bytes from the start of the response; nil for cached objects.
  public let offset: Int?
  /// The text of the response around the offset; nil for cached objects.
  public let excerpt: String?
  /// The error that the type of a custom scalar threw; nil for other reasons.
  public let underlyingError: (any Error)?

  /// The path and the message.
  public var description: String {
    (path.isEmpty ? "" : path.map(\.description).joined(separator: ".") + ": ") + message
  }

  /// What is wrong, with the offset and the excerpt, but without the path.
  public var message: String {
    guard let offset, let excerpt else { return reasonText + "." }
    return "\(reasonText) (byte \(offset): \(excerpt))."
  }

  /// Whether the cache does not have the requested data, or has it in a form that no longer fits.
  ///
  /// The ``reason`` then has the record and the field.
  public var isCacheMiss: Bool {
    if case .invalidModel = reason { false } else { offset == nil }
  }

  private var reasonText: String {
    switch reason {
    case .invalidJSON(let detail): "The response is not valid JSON: \(detail)"
    case .missingValue:
      path.isEmpty ? "The response has neither data nor errors" : "The field is missing, and may not be"
    case .nullValue: "The field is null, and may not be"
    case .wrongType(let expected, let found): "Expected \(expected), found \(found)"
    case .numberOutOfRange: "The number is too large, or too small"
    case .invalidScalar: "The scalar is not valid: \(underlyingError.map { "\($0)" } ?? "")"
    case .cacheMiss(let record, let field): "The cache has no field '\(field)' of '\(record)'"
    case .cacheMismatch(let record, let field):
      "The cache has a value of another type in the field '\(field)' of '\(record)'"
    case .invalidModel(let detail): detail
    }
  }
}

extension __ObjectReader {
  /// Turns an error into a complete one. The frames are still in place, so they give the path.
  @inline(never) borrowing func describe(_ error: __ReadError) -> ResponseDecodingError {
    let isStored = mode == .store
    return ResponseDecodingError(
      reason: reason(of: error), path: path(), offset: isStored ? nil : error.offset,
      excerpt: isStored ? nil : excerpt(around: error.offset), underlyingError: scalarError)
  }

  /// The path of the reader: the fields and list indices from the root to the value at the cursor.
  borrowing func path() -> [PathComponent] {
    var path: [PathComponent] = []
    for index in 0..<frames.count {
      let frame = frames[index]
      if frame.field < frame.fields.count {
        path.append(.field(frame.fields[frame.field].responseKey))
      }
      for outer in outerIndices where outer.frame == index { path.append(.index(outer.index)) }
      if frame.index >= 0 { path.append(.index(frame.index)) }
    }
    return path
  }

  private borrowing func reason(of error: __ReadError) -> ResponseDecodingError.Reason {
    func type(_ expected: String) -> ResponseDecodingError.Reason {
      .wrongType(expected: expected, found: found(at: error.offset))
    }
    if !frames.isEmpty, let problem = frames.top.table.table.problem { return .invalidModel(problem) }
    switch error.code {
    case .position:
      let count = frames.isEmpty ? 0 : frames.top.fields.count
      return .invalidModel("Field \(wrongPosition ?? -1) is read, and the field table has \(count) fields")
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
    case .cacheMiss: return .cacheMiss(record: recordKey(), field: fieldKeyText())
    case .cacheMismatch: return .cacheMismatch(record: recordKey(), field: fieldKeyText())
    }
  }

  /// The key of the innermost record that is being read.
  private borrowing func recordKey() -> String {
    for index in (0..<frames.count).reversed() where frames[index].record >= 0 {
      return snapshot?.key(of: frames[index].record) ?? ""
    }
    return ""
  }

  private borrowing func fieldKeyText() -> String {
    guard !frames.isEmpty, frames.top.field < frames.top.keys.count else { return "" }
    return snapshot?.text(of: frames.top.keys[frames.top.field]) ?? ""
  }

  private borrowing func found(at offset: Int) -> String {
    guard base + offset < end else { return "the end" }
    switch base[offset] {
    case UInt8(ascii: "\""): return "a string"
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "a list"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return "a boolean"
    case UInt8(ascii: "n"): return "null"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "a number"
    case 0x21..<0x7f: return "'\(Character(UnicodeScalar(base[offset])))'"
    default: return "byte \(base[offset])"
    }
  }

  /// Some bytes before and after the offset, on one line.
  private borrowing func excerpt(around offset: Int) -> String {
    let from = max(0, offset - 30), to = min(end - base, offset + 30)
    guard from < to else { return "" }
    let text = (base + from).text(to - from)
    let line = String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    return (from > 0 ? "…" : "") + line + (to < end - base ? "…" : "")
  }
}
