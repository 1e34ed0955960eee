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
    /// The value in the cache is older than it may be. Both ages are in seconds; `age` is nil if it is not known when the
    /// value came.
    case expired(record: String, field: String, age: Double?, maxAge: Double)
    /// The cache has another kind of value in the field than the operation selects.
    case cacheMismatch(record: String, field: String)
    /// The ``FieldPolicy/Reader`` of the field threw an error; see ``ResponseDecodingError/underlyingError``.
    case failedFieldReader(record: String, field: String)
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
  /// The error that the type of a custom scalar threw, or a ``FieldPolicy/Reader``; nil for other reasons.
  public let underlyingError: (any Error)?

  /// The path and the message.
  public var description: String {
    (path.isEmpty ? "" : pathString + ": ") + message
  }

  /// What is wrong, with the offset and the excerpt, but without the path.
  public var message: String {
    guard let offset, let excerpt else { return reasonText + "." }
    return "\(reasonText) (byte \(offset): \(excerpt))."
  }

  /// Whether the cache does not have the requested data, has it in a form that no longer fits, or has data that is too
  /// old.
  ///
  /// The ``reason`` then has the record and the field.
  public var isCacheMiss: Bool {
    if case .invalidModel = reason { false } else { offset == nil }
  }

  /// The error for a record that the cache does not have, which says which one; other errors are as they were.
  package func naming(_ key: String) -> ResponseDecodingError {
    guard reason == .cacheMiss(record: "", field: "") else { return self }
    return ResponseDecodingError(
      reason: .cacheMiss(record: key, field: ""), path: path, offset: offset, excerpt: excerpt,
      underlyingError: underlyingError)
  }

  private var reasonText: String {
    switch reason {
    case .invalidJSON(let detail): "The response is not valid JSON: \(detail)"
    case .missingValue:
      path.isEmpty ? "The response has neither data nor errors" : "The field is missing, and may not be"
    case .nullValue: "The field is null, and may not be"
    case .wrongType(let expected, let found):
      "Expected \(expected), found \(found)" + (expected == "a String" && found != "null" ? scalarHint : "")
    case .numberOutOfRange: "The number is too large, or too small"
    case .invalidScalar: "The scalar is not valid: \(underlyingError.map { "\($0)" } ?? "")"
    // A record that is asked for by its key alone.
    case .cacheMiss(let record, ""): "The cache has no record '\(record)'\(keyHint(record))"
    case .cacheMiss(let record, let field): "The cache has no field '\(field)' of '\(record)'"
    case .expired(let record, let field, let age, let maxAge):
      "The cache has the field '\(field)' of '\(record)', but "
        + (age.map { "it is \(wholeSeconds($0)) s old" } ?? "it is not known how old it is")
        + ", and it may be \(wholeSeconds(maxAge)) s old"
    case .cacheMismatch(let record, let field):
      "The cache has a value of another type, or null where there may be none, in the field '\(field)' of '\(record)'"
    case .failedFieldReader(let record, let field):
      "The field reader of '\(field)' of '\(record)' has failed: \(underlyingError.map { "\($0)" } ?? "")"
    case .invalidModel(let detail): detail
    }
  }

  /// What to do about a custom scalar without a Swift type, which is read as a `String`.
  private var scalarHint: String {
    ". If it is a custom scalar, give it a Swift type: extend scalar … @map(to: \"…\", module: \"…\")"
  }

  /// What a key looks like, for one that does not look like any.
  private func keyHint(_ key: String) -> String {
    key.isEmpty || key.contains(":") || key.hasSuffix("_ROOT")
      ? "" : ". A key has the name of the type in front, as in 'Issue:\(key)'"
  }
}
