public import GraphQLSyntax

/// A part of a schema that is found by its name.
public protocol Named: Sendable {
  /// The name of the part.
  var name: Name { get }
}

extension FieldDefinition: Named {}
extension InputValueDefinition: Named {}
extension EnumValueDefinition: Named {}
extension DirectiveDefinition: Named {}

/// Parts of a schema in the order of their definition. A part is found by its name in constant time. If several have
/// one name, the first is kept.
public struct NamedList<Element: Named>: Sendable, RandomAccessCollection {
  private var elements: [Element]
  /// The positions by name; nil for few elements, which are found faster by searching.
  private let positions: [String: Int]?

  /// Makes a list.
  ///
  /// - Parameter elements: The parts, in the order of their definition.
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

  /// The position of the first element.
  public var startIndex: Int { 0 }
  /// The position after the last element.
  public var endIndex: Int { elements.count }
  /// The element at a position.
  public subscript(position: Int) -> Element { elements[position] }

  /// The element with a name; nil if there is none.
  public subscript(name: String) -> Element? {
    position(of: name).map { elements[$0] }
  }

  /// Whether there is an element with a name.
  public func contains(_ name: String) -> Bool { position(of: name) != nil }

  /// The position of the element with a name; nil if there is none.
  public func position(of name: String) -> Int? {
    if let positions { return positions[name] }
    return elements.firstIndex { $0.name.value == name }
  }
}

extension Dictionary {
  /// Sets the value of a key that has none, with one look-up. False if the key has a value, which stays.
  mutating func updateIfAbsent(_ key: Key, to value: Value) -> Bool {
    let count = count
    func fill(_ entry: inout Value?) { if entry == nil { entry = value } }
    fill(&self[key])
    return self.count > count
  }
}
