import GraphQLJSON

/// A request of a client — [GraphQL over
/// HTTP](https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters)
public struct ExecutionRequest: Sendable, Equatable {
  /// The text of the document.
  public var query: String
  /// The operation of the document to execute; nil for the only one.
  public var operationName: String?
  /// The variables, as the client sent them.
  public var variables: GraphQLValue.Object
  /// Further information from the client.
  public var extensions: GraphQLValue.Object
  /// What the errors of fields do; nil if the client leaves that to the server, which propagates them.
  public var onError: ErrorBehavior?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - query: The text of the document.
  ///   - operationName: The operation to execute. nil, the default: the only one.
  ///   - variables: The variables. The default is none.
  ///   - extensions: Further information. The default is none.
  ///   - onError: What the errors of fields do. nil, the default: they are propagated.
  public init(
    query: String, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    extensions: GraphQLValue.Object = [:], onError: ErrorBehavior? = nil
  ) {
    self.query = query
    self.operationName = operationName
    self.variables = variables
    self.extensions = extensions
    self.onError = onError
  }

  /// Makes a request of a JSON value. A member that is null counts as absent, and unknown members are ignored.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: ``RequestError``, which names the member that is missing or has the wrong type.
  public init(_ value: GraphQLValue) throws(RequestError) {
    guard let members = value.object else {
      throw RequestError(ExecutionError("A request must be a JSON object."))
    }
    func member<Value>(
      _ key: String, as kind: String, _ read: (GraphQLValue) -> Value?
    ) throws(RequestError) -> Value? {
      guard let member = members[key], !member.isNull else { return nil }
      guard let value = read(member) else {
        throw RequestError(ExecutionError("The member \"\(key)\" of a request must be \(kind)."))
      }
      return value
    }
    guard let query = try member("query", as: "a string", \.string) else {
      throw RequestError(ExecutionError("A request must have a member \"query\"."))
    }
    self.query = query
    operationName = try member("operationName", as: "a string", \.string)
    variables = try member("variables", as: "an object", \.object) ?? [:]
    extensions = try member("extensions", as: "an object", \.object) ?? [:]
    onError = try member("onError", as: "\"NULL\", \"PROPAGATE\" or \"HALT\"") {
      $0.string.flatMap(ErrorBehavior.init(rawValue:))
    }
  }

  /// Makes a request of JSON text.
  ///
  /// - Parameter json: The text, in UTF-8.
  /// - Throws: ``RequestError``, which names the place or the member that is wrong.
  public init(json: some Collection<UInt8>) throws(RequestError) {
    let value: GraphQLValue
    do throws(JSONSyntaxError) {
      value = try GraphQLValue(json: json)
    } catch {
      throw RequestError(ExecutionError("A request must be JSON; \(error)"))
    }
    try self.init(value)
  }
}
