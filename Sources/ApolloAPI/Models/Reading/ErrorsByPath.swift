/// The errors of a response, found by the path of a value: those of the value itself, or of a part that made it null.
final class ErrorsByPath: Sendable {
  /// One place of the response. A tree of them takes no more room than the paths, however deep a hostile server makes
  /// them.
  private struct Node: Sendable {
    /// The first error here or deeper.
    let error: GraphQLError
    var children: [PathComponent: Int] = [:]
  }

  private let nodes: [Node]
  private let roots: [PathComponent: Int]

  /// Arranges errors. Those without a path belong to no value.
  init(_ errors: [GraphQLError]) {
    var nodes: [Node] = [], roots: [PathComponent: Int] = [:]
    for error in errors {
      var place: Int?
      for component in error.path ?? [] {
        if let known = place.map({ nodes[$0].children[component] }) ?? roots[component] {
          place = known
          continue
        }
        nodes.append(Node(error: error))
        if let place { nodes[place].children[component] = nodes.count - 1 } else { roots[component] = nodes.count - 1 }
        place = nodes.count - 1
      }
    }
    self.nodes = nodes
    self.roots = roots
  }

  /// The first error of the value at a path, or of a part of the value.
  func error(at path: [PathComponent]) -> GraphQLError? {
    var place: Int?
    for component in path {
      guard let next = place.map({ nodes[$0].children[component] }) ?? roots[component] else { return nil }
      place = next
    }
    return place.map { nodes[$0].error }
  }
}
