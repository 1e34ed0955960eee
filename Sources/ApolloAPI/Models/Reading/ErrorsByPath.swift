/// The errors of a response, found by the path of a value: those of the value itself, or of a part that made it null.
struct ErrorsByPath {
  /// One place of the response. A tree of them takes no more room than the paths, however deep a hostile server makes
  /// them.
  private struct Node {
    /// The first error here or deeper.
    let error: GraphQLError
    var children: [PathComponent: Int] = [:]
  }

  private var nodes: [Node] = []
  private var roots: [PathComponent: Int] = [:]

  /// Arranges errors. Those without a path belong to no value.
  init(_ errors: [GraphQLError]) {
    for error in errors {
      var place: Int?
      for component in error.path ?? [] { place = child(component, of: place, with: error) }
    }
  }

  var isEmpty: Bool { nodes.isEmpty }

  private mutating func child(_ component: PathComponent, of place: Int?, with error: GraphQLError) -> Int {
    if let known = place.map({ nodes[$0].children[component] }) ?? roots[component] { return known }
    nodes.append(Node(error: error))
    if let place { nodes[place].children[component] = nodes.count - 1 } else { roots[component] = nodes.count - 1 }
    return nodes.count - 1
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
