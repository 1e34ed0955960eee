/// An edit of a cached list, declared by one of Relay's directives (`@appendNode` and so on) on a field of a mutation or a
/// subscription. Generated code creates it.
public struct __ListEdit: Sendable {
  /// The directive.
  public enum Kind: Sendable {
    /// Adds the object to the end of lists.
    case appendNode
    /// Adds the object to the start of lists.
    case prependNode
    /// Adds the edge to the end of connections.
    case appendEdge
    /// Adds the edge to the start of connections.
    case prependEdge
    /// Takes the object that has this ID out of lists.
    case deleteEdge
    /// Removes the object that has this ID.
    case deleteRecord
  }

  package let kind: Kind
  /// The names in the response that lead to the field.
  package let path: [String]
  /// The paths of the lists.
  package let connections: [String]
  /// The type of new edges; nil if it is not said.
  package let edgeType: String?
  /// The type of the object that the ID is of; nil if it is not said.
  package let typename: String?

  /// Names a directive and its arguments.
  public init(
    _ kind: Kind, at path: [String], connections: [String] = [], edgeType: String? = nil, typename: String? = nil
  ) {
    self.kind = kind
    self.path = path
    self.connections = connections
    self.edgeType = edgeType
    self.typename = typename
  }
}
