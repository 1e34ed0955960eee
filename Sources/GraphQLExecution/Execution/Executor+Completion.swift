import GraphQLSchema
import GraphQLSyntax

extension Executor {
  /// Makes of what a resolver returned what the response carries
  /// — [spec](https://spec.graphql.org/September2025/#CompleteValue())
  func complete(
    _ value: GraphQLValue, as type: TypeReference, _ field: FieldExecution, at path: ValuePath
  ) async -> Completed {
    do {
      if case .opaque(let value) = value, let error = value as? any Error { throw error }
      if value.isNull {
        guard type.isNonNull else { return Completed(value: .null) }
        throw ExecutionError("Cannot return null for non-nullable field \(field.coordinate).")
      }
      var completed = try await completeNonNull(value, as: type, field, at: path)
      // The error of an inner value ends here if this type is nullable.
      if completed.value == nil, allowsNull(for: type) { completed.value = .null }
      return completed
    } catch {
      return fail(field, with: error, as: type, at: path)
    }
  }

  private func completeNonNull(
    _ value: GraphQLValue, as type: TypeReference, _ field: FieldExecution, at path: ValuePath
  ) async throws -> Completed {
    switch type.kind {
    case .list(let element):
      guard case .list(let elements) = value else {
        throw ExecutionError("Expected Iterable, but did not find one for field \"\(field.coordinate)\".")
      }
      return await complete(elements, as: element, field, at: path)
    case .named(let name):
      switch schema.type(named: name.value) {
      case .scalar(let type): return Completed(value: try api.coercion.result(value, of: type))
      case .enum(let type): return Completed(value: try api.coercion.result(value, of: type))
      case .object(let type): return await completeObject(value, as: type, field, at: path)
      case .interface, .union:
        let type = try await objectType(of: value, as: name.value, field)
        return await completeObject(value, as: type, field, at: path)
      case .inputObject, nil:
        throw ExecutionError("Cannot complete value of unexpected output type: \"\(name)\".")
      }
    }
  }

  private func complete(
    _ elements: [GraphQLValue], as type: TypeReference, _ field: FieldExecution, at path: ValuePath
  ) async -> Completed {
    let isLeaf = field.group.first.selectionSet == nil || field.parentType.isIntrospection
    let results = await concurrentMap(Array(elements.enumerated()), isConcurrent: { _ in !isLeaf }) { index, element in
      await complete(element, as: type, field, at: path.appending(.index(index)))
    }
    var list = Completed(value: nil)
    for result in results { list.errors += result.errors }
    let values = results.compactMap(\.value)
    if values.count == results.count { list.value = .list(values) }
    return list
  }

  private func completeObject(
    _ value: GraphQLValue, as type: ObjectType, _ field: FieldExecution, at path: ValuePath
  ) async -> Completed {
    var completed = await execute(field.group.fields.compactMap(\.selectionSet), on: type, of: value, at: path)
    // Errors of the selections themselves belong to the field that has them.
    completed.errors = completed.errors.map { $0.path.isEmpty ? field.locating($0, at: path) : $0 }
    return completed
  }

  /// The type of a value of an interface or union
  /// — [spec](https://spec.graphql.org/September2025/#ResolveAbstractType())
  private func objectType(
    of value: GraphQLValue, as abstract: String, _ field: FieldExecution
  ) async throws -> ObjectType {
    let name =
      if let resolver = api.typeResolver(of: abstract) { try await resolver(value) } else {
        value["__typename"]?.string
      }
    guard let name else {
      throw ExecutionError(
        "Abstract type \"\(abstract)\" must resolve to an Object type at runtime for field \"\(field.coordinate)\". "
          + "Either \"\(abstract)\" should have a type resolver or its values a member \"__typename\".")
    }
    guard let type = schema.type(named: name) else {
      throw ExecutionError(
        "Abstract type \"\(abstract)\" was resolved to a type \"\(name)\" that does not exist inside the schema.")
    }
    guard case .object(let object) = type else {
      throw ExecutionError("Abstract type \"\(abstract)\" was resolved to a non-object type \"\(name)\".")
    }
    guard schema.type(named: abstract).map({ schema.isPossibleType(name, of: $0) }) == true else {
      throw ExecutionError("Runtime Object type \"\(name)\" is not a possible type for \"\(abstract)\".")
    }
    return object
  }
}
