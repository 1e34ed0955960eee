/// The elements of a list in a record, with what tells whether two of them are one object.
struct Elements {
  private(set) var values: [RecordValue]
  /// Numbers of records from this one on are in no other list.
  var firstNew = Int32.max

  init(_ values: [RecordValue] = []) { self.values = values }

  /// nil if the value is not a list.
  init?(_ value: RecordValue?) {
    switch value {
    case .list(let values)?: self.values = values
    case .references(let numbers)?: values = numbers.map { $0 < 0 ? .null : .reference($0) }
    default: return nil
    }
  }

  var count: Int { values.count }

  /// The list, in the form in which a record has it.
  var value: RecordValue {
    var numbers: [Int32] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      switch value {
      case .reference(let number): numbers.append(number)
      case .null: numbers.append(-1)
      default: return .list(values)
      }
    }
    return numbers.isEmpty ? .list([]) : .references(numbers)
  }

  /// The record that an element stands for: itself, or the node of an edge. nil if it has no record.
  static func identity(of element: RecordValue) -> Int32? {
    switch element {
    case .reference(let number): number
    case .object(let edge): edge.reference(in: .node)
    default: nil
    }
  }

  /// The record that each element stands for; nil for one without a record.
  var identities: [Int32?] { values.map(Self.identity) }

  /// The record that each edge stands for. An edge that does not tell its node has the one of its index, if there is a node
  /// for each.
  ///
  /// - Parameter nodes: The list `nodes` beside the edges; nil if there is none.
  /// - Returns: For each edge, its record; nil for one without a record.
  func identities(beside nodes: Elements?) -> [Int32?] {
    guard let nodes, nodes.count == count else { return identities }
    return zip(identities, nodes.identities).map { $0 ?? $1 }
  }

  /// Whether two elements stand for one object. Without an object, they are the same if they are equal.
  static func areSame(_ a: RecordValue, _ b: RecordValue) -> Bool {
    let identity = identity(of: a)
    return identity == Self.identity(of: b) && (identity != nil || a.isSame(as: b))
  }

  /// Whether there are elements that stand for objects.
  var haveKeys: Bool { values.contains { Self.identity(of: $0) != nil } }

  /// The first place, from an index on, of an element that is the same.
  func firstIndex(of element: RecordValue, from start: Int) -> Int? {
    values.indices.dropFirst(start).first { Self.areSame(values[$0], element) }
  }

  /// Where the elements begin that stay behind a page which is put at an index. If the object at the end of the page
  /// was there already, what followed it stays.
  func end(of page: Elements, at start: Int) -> Int {
    let end = min(start + page.count, count)
    guard let last = page.values.last.flatMap(Self.identity) else { return end }
    return values[start..<end].lastIndex { Self.identity(of: $0) == last }.map { $0 + 1 } ?? end
  }

  /// The nodes of edges; nil if one of the edges does not tell its node.
  var nodes: Elements? {
    var nodes = Elements()
    nodes.firstNew = firstNew
    for edge in values {
      switch edge {
      case .null: nodes.values.append(.null)
      case .object(let edge):
        switch edge.value(of: .node) {
        case .null?: nodes.values.append(.null)
        case .reference(let number)?: nodes.values.append(.reference(number))
        default: return nil
        }
      default: return nil
      }
    }
    return nodes
  }

  /// Adds elements at the end. One whose object is there already is merged with it, at its place.
  ///
  /// - Parameters:
  ///   - new: The elements.
  ///   - isOlder: Whether those that are there are newer, and their fields count. The default is that they are not.
  mutating func append(_ new: Elements, isOlder: Bool = false) {
    var places = placesOfObjects(in: new)
    for element in new.values {
      guard let identity = Self.identity(of: element) else {
        values.append(element)
        continue
      }
      if let place = places[identity], place >= 0 {
        merge(element, at: place, isOlder: isOlder)
      } else {
        places[identity] = values.count
        values.append(element)
      }
    }
  }

  /// Adds elements at the start, with the parameters of ``append(_:isOlder:)``. One whose object is there already is
  /// merged with it, at its place.
  mutating func prepend(_ new: Elements, isOlder: Bool) {
    let places = placesOfObjects(in: new)
    var added = Elements(), isNew = Elements()
    for element in new.values {
      if let identity = Self.identity(of: element), let place = places[identity], place >= 0 {
        merge(element, at: place, isOlder: isOlder)
      } else {
        isNew.values.append(element)
      }
    }
    added.append(isNew)
    values = added.values + values
  }

  /// (The cursor of the element is one of its place among the others, and not of this place.)
  private mutating func merge(_ element: RecordValue, at place: Int, isOlder: Bool) {
    let element = Self.withoutCursor(element)
    values[place] = isOlder ? Self.merged(element, values[place]) : Self.merged(values[place], element)
  }

  /// Where the objects of other elements are among these; -1 for those that are not.
  private func placesOfObjects(in new: Elements) -> [Int32: Int] {
    var places: [Int32: Int] = [:]
    for element in new.values { if let identity = Self.identity(of: element) { places[identity] = -1 } }
    guard let least = places.keys.min(), least < new.firstNew else { return places }
    for (index, element) in values.enumerated() {
      if let identity = Self.identity(of: element), places[identity] == -1 { places[identity] = index }
    }
    return places
  }

  /// The elements, with what they lack and those have in whose place they come: an edge has it of the edge to the same
  /// node, and an object that does not tell a node of the object at its place, if it says nothing else than that one. A
  /// cursor may tell the place of an edge, so an edge at another place does not have the one that is known.
  ///
  /// - Parameters:
  ///   - old: The elements in whose place these come. They are searched until all nodes are found.
  ///   - start: Where these begin among them; nil: elsewhere.
  /// - Returns: The elements.
  func completed(from old: Elements, at start: Int?) -> Elements {
    var result = self, wanted: Set<Int32> = [], edges: [Int32: (edge: RecordValue, place: Int)] = [:]
    for (index, element) in values.enumerated() {
      guard case .object(let new) = element else { continue }
      if let node = Self.identity(of: element) {
        if node < firstNew { wanted.insert(node) }
      } else if let place = start.map({ $0 + index }), old.values.indices.contains(place),
        case .object(let former) = old.values[place], Self.identity(of: old.values[place]) == nil,
        former.hasSameType(as: new), former.merging(new, replacingByErrors: false) == nil
      {
        result.values[index] = old.values[place]
      }
    }
    if wanted.isEmpty { return result }
    for (place, edge) in old.values.enumerated() {
      guard let node = Self.identity(of: edge), wanted.remove(node) != nil else { continue }
      edges[node] = (edge, place)
      if wanted.isEmpty { break }
    }
    for (index, edge) in values.enumerated() {
      guard let (former, place) = Self.identity(of: edge).flatMap({ edges[$0] }) else { continue }
      let isMoved = start.map { $0 + index } != place
      result.values[index] = Self.merged(isMoved ? Self.withoutCursor(former) : former, edge)
    }
    return result
  }

  /// An edge with the fields of another edge to the same node.
  private static func merged(_ old: RecordValue, _ new: RecordValue) -> RecordValue {
    guard case .object(let a) = old, case .object(let b) = new else { return new }
    return a.merging(b, replacingByErrors: false).map { .object($0) } ?? old
  }

  private static func withoutCursor(_ edge: RecordValue) -> RecordValue {
    if case .object(let record) = edge { .object(record.removing([.cursor])) } else { edge }
  }

  func slice(_ places: Range<Int>) -> Elements {
    places == values.indices ? self : Elements(Array(values[places.clamped(to: values.indices)]))
  }

  func prefix(_ count: Int) -> Elements { Elements(Array(values.prefix(count))) }

  func dropFirst(_ count: Int) -> Elements { Elements(Array(values.dropFirst(count))) }
}

extension FieldKey {
  static let edges = forName("edges")
  static let nodes = forName("nodes")
  static let node = forName("node")
  static let cursor = forName("cursor")
  static let pageInfo = forName("pageInfo")
  static let startCursor = forName("startCursor")
  static let endCursor = forName("endCursor")
  static let hasNextPage = forName("hasNextPage")
  static let hasPreviousPage = forName("hasPreviousPage")
}
