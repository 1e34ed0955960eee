import GraphQLSchema
import GraphQLSyntax

extension Executor {
  /// [Spec](https://spec.graphql.org/September2025/#CreateSourceEventStream())
  func createEventStream(_ rootValue: GraphQLValue) async throws(ExecutionError) -> EventStream<GraphQLValue> {
    guard let type = schema.subscriptionType else { throw unsupportedOperation }
    let groups = try collectFields(of: [operation.definition.selectionSet], on: type)
    guard let group = groups.first, groups.count == 1 else {
      let name = operation.definition.name.map { "Subscription \"\($0)\"" } ?? "Anonymous Subscription"
      throw ExecutionError("\(name) must select only one top level field.", at: operation.definition.span)
    }
    guard let definition = type.fields[group.first.name.value] else {
      throw ExecutionError(
        "The subscription field \"\(group.first.name)\" is not defined.", at: group.first.span)
    }
    let field = FieldExecution(
      group: group, definition: definition, parentType: type, source: rootValue,
      path: ValuePath.root.appending(.key(group.responseKey)))
    do {
      guard let subscriber = api.subscriber(of: field.coordinate) else {
        throw ExecutionError("The subscription field \"\(definition.name)\" has no events.")
      }
      return try await subscriber(resolverContext(of: field, try arguments(of: field)))
    } catch {
      throw field.locating(ExecutionError(error), at: field.path)
    }
  }
}
