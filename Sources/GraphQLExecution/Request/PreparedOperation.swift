import GraphQLSchema
import GraphQLSyntax

/// An operation that is ready to be executed: it has been chosen, and its variables have been coerced.
struct PreparedOperation: Sendable {
  let definition: OperationDefinition
  let fragments: [String: FragmentDefinition]
  let variables: GraphQLValue.Object
  /// The text that errors refer to.
  let source: Source?

  /// Chooses an operation and coerces its variables.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - name: The name of the operation; nil for the only one.
  ///   - variables: The variables, as the client sent them.
  ///   - api: Has the rules for values, and the limits.
  /// - Throws: ``RequestError`` if there is no such operation, if it nests too deep, or if a variable is not valid.
  init(
    _ document: Document, operationName name: String?, variables: GraphQLValue.Object, for api: ExecutableSchema
  ) throws(RequestError) {
    do throws(RequestError) {
      let operation = try Self.operation(of: document, named: name)
      if let error = document.nestingError(deeperThan: api.limits.maximumDepth) {
        throw RequestError(ExecutionError(error.message, at: error.span))
      }
      let coerced = try api.coercion.variables(variables, for: operation)
      guard let document = document.inliningFragmentArguments(isGiven: { coerced[$0] != nil }) else {
        throw RequestError(ExecutionError("The arguments of fragments make the document too large to be executed."))
      }
      definition = try Self.operation(of: document, named: name)
      fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
      self.variables = coerced
      source = document.source
    } catch {
      throw RequestError(error.errors.located(in: document.source))
    }
  }

  /// Chooses an operation — [spec](https://spec.graphql.org/September2025/#GetOperation())
  static func operation(of document: Document, named name: String?) throws(RequestError) -> OperationDefinition {
    var operations = document.operations.makeIterator()
    if let name {
      while let operation = operations.next() {
        if operation.name?.value == name { return operation }
      }
      throw RequestError(ExecutionError("Unknown operation named \"\(name)\"."))
    }
    guard let operation = operations.next() else {
      throw RequestError(ExecutionError("Must provide an operation."))
    }
    guard operations.next() == nil else {
      throw RequestError(ExecutionError("Must provide operation name if query contains multiple operations."))
    }
    return operation
  }
}
