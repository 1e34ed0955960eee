import GraphQLSyntax

/// The response to a request, or to one event of a subscription
/// — [spec](https://spec.graphql.org/September2025/#sec-Response-Format)
public struct ExecutionResult: Sendable, Equatable {
  /// The data; `.null` if an error reached the root; nil if the request was not executed at all.
  public var data: GraphQLValue?
  /// The errors, in the order of the document.
  public var errors: [ExecutionError]
  /// Further information that a server may add. Execution leaves it empty.
  public var extensions: GraphQLValue.Object

  /// Makes a response.
  ///
  /// - Parameters:
  ///   - data: The data; nil if the request was not executed.
  ///   - errors: The errors. The default is none.
  ///   - extensions: Further information. The default is none.
  public init(data: GraphQLValue?, errors: [ExecutionError] = [], extensions: GraphQLValue.Object = [:]) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
  }

  /// Makes the response to a request that could not be executed.
  public init(_ error: RequestError) { self.init(data: nil, errors: error.errors) }

  /// The response as clients receive it: `errors` first, then `data`, each only if it is there.
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
  /// The errors with the lines and columns of their spans. The source is read once, and only if there are errors.
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
