@testable import ApolloAPI
@testable import ApolloCache
import GraphQLExecution

// Changing the data of operations that were never compiled, as apps change the members of generated structs.

extension Tree {
  /// A member by its name, `... on Droid` and `...Card` for fragments; null if there is none.
  subscript(key: String) -> Tree {
    get {
      guard case .object(let object) = self else { return .null }
      if key == "__typename" { return object.typename.map { .string($0) } ?? .null }
      return object.members.first { $0.key == key }?.value ?? .null
    }
    set {
      guard case .object(var object) = self else { return }
      if key == "__typename", case .string(let name) = newValue {
        object.typename = name
      } else if let index = object.members.firstIndex(where: { $0.key == key }) {
        object.members[index].value = newValue
      }
      self = .object(object)
    }
  }

  subscript(index: Int) -> Tree {
    get { elements[index] }
    set { elements[index] = newValue }
  }

  /// The elements of a list.
  var elements: [Tree] {
    get { if case .list(let elements) = self { elements } else { [] } }
    set { self = .list(newValue) }
  }

  /// The same with other values of some members, in its fragments as well.
  func with(_ values: [String: Tree]) -> Tree {
    guard case .object(var object) = self else { return self }
    for index in object.members.indices {
      if case .fragment = object.members[index].place {
        object.members[index].value = object.members[index].value.with(values)
      } else if let value = values[object.members[index].key] {
        object.members[index].value = value
      }
    }
    return .object(object)
  }
}

extension Tree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(nilLiteral: ()) { self = .null }
}

extension Model {
  var tree: Tree {
    get { .object(object) }
    set { if case .object(let object) = newValue { self.object = object } }
  }
}

extension Scenario {
  /// Changes what the cache has for a query.
  func edit(
    _ query: String, _ variables: GraphQLValue.Object = [:], _ body: @escaping @Sendable (inout Tree) -> Void
  ) async throws {
    let query = try prepare(query, variables)
    try await store.withinReadWriteTransaction { try $0.update(query: query) { body(&$0.tree) } }
  }

  /// Changes an object, of which the cache may lack nullable fields.
  func edit(
    _ key: CacheKey, _ query: String, _ variables: GraphQLValue.Object = [:],
    _ body: @escaping @Sendable (inout Tree) -> Void
  ) async throws {
    let query = try prepare(query, variables)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: Model<First>.self, withKey: key, variables: query.variables) {
        body(&$0.tree)
      }
    }
  }

  /// Writes the whole data of a query.
  func rewrite(_ query: String, _ body: @escaping @Sendable (inout Tree) -> Void) async throws {
    let query = try prepare(query)
    try await store.withinReadWriteTransaction { transaction in
      var data = try transaction.read(query: query)
      body(&data.tree)
      try transaction.write(data: data, for: query)
    }
  }

  /// What the cache keeps in a field.
  func value(_ field: String, of key: CacheKey = "QUERY_ROOT") -> Record.Value? {
    let table = store.engine.table
    return table.records.number(of: key).flatMap { table.exported($0) }?[field]
  }
}
