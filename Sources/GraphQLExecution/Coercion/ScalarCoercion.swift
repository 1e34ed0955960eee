import GraphQLSyntax

/// How values of a scalar type are converted between clients and resolvers —
/// [spec](https://spec.graphql.org/September2025/#sec-Scalars.Custom-Scalars)
///
/// A conversion throws if it cannot express a value. It chooses the message by throwing an ``ExecutionError``.
public struct ScalarCoercion: Sendable {
  /// Converts a value, or throws if it cannot express it.
  public typealias Conversion = @Sendable (GraphQLValue) throws -> GraphQLValue

  /// Converts what a client sent, as a variable or in the document, to what resolvers receive. It is never called with
  /// `null`. For a value in the document it is called when the document is checked, and again when it is executed.
  public var input: Conversion
  /// Converts what a resolver returned to what the response contains, which must have a form in JSON. It is never
  /// called with `null`.
  public var result: Conversion
  /// The value of a literal that is allowed for this scalar, or nil for other kinds of literals. If this is nil, any
  /// literal is allowed.
  var literal: (@Sendable (Value.Kind) -> GraphQLValue?)?

  /// Makes the conversions of a scalar.
  ///
  /// - Parameters:
  ///   - input: Converts values of clients. By default it changes nothing.
  ///   - result: Converts values of resolvers. By default it changes nothing.
  public init(input: @escaping Conversion = { $0 }, result: @escaping Conversion = { $0 }) {
    self.input = input
    self.result = result
  }

  init(
    literal: @escaping @Sendable (Value.Kind) -> GraphQLValue?, input: @escaping Conversion,
    result: @escaping Conversion
  ) {
    self.literal = literal
    self.input = input
    self.result = result
  }
}
