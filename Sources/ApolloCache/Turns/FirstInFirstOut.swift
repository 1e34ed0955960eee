/// A queue: elements are taken in the order in which they were added. The cost of adding and taking is constant.
struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  /// The index of the first element; the elements before it were taken.
  private var start = 0

  var count: Int { elements.count - start }
  var first: Element? { start < elements.count ? elements[start] : nil }

  /// Puts another element in the place of one, which is named by how many are before it. Outside of the queue it does
  /// nothing.
  mutating func replace(at index: Int, with element: Element) {
    if index >= 0, index < count { elements[start + index] = element }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard start < elements.count else { return nil }
    let element = elements[start]
    elements[start] = nil
    start += 1
    if start == elements.count {
      elements.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 64, start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
