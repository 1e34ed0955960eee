public import GraphQLSyntax

/// One entry of `errors` in a response — [spec](https://spec.graphql.org/September2025/#sec-Errors)
///
/// A resolver throws it to choose the message and the extensions. Locations and path are added by the execution.
public struct ExecutionError: Error, Sendable {
  /// A component of a path in the response.
  public enum PathElement: Sendable, Hashable {
    /// The key of a member of an object.
    case key(String)
    /// The index of an element in a list, from 0.
    case index(Int)
  }

  /// What went wrong, for the developer of the client.
  public var message: String
  /// The positions in the document that failed. Empty if the error is not about a position, or if the document was
  /// built in code.
  public var locations: [SourceLocation]
  /// The path of the value that is missing in the response. Empty for errors that stopped the request before it was
  /// executed.
  public var path: [PathElement]
  /// Further information for the client, such as `["code": "FORBIDDEN"]`.
  public var extensions: GraphQLValue.Object

  /// The places in the document, until the result is complete and ``locations`` are computed.
  var spans: [SourceSpan] = []

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - message: What went wrong.
  ///   - locations: The positions in the document. The default is none.
  ///   - path: The path of the value that is missing. The default is none.
  ///   - extensions: Further information for the client. The default is none.
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

  /// Makes an error for the response of any error that a resolver threw.
  init(_ error: any Error) {
    self = error as? ExecutionError ?? ExecutionError(String(describing: error))
  }
}

extension ExecutionError: Equatable {
  /// Compares message, locations, path and extensions.
  public static func == (left: Self, right: Self) -> Bool {
    left.message == right.message && left.locations == right.locations && left.path == right.path
      && left.extensions == right.extensions
  }
}

extension ExecutionError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension ExecutionError.PathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// The key of a member of an object.
  public init(stringLiteral value: String) { self = .key(value) }
  /// The index of an element in a list.
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension ExecutionError {
  /// The error as it is in a response.
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

/// Errors that stopped a request before any of it was executed —
/// [spec](https://spec.graphql.org/September2025/#sec-Errors.Request-Errors)
public struct RequestError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The errors, of which there is at least one.
  public var errors: [ExecutionError]

  init(_ errors: [ExecutionError]) { self.errors = errors }
  init(_ error: ExecutionError) { self.errors = [error] }

  /// The messages, one on each line.
  public var description: String { errors.map(\.message).joined(separator: "\n") }
}
