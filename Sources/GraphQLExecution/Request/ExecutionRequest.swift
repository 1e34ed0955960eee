import GraphQLJSON

/// What a client sends — [GraphQL over HTTP](https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters)
public struct ExecutionRequest: Sendable, Equatable {
  /// The text of the document.
  public var query: String
  /// Which operation of the document to execute. `nil` chooses the only one.
  public var operationName: String?
  public var variables: GraphQLValue.Object
  public var extensions: GraphQLValue.Object

  public init(
    query: String, operationName: String? = nil, variables: GraphQLValue.Object = [:],
    extensions: GraphQLValue.Object = [:]
  ) {
    self.query = query
    self.operationName = operationName
    self.variables = variables
    self.extensions = extensions
  }

  /// Reads a request out of a JSON value. Members that are null count as absent, and unknown ones are ignored.
  ///
  /// - Throws: ``RequestError`` naming the member that is missing or has the wrong type.
  public init(_ value: GraphQLValue) throws(RequestError) {
    guard let members = value.object else {
      throw RequestError(ExecutionError("A request must be a JSON object."))
    }
    func member<Value>(
      _ key: String, _ kind: String, _ read: (GraphQLValue) -> Value?
    ) throws(RequestError) -> Value? {
      guard let member = members[key], !member.isNull else { return nil }
      guard let value = read(member) else {
        throw RequestError(ExecutionError("The member \"\(key)\" of a request must be \(kind)."))
      }
      return value
    }
    guard let query = try member("query", "a string", \.string) else {
      throw RequestError(ExecutionError("A request must have a member \"query\"."))
    }
    self.query = query
    operationName = try member("operationName", "a string", \.string)
    variables = try member("variables", "an object", \.object) ?? [:]
    extensions = try member("extensions", "an object", \.object) ?? [:]
  }

  /// Reads a request out of a JSON text.
  ///
  /// - Throws: ``RequestError`` naming the place or the member that is wrong.
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
