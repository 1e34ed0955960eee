// What is read in the place of a null that a model does not have, while records are made of a response.
//
// A model whose error is thrown on has no value, but the records have to have all that the server sent. They are made
// by reading models, which are not kept: so a null that may not be one is noted as the null, or error, that it is, and
// read as "", 0, false, a list without elements, or an object of such values.

extension __ObjectReader {
  /// The text in front of the response: an object without fields, and the null that its fields are read from.
  static let blankText = Array("{}null  ".utf8)

  /// Whether the innermost object stands in the place of a null.
  var isBlank: Bool { nulls.blanks.last.map { $0.frame == frames.count } ?? false }

  /// Passes a null, and adds it to the record.
  ///
  /// - Parameter error: The error for another value.
  /// - Throws: The error, if there is another value, or if nothing may stand in for one.
  @inline(never) mutating func passNull(or error: __ReadError) throws(__ReadError) {
    guard nulls.makesBlanks, error.code == .null, cursor.takeNull() else { throw error }
    emit(sink.valueOfNull(at: path()))
  }

  /// Goes to a null, for a field that is absent. A fragment that may not have come is not there without its fields.
  mutating func readsBlank() -> Bool {
    guard nulls.makesBlanks, !needsEveryField else { return false }
    frames.top.resume = cursor.p
    cursor.p = cursor.start + 2
    return true
  }

  /// Goes to an object, in the place of a null.
  @inline(never) mutating func beginBlank(or error: __ReadError) throws(__ReadError) {
    guard nulls.makesBlanks, error.code == .null, cursor.takeNull() else { throw error }
    nulls.blanks.append(NullState.Blank(frame: frames.count + 1, resume: cursor.p))
    cursor.p = cursor.start
  }

  /// Ends an object in the place of a null, if it is the innermost one, and adds the null to the record.
  @inline(never) mutating func endBlank() throws(__ReadError) -> Bool {
    guard isBlank, let blank = nulls.blanks.popLast() else { return false }
    sink.forgetPending(from: frames.top.pendingBase)
    if sink.lifetimes != nil { _ = takeLifetimes() }
    passEnd()
    cursor.p = blank.resume
    sink.fieldKey = try currentKey()
    emit(sink.valueOfNull(at: path()))
    return true
  }
}
