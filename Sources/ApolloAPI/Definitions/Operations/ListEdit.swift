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

  /// A directive and its arguments: the names in the response that lead to the field, the paths of the lists, the type of new
  /// edges, and the type of the object that the ID is of. nil for what is not said. Each name comes with the types of the
  /// objects whose field it is. An empty list stands for all types.
  package typealias Directive = (
    kind: Kind, path: [(name: String, types: [String])], connections: [String], edgeType: String?, typename: String?
  )

  /// The directive, as it was written.
  package let directive: Directive

  /// Names a directive and its arguments.
  ///
  /// - Parameters:
  ///   - kind: The directive.
  ///   - path: The names in the response that lead to the field.
  ///   - types: For each of the names, the types of the objects whose field it is. An empty list stands for all types. The
  ///     default is all types for each of the names.
  ///   - connections: The paths of the lists. The default is none.
  ///   - edgeType: The type of new edges. nil, the default: it is not said.
  ///   - typename: The type of the object that the ID is of. nil, the default: it is not said.
  public init(
    _ kind: Kind, at path: [String], on types: [[String]] = [], connections: [String] = [], edgeType: String? = nil,
    typename: String? = nil
  ) {
    let steps = path.enumerated().map { index, name in
      (name: name, types: types.indices.contains(index) ? types[index] : [])
    }
    directive = (kind, steps, connections, edgeType, typename)
  }
}
