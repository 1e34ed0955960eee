import ApolloAPI

// How an outbox keeps what a mutation does to lists of the cache.

extension Outbox.Row.ListEdit {
  init(_ edit: __ListEdit) {
    let directive = edit.directive
    kind = directive.kind.name
    path = directive.path.map { $0.name }
    types = directive.path.contains { !$0.types.isEmpty } ? directive.path.map { $0.types } : nil
    connections = directive.connections
    (edgeType, typename) = (directive.edgeType, directive.typename)
  }

  /// The edit, with server ids in place of temporary ids; nil if its kind is of a later release.
  func edit(_ ids: LocalIDs) -> __ListEdit? {
    __ListEdit.Kind(name: kind).map {
      __ListEdit(
        $0, at: path, on: types ?? [], connections: connections.map(ids.resolved), edgeType: edgeType,
        typename: typename)
    }
  }
}

extension __ListEdit.Kind {
  private static var all: [(__ListEdit.Kind, String)] {
    [
      (.appendNode, "appendNode"), (.prependNode, "prependNode"), (.appendEdge, "appendEdge"),
      (.prependEdge, "prependEdge"), (.deleteEdge, "deleteEdge"), (.deleteRecord, "deleteRecord"),
    ]
  }

  fileprivate var name: String { Self.all.first { $0.0 == self }?.1 ?? "" }

  fileprivate init?(name: String) {
    guard let kind = Self.all.first(where: { $0.1 == name })?.0 else { return nil }
    self = kind
  }
}
