// Errors with the place where they happened.

extension __ObjectReader {
  /// An error at the cursor, or at the field that is being read from records.
  @inline(never) func error(_ code: __ReadError.Code) -> __ReadError {
    switch code {
    case .missing, .scalar, .computation, .position: __ReadError(code, offset: cursor.offset)
    default: mode == .store ? __ReadError(code, offset: 0) : cursor.error(code)
    }
  }

  /// Turns an error into a complete one. The frames are still in place, so they give the path.
  @inline(never) borrowing func describe(_ error: __ReadError) -> ResponseDecodingError {
    let described = cursor.describe(error)
    return ResponseDecodingError(
      reason: reason(of: error) ?? described.reason, path: path(), offset: mode == .store ? nil : described.offset,
      excerpt: mode == .store ? nil : described.excerpt, underlyingError: scalarError)
  }

  /// The path of the reader: the fields and list indices from the root to the value at the cursor.
  borrowing func path() -> [PathComponent] { path(of: frames.count) }

  /// The path of the object of a frame.
  borrowing func path(of frame: Int) -> [PathComponent] {
    var path = nulls.outerPath
    for index in 0..<frame {
      let frame = frames[index]
      if frame.field < frame.fields.count {
        path.append(.field(frame.fields[frame.field].responseKey))
      }
      for outer in outerIndices where outer.frame == index { path.append(.index(outer.index)) }
      if frame.index >= 0 { path.append(.index(frame.index)) }
    }
    return path
  }

  /// Reasons that are not about the text: nil for all others.
  private borrowing func reason(of error: __ReadError) -> ResponseDecodingError.Reason? {
    if !frames.isEmpty, let problem = frames.top.table.table.problem { return .invalidModel(problem) }
    switch error.code {
    case .position:
      let count = frames.isEmpty ? 0 : frames.top.fields.count
      return .invalidModel("Field \(wrongPosition ?? -1) is read, and the field table has \(count) fields")
    case .cacheMiss: return .cacheMiss(record: recordKey(), field: fieldName())
    case .expired: return expiredReason()
    case .computation: return .failedFieldReader(record: recordKey(), field: fieldName())
    case .cacheMismatch: return .cacheMismatch(record: recordKey(), field: fieldName())
    default: return nil
    }
  }

  private borrowing func expiredReason() -> ResponseDecodingError.Reason {
    let expired = source.ages?.findings.expired
    return .expired(
      record: recordKey(), field: fieldName(), age: expired?.age.map(Double.init),
      maxAge: Double(expired?.maxAge ?? 0))
  }

  /// The key of the innermost record that is being read.
  private borrowing func recordKey() -> String {
    for index in (0..<frames.count).reversed() where frames[index].record >= 0 {
      return source.snapshot?.key(of: frames[index].record) ?? ""
    }
    return ""
  }

  /// The name of the field that is being read, with its arguments.
  private borrowing func fieldName() -> String {
    guard !frames.isEmpty, frames.top.field < frames.top.keys.count else { return "" }
    return source.snapshot?.text(of: frames.top.keys[frames.top.field]) ?? ""
  }
}
