/// Why reading one object stopped.
///
/// It is two words, so that throwing it costs little; ``ResponseReader`` adds path, excerpt and message.
public struct ReadError: Error, Hashable, Sendable {
  package enum Code: UInt8, Sendable {
    // The text is not JSON.
    case syntax, truncated, badEscape, badNumber, invalidUTF8, trailingBytes, tooDeep
    // It is JSON of another shape than the selection.
    case missing, null, expectedString, expectedInt, expectedFloat, expectedBoolean, expectedObject, expectedList
    case numberOutOfRange, fractionInInt
    // A custom scalar's type refused the value.
    case scalar
    // The cache has no such field, or another kind of value in it.
    case cacheMiss, cacheMismatch
    // What reads asks for a field that is not in the table of the object.
    case position
  }

  package let code: Code
  /// The byte of the response where it was noticed.
  package let offset: Int

  package init(_ code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }
}

/// One step of a response path: the response key of a field, or an index in a list.
public enum PathComponent: Hashable, Sendable, CustomStringConvertible {
  case field(String)
  case index(Int)

  public var description: String {
    switch self {
    case .field(let name): name
    case .index(let index): String(index)
    }
  }
}

extension PathComponent: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .field(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}
