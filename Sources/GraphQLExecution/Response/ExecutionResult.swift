import GraphQLSyntax

/// The response to a request, or to one event of a subscription
/// — [spec](https://spec.graphql.org/September2025/#sec-Response-Format)
public struct ExecutionResult: Sendable, Equatable {
  /// The result object; `.null` when an error reached the root; `nil` when the request was not executed at all.
  public var data: GraphQLValue?
  /// What went wrong, in the order of the document.
  public var errors: [ExecutionError]
  /// Anything a server wants to add. Never filled in by execution.
  public var extensions: GraphQLValue.Object

  public init(data: GraphQLValue?, errors: [ExecutionError] = [], extensions: GraphQLValue.Object = [:]) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
  }

  /// The response to a request that could not be executed.
  public init(_ error: RequestError) { self.init(data: nil, errors: error.errors) }

  /// The response as clients receive it: `errors` first, then `data`, each only where there is one.
  public var value: GraphQLValue {
    var value = GraphQLValue.Object()
    if !errors.isEmpty { value["errors"] = .list(errors.map(\.value)) }
    if let data { value["data"] = data }
    if !extensions.isEmpty { value["extensions"] = .object(extensions) }
    return .object(value)
  }

  /// The response as JSON in UTF-8.
  public var json: [UInt8] { value.json }
}

extension [ExecutionError] {
  /// The errors with the lines and columns of their spans. Reads the source once, and not at all without errors.
  func located(in source: Source?) -> [ExecutionError] {
    guard let source, contains(where: { !$0.spans.isEmpty }) else { return self }
    let lines = LineIndex(source)
    return map { error in
      var error = error
      if error.locations.isEmpty {
        error.locations = error.spans.filter { $0.source == source.id }.map { lines.location(of: $0.start) }
      }
      error.spans = []
      return error
    }
  }
}
