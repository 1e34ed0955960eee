/// A GraphQL input object type, as a struct. Conforming types are generated.
public protocol InputObject: __InputValue, Hashable, JSONEncodable {
  /// Writes the input fields that have a value.
  func __writeFields(to writer: inout __JSONWriter)
}

extension InputObject {
  /// Writes the input fields that have a value, as a JSON object.
  @inlinable public func __write(to writer: inout __JSONWriter) {
    writer.writeObject { __writeFields(to: &$0) }
  }
}

/// A GraphQL input object type with `@oneOf`, as an enum: exactly one of its fields has a value. Conforming types are
/// generated.
public protocol OneOfInputObject: InputObject {}
