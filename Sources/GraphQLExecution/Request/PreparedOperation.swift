import GraphQLSchema
import GraphQLSyntax

/// An operation that is ready to be executed: chosen, with its variables coerced.
struct PreparedOperation: Sendable {
  let definition: OperationDefinition
  let fragments: [String: FragmentDefinition]
  let variables: GraphQLValue.Object
  /// The text that errors point into.
  let source: Source?

  /// - Parameter name: `nil` chooses the only operation.
  init(
    _ document: Document, operationName name: String?, variables: GraphQLValue.Object, coercion: Coercion
  ) throws(RequestError) {
    do throws(RequestError) {
      let operation = try Self.operation(of: document, named: name)
      let coerced = try coercion.variables(variables, for: operation)
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

  /// [Spec](https://spec.graphql.org/September2025/#GetOperation())
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
