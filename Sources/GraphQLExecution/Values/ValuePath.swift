/// The path from a value to a value inside it. Paths to siblings share their beginning.
indirect enum ValuePath: Sendable {
  case root
  case element(ExecutionError.PathElement, of: ValuePath, depth: Int)

  /// The number of elements.
  var depth: Int {
    switch self {
    case .root: 0
    case .element(_, _, let depth): depth
    }
  }

  func appending(_ element: ExecutionError.PathElement) -> ValuePath {
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

extension ValuePath: CustomStringConvertible {
  /// The path as it follows a name, such as `.friends[0].name`. Empty at the root.
  var description: String {
    elements.map { element in
      switch element {
      case .key(let key): ".\(key)"
      case .index(let index): "[\(index)]"
      }
    }.joined()
  }
}
