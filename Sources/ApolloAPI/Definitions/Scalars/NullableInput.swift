extension GraphQLNullable: __JSONWritable where Wrapped: __JSONWritable {
  /// Writes the value, or null. (Where a value may be left out, ``none`` does not come here.)
  public func __write(to writer: inout __JSONWriter) { unwrapped.__write(to: &writer) }
}

extension GraphQLNullable: __InputValue where Wrapped: __InputValue {}

/// A value of an input that may be left out.
private protocol NullableInput {
  /// nil if it is left out.
  var sent: JSONValue? { get }
}

extension GraphQLNullable: NullableInput where Wrapped: __InputValue {
  fileprivate var sent: JSONValue? {
    switch self {
    case .none: nil
    case .null: JSONNull()
    case .some(let value): value
    }
  }
}

/// The value of a variable, or of a field of an input object, as it is sent, with those inside of it; nil if it is left
/// out.
func sentInput(_ value: JSONValue) -> JSONValue? {
  switch (value as? any NullableInput).map(\.sent) ?? value {
  case let object as JSONObject: object.compactMapValues(sentInput)
  // (An element cannot be left out.)
  case let list as [JSONValue]: list.map { sentInput($0) ?? JSONNull() }
  case let value: value
  }
}
