import GraphQLSyntax

extension GraphQLValue {
  /// The members of an object, in the order in which they were added. A member is found by its key in constant time.
  /// Keys are compared code point by code point.
  public struct Object: Sendable {
    private var members: [(key: String, value: GraphQLValue)] = []
    /// The positions by key; nil for few members, which are found faster by searching.
    private var positions: [ExactText: Int]?

    private static let linearLimit = 8

    /// Makes an empty object.
    public init() {}

    /// Makes an object of pairs. If several have one key, the last value is used, in the place of the first.
    public init(_ members: some Sequence<(String, GraphQLValue)>) {
      for (key, value) in members { self[key] = value }
    }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    /// The member with a key; nil if there is none. Setting nil removes the member; `.null` is a value.
    public subscript(key: String) -> GraphQLValue? {
      get { position(of: key).map { members[$0].value } }
      set {
        switch (position(of: key), newValue) {
        case (let position?, let value?): members[position].value = value
        case (let position?, nil): remove(at: position)
        case (nil, let value?): append(key, value)
        case (nil, nil): break
        }
      }
    }

    private func position(of key: String) -> Int? {
      let key = ExactText(key)
      if let positions { return positions[key] }
      return members.firstIndex { ExactText($0.key) == key }
    }

    private mutating func append(_ key: String, _ value: GraphQLValue) {
      positions?[ExactText(key)] = members.count
      members.append((key, value))
      if positions == nil, members.count > Self.linearLimit { index() }
    }

    private mutating func remove(at position: Int) {
      members.remove(at: position)
      if positions != nil { index() }
    }

    private mutating func index() {
      positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { (ExactText($1.key), $0) })
    }
  }
}

extension GraphQLValue.Object: RandomAccessCollection {
  /// The position of the first member.
  public var startIndex: Int { 0 }
  /// The position after the last member.
  public var endIndex: Int { members.count }
  /// The member at a position.
  public subscript(position: Int) -> (key: String, value: GraphQLValue) { members[position] }
}

extension GraphQLValue.Object: ExpressibleByDictionaryLiteral {
  /// Makes an object of pairs. If several have one key, the last value is used, in the place of the first.
  public init(dictionaryLiteral elements: (String, GraphQLValue)...) { self.init(elements) }
}

extension GraphQLValue.Object: Equatable {
  /// Whether both objects have equal members, in any order.
  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }
}
