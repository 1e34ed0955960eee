public import GraphQLSyntax

/// Something that is found by its name among its siblings.
public protocol Named: Sendable {
  var name: Name { get }
}

extension FieldDefinition: Named {}
extension InputValueDefinition: Named {}
extension EnumValueDefinition: Named {}
extension DirectiveDefinition: Named {}

/// Siblings in the order of their definition, each found by its name in constant time. Of two with one name, the first
/// is kept.
public struct NamedList<Element: Named>: Sendable, RandomAccessCollection {
  private var elements: [Element]
  /// Positions by name. `nil` while looking through the few elements is faster.
  private let positions: [String: Int]?

  public init(_ elements: [Element] = []) {
    guard elements.count > 6 else {
      let unique = elements.indices.filter { index in
        !elements[..<index].contains { $0.name.value == elements[index].name.value }
      }
      self.elements = unique.count == elements.count ? elements : unique.map { elements[$0] }
      self.positions = nil
      return
    }
    var unique: [Element] = []
    var positions: [String: Int] = [:]
    unique.reserveCapacity(elements.count)
    positions.reserveCapacity(elements.count)
    for element in elements {
      let isFirst = positions.updateIfAbsent(element.name.value, to: unique.count)
      if isFirst { unique.append(element) }
    }
    self.elements = unique
    self.positions = positions
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }

  /// The element with this name.
  public subscript(name: String) -> Element? {
    position(of: name).map { elements[$0] }
  }

  /// Whether there is an element with this name.
  public func contains(_ name: String) -> Bool { position(of: name) != nil }

  /// The position of the element with this name.
  public func position(of name: String) -> Int? {
    if let positions { return positions[name] }
    return elements.firstIndex { $0.name.value == name }
  }
}

extension Dictionary {
  /// Sets the value of a key that has none, with one look-up. False when it has one, which stays.
  mutating func updateIfAbsent(_ key: Key, to value: Value) -> Bool {
    let count = count
    func fill(_ entry: inout Value?) { if entry == nil { entry = value } }
    fill(&self[key])
    return self.count > count
  }
}
