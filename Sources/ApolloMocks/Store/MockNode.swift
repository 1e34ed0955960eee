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

/// What is behind a connection.
struct ConnectionNodes: Sendable {
  /// Where its nodes come from.
  indirect enum Source: Sendable {
    /// They stand at a place by the seed. They are made when a field of the connection is asked for: a node may be a
    /// connection too, so that to make all of them has no end.
    case seed(Place)
    /// An app has given them.
    case given([GraphQLValue])
  }

  var shape: ConnectionShape
  var source: Source
  var arguments: GraphQLValue.Object

  func value(ofCursor text: String) -> GraphQLValue {
    shape.hasNumbers ? Int(text).map { .int($0) } ?? .string(text) : .string(text)
  }
}
