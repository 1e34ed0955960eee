/// The value of a field, or the error that the server reported in its place: what `@catch(to: RESULT)` makes of a field.
///
///     query Profile { user { name @catch(to: RESULT) } }
///
///     switch user.name {
///     case .success(let name): show(name)
///     case .failure(let error): show(error.message)
///     }
///
/// - [Nullability directives](https://specs.apollo.dev/nullability/v0.4)
@frozen public enum FieldResult<Value> {
  /// The value. It is nil where the server sent null without an error, and the field may be null.
  case success(Value)
  /// The error of the field, or of a part of it that could not be null. The result has it among its errors as well.
  case failure(GraphQLError)

  /// The value; nil if there is an error.
  @inlinable public var value: Value? {
    if case .success(let value) = self { value } else { nil }
  }

  /// The error; nil if there is a value.
  @inlinable public var error: GraphQLError? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// The value.
  ///
  /// - Returns: The value.
  /// - Throws: The error, if there is one.
  @inlinable public func get() throws(GraphQLError) -> Value {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw error
    }
  }
}

extension FieldResult: Sendable where Value: Sendable {}
extension FieldResult: Equatable where Value: Equatable {}
extension FieldResult: Hashable where Value: Hashable {}

extension FieldResult: __JSONWritable where Value: __JSONWritable {
  /// Writes the value, or null with the error: the writer keeps it for the `errors` beside the data, or for the cache.
  @inlinable public func __write(to writer: inout __JSONWriter) {
    switch self {
    case .success(let value): value.__write(to: &writer)
    case .failure(let error): writer.write(error)
    }
  }
}

extension FieldResult: __OutputValue where Value: __OutputValue {
  /// Reads the value at the reader's cursor, or the error that made it null.
  @inlinable public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    try reader.result()
  }

  /// A field that may be null may be left out.
  @inlinable public static var __absentValue: Self? { Value.__absentValue.map { .success($0) } }
}
