public import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// What a normalized cache has, kept in dictionaries.
public struct NaiveStore {
  indirect enum Value {
    case leaf(GraphQLValue)
    case reference(String)
    case object(Object)
    case list([Value])
  }

  struct Object {
    var typename: String
    var fields: [String: Value] = [:]
  }

  private var records: [String: Object] = [:]

  public init() {}

  // MARK: Reading

  /// What an operation reads of the data of a response: the fields that it selects, on types that the app knows.
  public static func evaluate(_ data: GraphQLValue, _ operation: NaiveOperation) -> GraphQLValue {
    project(data, operation.root, operation)
  }

  private static func project(
    _ value: GraphQLValue, _ sources: [NaiveOperation.Source], _ operation: NaiveOperation
  ) -> GraphQLValue {
    switch value {
    case .list(let values): return .list(values.map { project($0, sources, operation) })
    case .object(let object):
      let collected = operation.collect(sources, typename: operation.typename(of: value, sources))
      return .object(
        GraphQLValue.Object(
          collected.fields.compactMap { selected in
            object[selected.key].map { value in
              (selected.key, selected.sources.isEmpty ? value : project(value, selected.sources, operation))
            }
          }))
    default: return value
    }
  }

  /// What the cache has for an operation; nil if a field is missing.
  public func read(_ operation: NaiveOperation) -> GraphQLValue? {
    let root = records[operation.rootKey] ?? Object(typename: operation.rootType?.name ?? "")
    return read(.object(root), operation.root, operation)
  }

  private func read(
    _ value: Value, _ sources: [NaiveOperation.Source], _ operation: NaiveOperation
  ) -> GraphQLValue? {
    switch value {
    case .leaf(let leaf): return leaf
    case .reference(let key): return records[key].flatMap { read(.object($0), sources, operation) }
    case .list(let values):
      var elements: [GraphQLValue] = []
      for value in values {
        guard let element = read(value, sources, operation) else { return nil }
        elements.append(element)
      }
      return .list(elements)
    case .object(let object):
      var members = GraphQLValue.Object()
      for selected in operation.collect(sources, typename: object.typename).fields {
        // The type of an object is known by the object itself.
        let stored =
          selected.field.name.value == "__typename"
          ? .leaf(.string(object.typename)) : object.fields[operation.fieldKey(selected.field)]
        guard let field = stored,
          let value = read(field, selected.sources, operation)
        else { return nil }
        members[selected.key] = value
      }
      return .object(members)
    }
  }

  // MARK: Writing

  /// Writes the data of a response.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - operation: The operation that was sent.
  ///   - written: The operation without what was added to it. Then only what it selects is written, and the key fields of
  ///     each object. nil: everything that was sent.
  public mutating func write(_ data: GraphQLValue, _ operation: NaiveOperation, only written: NaiveOperation? = nil) {
    var response = NaiveStore()
    let limit = written.map { Limit(operation: $0, sources: $0.root) }
    guard case .object(let root) = response.normalize(data, operation.root, operation, limit, isRoot: true) else {
      return
    }
    response.records[operation.rootKey] = root
    for (key, object) in response.records {
      var known = records[key] ?? Object(typename: object.typename)
      known.fields.merge(object.fields) { merge($0, $1, areOfOneResponse: false) }
      records[key] = known
    }
  }

  /// Selections outside of which only key fields are written.
  private struct Limit {
    var operation: NaiveOperation
    var sources: [NaiveOperation.Source]
  }

  private mutating func normalize(
    _ value: GraphQLValue, _ sources: [NaiveOperation.Source], _ operation: NaiveOperation, _ limit: Limit?,
    isRoot: Bool = false
  ) -> Value {
    switch value {
    case .list(let values): return .list(values.map { normalize($0, sources, operation, limit) })
    case .object where !sources.isEmpty:
      let typename = operation.typename(of: value, sources)
      let collected = operation.collect(sources, typename: typename)
      let limited = limit?.operation.collect(limit?.sources ?? [], typename: typename)
      let keys = operation.keyFields(typename: typename, collected) ?? []
      var object = Object(typename: typename)
      for selected in collected.fields {
        guard let member = value[selected.key] else { continue }
        var inner = limit
        if let limited {
          let same = limited.fields.first { $0.key == selected.key }
          guard same != nil || keys.contains(selected.key) else { continue }
          inner?.sources = same?.sources ?? []
        }
        let new = normalize(member, selected.sources, operation, inner)
        let key = operation.fieldKey(selected.field)
        object.fields[key] = object.fields[key].map { merge($0, new, areOfOneResponse: true) } ?? new
      }
      guard !isRoot, let key = operation.key(of: value, typename: typename, collected) else {
        return .object(object)
      }
      mergeRecord(key, object)
      return .reference(key)
    default: return .leaf(value)
    }
  }

  private mutating func mergeRecord(_ key: String, _ object: Object) {
    var known = records[key] ?? Object(typename: object.typename)
    for (name, value) in object.fields {
      known.fields[name] = known.fields[name].map { merge($0, value, areOfOneResponse: true) } ?? value
    }
    records[key] = known
  }

  /// - Parameter areOfOneResponse: Then both are the same object, of which one place told the key.
  private mutating func merge(_ old: Value, _ new: Value, areOfOneResponse: Bool) -> Value {
    switch (old, new) {
    case (.object(var a), .object(let b)) where a.typename == b.typename:
      for (name, value) in b.fields {
        a.fields[name] = a.fields[name].map { merge($0, value, areOfOneResponse: areOfOneResponse) } ?? value
      }
      return .object(a)
    case (.list(let a), .list(let b)) where a.count == b.count:
      return .list(zip(a, b).map { merge($0, $1, areOfOneResponse: areOfOneResponse) })
    case (.reference(let key), .object(let object)) where areOfOneResponse,
      (.object(let object), .reference(let key)) where areOfOneResponse:
      guard records[key]?.typename == object.typename else { return new }
      mergeRecord(key, object)
      return .reference(key)
    default: return new
    }
  }
}

extension NaiveOperation {
  /// The type that an object says it is of; for a root, the root's.
  func typename(of object: GraphQLValue, _ sources: [Source]) -> String {
    object["__typename"]?.string ?? sources.first?.types.first?.name ?? ""
  }
}
