import GraphQLSyntax

/// How values of a scalar type pass between Swift and the wire
/// — [spec](https://spec.graphql.org/September2025/#sec-Scalars.Custom-Scalars)
///
/// Either direction throws when it cannot represent a value; an ``ExecutionError`` chooses the message.
public struct ScalarCoercion: Sendable {
  public typealias Conversion = @Sendable (GraphQLValue) throws -> GraphQLValue

  /// From what a client gave, as a variable or in the document, to what resolvers receive. Never called with `null`.
  public var input: Conversion
  /// From what a resolver returned to what the response carries, which JSON must be able to hold. Never called with
  /// `null`.
  public var result: Conversion
  /// The value of a literal that this scalar may be written as, `nil` for other kinds of literals. Without it, any
  /// literal will do.
  var literal: (@Sendable (Value.Kind) -> GraphQLValue?)?

  /// - Parameters:
  ///   - input: Takes values as they are unless given.
  ///   - result: Takes values as they are unless given.
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
