/// Where in the response a value stands, shared with the paths of its siblings.
indirect enum ResponsePath: Sendable {
  case root
  case element(ExecutionError.PathElement, of: ResponsePath, depth: Int)

  /// The number of elements.
  var depth: Int {
    switch self {
    case .root: 0
    case .element(_, _, let depth): depth
    }
  }

  func appending(_ element: ExecutionError.PathElement) -> ResponsePath {
    .element(element, of: self, depth: depth + 1)
  }

  /// The elements from the root.
  var elements: [ExecutionError.PathElement] {
    var elements: [ExecutionError.PathElement] = []
    var path = self
    while case .element(let element, let parent, _) = path {
      elements.append(element)
      path = parent
    }
    return elements.reversed()
  }
}
