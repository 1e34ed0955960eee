import GraphQLSchema
import GraphQLSyntax

/// Executes one operation for one root value — [spec](https://spec.graphql.org/September2025/#sec-Execution)
///
/// A field goes through three steps, which are in extensions: its arguments are coerced and its resolver is called
/// (Executor+Field), its value is completed (Executor+Completion), which for objects means executing their fields.
struct Executor: Sendable {
  let api: ExecutableSchema
  let operation: PreparedOperation
  /// What the caller passes to all resolvers.
  let context: any Sendable
  let onError: ErrorBehavior

  /// How deep the response may nest. Documents that did not pass validation can ask for cycles of fragments.
  static let maximumDepth = 512

  var schema: Schema { api.schema }

  /// [Spec](https://spec.graphql.org/September2025/#sec-Executing-Operations)
  func execute(rootValue: GraphQLValue) async -> ExecutionResult {
    let kind = operation.definition.operation
    let root: Completed
    if let type = schema.rootType(for: kind) {
      root = await execute(
        [operation.definition.selectionSet], on: type, of: rootValue, at: .root, serially: kind == .mutation)
    } else {
      root = Completed(failure: unsupportedOperation)
    }
    if onError == .halt, let first = root.errors.first {
      return ExecutionResult(data: .null, errors: [first].located(in: operation.source))
    }
    return ExecutionResult(data: root.value ?? .null, errors: root.errors.located(in: operation.source))
  }

  /// Whether null may stand in the place of a value that failed.
  func allowsNull(for type: TypeReference) -> Bool { !type.isNonNull || onError == .null }

  var unsupportedOperation: ExecutionError {
    let definition = operation.definition
    return ExecutionError(
      "Schema is not configured to execute \(definition.operation.rawValue) operation.", at: definition.span)
  }

  func collectFields(
    of selectionSets: [SelectionSet], on type: ObjectType
  ) throws(ExecutionError) -> [FieldGroup] {
    var collector = FieldCollector(operation, coercion: api.coercion, on: type)
    for selectionSet in selectionSets { try collector.collect(selectionSet) }
    return collector.groups
  }

  /// Executes the selections of an object — [spec](https://spec.graphql.org/September2025/#ExecuteCollectedFields())
  func execute(
    _ selectionSets: [SelectionSet], on type: ObjectType, of source: GraphQLValue, at path: ValuePath,
    serially: Bool = false
  ) async -> Completed {
    let groups: [FieldGroup]
    do throws(ExecutionError) {
      groups = try collectFields(of: selectionSets, on: type)
    } catch {
      return Completed(failure: error)
    }
    // Fields that validation would have refused are left out of the response.
    let fields = groups.compactMap { group in
      schema.field(named: group.first.name.value, on: .object(type)).map { definition in
        FieldExecution(
          group: group, definition: definition, parentType: type, source: source,
          path: path.appending(.key(group.responseKey)))
      }
    }
    let results = serially ? await executeInOrder(fields) : await executeConcurrently(fields)

    var result = Completed(value: .null)
    var members = GraphQLValue.Object()
    var isComplete = true
    for (field, entry) in zip(fields, results) {
      result.errors += entry.errors
      if let value = entry.value { members[field.group.responseKey] = value } else { isComplete = false }
    }
    result.value = isComplete ? .object(members) : nil
    return result
  }

  /// Executes mutations: each begins when the one before it has ended, and none after one that leaves no data.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Normal-and-Serial-Execution)
  private func executeInOrder(_ fields: [FieldExecution]) async -> [Completed] {
    var results: [Completed] = []
    for field in fields {
      let result = await execute(field)
      results.append(result)
      if result.value == nil || onError == .halt && !result.errors.isEmpty { break }
    }
    return results
  }

  private func executeConcurrently(_ fields: [FieldExecution]) async -> [Completed] {
    await concurrentMap(fields, isConcurrent: mayWait) { await execute($0) }
  }

  /// Whether a field can have to wait for something, so that its siblings should not have to wait for it.
  private func mayWait(_ field: FieldExecution) -> Bool {
    if field.parentType.isIntrospection { return false }
    if api.resolver(of: field.definition.name.value, on: field.parentType.name) != nil { return true }
    return field.group.first.selectionSet != nil && !field.definition.type.namedType.value.hasPrefix("__")
  }
}

/// The outcome of a field or of a value.
struct Completed: Sendable {
  /// `nil` when there was an error where null may not stand, so that the value around it is null too
  /// — [spec](https://spec.graphql.org/September2025/#sec-Handling-Execution-Errors)
  var value: GraphQLValue?
  var errors: [ExecutionError] = []

  init(value: GraphQLValue?) { self.value = value }

  init(failure error: ExecutionError) { errors = [error] }
}

extension ObjectType {
  /// Whether it is one of the types that describe the schema.
  var isIntrospection: Bool { name.hasPrefix("__") }
}

/// Transforms elements; those that may wait are transformed concurrently. The results are in the order of the elements.
func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], isConcurrent: (Element) -> Bool, _ transform: @escaping @Sendable (Element) async -> Result
) async -> [Result] {
  let concurrent = elements.indices.filter { isConcurrent(elements[$0]) }
  var results = [Result?](repeating: nil, count: elements.count)
  // A single concurrent element needs no task, because nothing would run beside it.
  if concurrent.count < 2 {
    for index in elements.indices { results[index] = await transform(elements[index]) }
    return results.compactMap(\.self)
  }
  await withTaskGroup(of: (Int, Result).self) { group in
    for index in concurrent {
      let element = elements[index]
      group.addTask { (index, await transform(element)) }
    }
    for index in elements.indices where !isConcurrent(elements[index]) {
      results[index] = await transform(elements[index])
    }
    for await (index, result) in group { results[index] = result }
  }
  return results.compactMap(\.self)
}
