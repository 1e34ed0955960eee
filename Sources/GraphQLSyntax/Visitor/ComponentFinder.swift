/// Finds the strongly connected components of a graph, with Tarjan's algorithm: nodes of one component lead to each
/// other. It keeps a path of its own, because chains in a document can be longer than a call stack.
package struct ComponentFinder<Node: Hashable> {
  /// A node on the current path, and how many of its edges have been followed.
  private struct Step {
    var node: Node
    var targets: [Node]
    var next = 0
    /// The lowest number of an open node to which this one leads.
    var lowest: Int
  }

  private let targets: (Node) -> [Node]
  private var numbers: [Node: Int] = [:]
  private var open: [Node] = []
  private var isOpen: Set<Node> = []
  private var path: [Step] = []
  private var components: [[Node]] = []

  /// Finds the components. Each stands behind those to which it leads.
  ///
  /// - Parameters:
  ///   - roots: The nodes to start from.
  ///   - targets: The nodes to which a node leads.
  /// - Returns: The nodes of each component.
  package static func components(
    from roots: some Sequence<Node>, targets: @escaping (Node) -> [Node]
  ) -> [[Node]] {
    var finder = ComponentFinder(targets: targets)
    for root in roots where finder.numbers[root] == nil { finder.visit(root) }
    return finder.components
  }

  private init(targets: @escaping (Node) -> [Node]) { self.targets = targets }

  private mutating func visit(_ root: Node) {
    enter(root)
    while let step = path.last {
      guard step.next < step.targets.count else {
        leave(step)
        continue
      }
      path[path.count - 1].next += 1
      let target = step.targets[step.next]
      guard let number = numbers[target] else {
        enter(target)
        continue
      }
      if isOpen.contains(target) { path[path.count - 1].lowest = min(step.lowest, number) }
    }
  }

  private mutating func enter(_ node: Node) {
    let number = numbers.count
    numbers[node] = number
    open.append(node)
    isOpen.insert(node)
    path.append(Step(node: node, targets: targets(node), lowest: number))
  }

  private mutating func leave(_ step: Step) {
    path.removeLast()
    if !path.isEmpty { path[path.count - 1].lowest = min(path[path.count - 1].lowest, step.lowest) }
    guard step.lowest == numbers[step.node] else { return }
    var component: [Node] = []
    while let node = open.popLast() {
      isOpen.remove(node)
      component.append(node)
      if node == step.node { break }
    }
    components.append(component)
  }
}
