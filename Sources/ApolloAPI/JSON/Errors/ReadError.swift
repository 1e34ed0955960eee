/// Why reading an object failed.
///
/// It is two words, so that throwing it costs little. ``ResponseReader`` turns it into a ``ResponseDecodingError`` with
/// path, excerpt and message.
public struct __ReadError: Error, Hashable, Sendable {
  enum Code: UInt8, Sendable {
    // The text is not JSON.
    case syntax, truncated, badEscape, badNumber, invalidUTF8, trailingBytes, tooDeep
    // It is JSON, but not of the form that the selection has.
    case missing, null, expectedString, expectedInt, expectedFloat, expectedBoolean, expectedObject, expectedList
    case numberOutOfRange, fractionInInt
    // The type of a custom scalar refused the value.
    case scalar
    // A function of the app that computes the field threw.
    case computation
    // The cache does not have the field, or has another kind of value in it.
    case cacheMiss, cacheMismatch
    // The value in the cache is older than it may be.
    case expired
    // Generated code read a field that is not in the object's field table.
    case position
  }

  let code: Code
  /// The offset in the response, in bytes, at which the error was noticed.
  let offset: Int

  init(_ code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }
}
