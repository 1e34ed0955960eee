/// Finds the cycles of a graph, each once, depth first. It keeps a path of its own, because chains in a document can be
/// longer than a call stack.
struct CycleFinder<Edge> {
  /// A node on the current path, and how many of its edges have been followed.
  private struct Step {
    var node: String
    var edges: [(edge: Edge, target: String)]
    var next = 0
  }

  private let edges: (String) -> [(edge: Edge, target: String)]
  private var visited: Set<String> = []

  /// - Parameter edges: The edges that leave a node.
  init(edges: @escaping (String) -> [(edge: Edge, target: String)]) { self.edges = edges }

  /// The cycles that can be reached from a node and were not found before. Each is the edges that lead from a node back
  /// to itself.
  mutating func cycles(from root: String) -> [[Edge]] {
    guard visited.insert(root).inserted else { return [] }
    var cycles: [[Edge]] = []
    var path = [Step(node: root, edges: edges(root))]
    var positions = [root: 0]
    while let step = path.last {
      guard step.next < step.edges.count else {
        positions[step.node] = nil
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let target = step.edges[step.next].target
      if let start = positions[target] {
        cycles.append(path[start...].map { $0.edges[$0.next - 1].edge })
      } else if visited.insert(target).inserted {
        positions[target] = path.count
        path.append(Step(node: target, edges: edges(target)))
      }
    }
    return cycles
  }
}
