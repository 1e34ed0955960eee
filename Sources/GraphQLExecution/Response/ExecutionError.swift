public import GraphQLSyntax

/// One entry of a response's `errors` — [spec](https://spec.graphql.org/September2025/#sec-Errors)
///
/// Resolvers throw it to choose the message and the extensions; where it happened is filled in for them.
public struct ExecutionError: Error, Sendable {
  /// A key of an object or an index of a list in the response.
  public enum PathElement: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  /// What went wrong, for the developer of the client.
  public var message: String
  /// Where the request says what failed. Empty when it is not about a place, or the document was built in code.
  public var locations: [SourceLocation]
  /// Where in the response the value is missing. Empty for errors that stopped the request before it was executed.
  public var path: [PathElement]
  /// Anything else for the client, such as `["code": "FORBIDDEN"]`.
  public var extensions: GraphQLValue.Object

  /// Where it happened, until the result is put together and ``locations`` are computed.
  var spans: [SourceSpan] = []

  public init(
    _ message: String, locations: [SourceLocation] = [], path: [PathElement] = [],
    extensions: GraphQLValue.Object = [:]
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }

  init(_ message: String, at span: SourceSpan) {
    self.init(message)
    spans = [span]
  }

  /// Whatever a resolver threw, in its own words, as an error of the response.
  init(_ error: any Error) {
    self = error as? ExecutionError ?? ExecutionError(String(describing: error))
  }
}

extension ExecutionError: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.message == right.message && left.locations == right.locations && left.path == right.path
      && left.extensions == right.extensions
  }
}

extension ExecutionError: CustomStringConvertible {
  public var description: String { message }
}

extension ExecutionError.PathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .key(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension ExecutionError {
  /// The error as responses carry it.
  public var value: GraphQLValue {
    var value: GraphQLValue.Object = ["message": .string(message)]
    if !locations.isEmpty {
      value["locations"] = .list(locations.map { ["line": .int($0.line), "column": .int($0.column)] })
    }
    if !path.isEmpty {
      value["path"] = .list(
        path.map { element in
          switch element {
          case .key(let key): .string(key)
          case .index(let index): .int(index)
          }
        })
    }
    if !extensions.isEmpty { value["extensions"] = .object(extensions) }
    return .object(value)
  }
}

/// Errors that stopped a request before any of it was executed
/// — [spec](https://spec.graphql.org/September2025/#sec-Errors.Request-Errors)
public struct RequestError: Error, Sendable, Equatable, CustomStringConvertible {
  public var errors: [ExecutionError]

  init(_ errors: [ExecutionError]) { self.errors = errors }
  init(_ error: ExecutionError) { self.errors = [error] }

  public var description: String { errors.map(\.message).joined(separator: "\n") }
}
