import GraphQLExecution

/// An object on its way through an execution: what the fields on it are resolved with.
struct MockNode: Sendable {
  var id: ObjectID
  /// Values of fields that were given in place, and that nothing in the store replaces.
  var members: GraphQLValue.Object = [:]
  /// Who it is in texts that are made for it, such as "User 3".
  var name: String
  /// What its fields depend on, if it is a connection.
  var connection: ConnectionNodes?
  /// Whether it is part of what a mutation returns, where objects are new.
  var isBelowMutation = false

  var value: GraphQLValue { .opaque(self) }

  init(_ id: ObjectID, name: String, members: GraphQLValue.Object = [:]) {
    self.id = id
    self.name = name
    self.members = members
  }

  /// The node in a value; nil if it is something else.
  init?(_ value: GraphQLValue) {
    guard case .opaque(let object) = value, let node = object as? MockNode else { return nil }
    self = node
  }
}

/// All that is behind a connection, in order.
struct ConnectionNodes: Sendable {
  var shape: ConnectionShape
  var nodes: [GraphQLValue]
  var arguments: GraphQLValue.Object

  func value(ofCursor text: String) -> GraphQLValue {
    shape.hasNumbers ? Int(text).map { .int($0) } ?? .string(text) : .string(text)
  }
}
