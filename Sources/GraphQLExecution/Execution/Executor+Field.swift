import GraphQLSchema
import GraphQLSyntax

/// One entry of an object in the response, to be executed.
struct FieldExecution: Sendable {
  let group: FieldGroup
  let definition: FieldDefinition
  let parentType: ObjectType
  /// The value of the object that the field belongs to.
  let source: GraphQLValue
  let path: ValuePath

  /// The field, such as `Query.hero`.
  var coordinate: String { "\(parentType.name).\(definition.name)" }

  /// The error with the places in the document and the response that it does not have yet.
  func locating(_ error: ExecutionError, at path: ValuePath) -> ExecutionError {
    var error = error
    if error.spans.isEmpty, error.locations.isEmpty { error.spans = group.spans }
    if error.path.isEmpty { error.path = path.elements }
    return error
  }
}

extension Executor {
  /// [Spec](https://spec.graphql.org/September2025/#ExecuteField())
  func execute(_ field: FieldExecution) async -> Completed {
    do {
      guard field.path.depth < Self.maximumDepth else {
        throw ExecutionError("The response nests deeper than \(Self.maximumDepth) levels.")
      }
      let value = try await resolve(field)
      return await complete(value, as: field.definition.type, field, at: field.path)
    } catch {
      return fail(field, with: error, as: field.definition.type, at: field.path)
    }
  }

  /// A failed value: null where the type allows it, or else a failure of what is around it.
  func fail(
    _ field: FieldExecution, with error: any Error, as type: TypeReference, at path: ValuePath
  ) -> Completed {
    var completed = Completed(failure: field.locating(ExecutionError(error), at: path))
    if allowsNull(for: type) { completed.value = .null }
    return completed
  }

  /// [Spec](https://spec.graphql.org/September2025/#ResolveFieldValue())
  private func resolve(_ field: FieldExecution) async throws -> GraphQLValue {
    let arguments = try arguments(of: field)
    let name = field.definition.name.value
    if name == "__typename" { return .string(field.parentType.name) }
    if name.hasPrefix("__") || field.parentType.isIntrospection {
      return try Introspection(schema).value(of: name, in: field.source, arguments: arguments)
    }
    guard let resolver = api.resolver(of: name, on: field.parentType.name) else { return try defaultValue(of: field) }
    return try await resolver(resolverContext(of: field, arguments))
  }

  func arguments(of field: FieldExecution) throws(ExecutionError) -> GraphQLValue.Object {
    try api.coercion.arguments(
      field.group.first.arguments, for: field.definition.arguments, variables: operation.variables,
      at: field.group.first.span)
  }

  func resolverContext(of field: FieldExecution, _ arguments: GraphQLValue.Object) -> ResolverContext {
    ResolverContext(
      source: field.source, arguments: arguments, context: context, coordinate: field.coordinate,
      path: field.path.elements)
  }

  /// The member with the name of the field.
  private func defaultValue(of field: FieldExecution) throws(ExecutionError) -> GraphQLValue {
    if case .opaque = field.source {
      throw ExecutionError("\(field.coordinate) has no resolver, and its object is a Swift value without members.")
    }
    return field.source[field.definition.name.value] ?? .null
  }
}
