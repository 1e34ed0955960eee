/// A JSON value (RFC 8259) with its range in the text, so that messages about it can name the location.
public struct JSONNode: Sendable {
  /// A value of one of the six kinds of JSON.
  public enum Value: Sendable, Hashable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case boolean(Bool)
    /// A number, as its digits in the text.
    case number(String)
    /// A string, without its escapes.
    case string(String)
    /// An array, with its elements.
    case array([JSONNode])
    /// An object, with its members.
    case object(Members)
  }

  /// The value itself, without its range.
  public var value: Value
  /// The range of the value in the text, in UTF-8 bytes from the beginning of the text. It is empty for a value that
  /// was not read from a text.
  public var range: Range<Int>

  /// Makes a node.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - range: The range of the value in its text, in UTF-8 bytes. The default is empty.
  public init(_ value: Value, at range: Range<Int> = 0..<0) {
    self.value = value
    self.range = range
  }

  /// The value of a member of an object. nil if the value is not an object, if it has no such member, or if the member
  /// is null.
  public subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value, let member = members[name], !member.isNull else { return nil }
    return member
  }

  /// Whether the value is null.
  public var isNull: Bool { value == .null }

  /// The value of a Boolean; nil for other values.
  public var boolean: Bool? {
    if case .boolean(let boolean) = value { boolean } else { nil }
  }

  /// The value of a number; nil for other values, for a number with a fraction or an exponent, and for one that does
  /// not fit into an `Int`.
  public var integer: Int? {
    if case .number(let digits) = value { Int(digits) } else { nil }
  }

  /// The value of a number, rounded as in IEEE 754; nil for other values. It is infinite for a number that is too large
  /// for a `Double`.
  public var double: Double? {
    if case .number(let digits) = value { Double(digits) } else { nil }
  }

  /// The text of a string; nil for other values.
  public var string: String? {
    if case .string(let string) = value { string } else { nil }
  }

  /// The elements of an array; nil for other values.
  public var array: [JSONNode]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  /// The members of an object; nil for other values.
  public var object: Members? {
    if case .object(let members) = value { members } else { nil }
  }
}

extension JSONNode {
  /// The members of an object, in the order of the text. No two members have one name.
  ///
  /// A member is found by a linear search, because most objects are small, and a schema has tens of thousands of them.
  public struct Members: Sendable, RandomAccessCollection {
    /// A member of an object: a name and a value.
    public struct Member: Sendable {
      /// The name of the member, without its escapes.
      public var name: String
      /// The range of the name in the text, with its quotation marks, in UTF-8 bytes. It is empty if it was not read
      /// from a text.
      public var nameRange: Range<Int>
      /// The value of the member, with its range.
      public var value: JSONNode
    }

    private var members: [Member]

    /// Makes members of which no two have one name.
    init(_ members: [Member]) { self.members = members }

    /// Makes the members of an object.
    ///
    /// - Parameter members: Names and values. If a name is repeated, its last value is used.
    public init(_ members: some Sequence<(String, JSONNode)>) {
      self.members = []
      var positions: [[UInt8]: Int] = [:]
      for (name, value) in members {
        if let position = positions.updateValue(self.members.count, forKey: Array(name.utf8)) {
          positions[Array(name.utf8)] = position
          self.members[position].value = value
        } else {
          self.members.append(Member(name: name, nameRange: 0..<0, value: value))
        }
      }
    }

    /// The position of the first member: 0.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { members.count }
    /// The member at a position in the order of the text.
    public subscript(position: Int) -> Member { members[position] }

    /// The value of the member with a name. It may be null; nil if there is no such member. Setting nil removes the
    /// member.
    public subscript(name: String) -> JSONNode? {
      get { index(of: name).map { members[$0].value } }
      set {
        switch (index(of: name), newValue) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name: name, nameRange: 0..<0, value: value))
        case (nil, nil): break
        }
      }
    }

    /// Names are equal if their bytes are, as in servers. (In Swift, "é" equals "e" with a combining accent.)
    private func index(of name: String) -> Int? { members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
  }
}

/// Nodes are equal if their values are; their ranges are not compared.
extension JSONNode: Hashable {
  /// Compares the values of two nodes, without their ranges.
  public static func == (a: JSONNode, b: JSONNode) -> Bool { a.value == b.value }
  /// Feeds the value into a hasher, without its range.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Members are equal in any order.
extension JSONNode.Members: Hashable {
  /// Compares two objects. The order of their members makes no difference.
  public static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.name] == $0.value }
  }

  /// Feeds the number of members into a hasher, because their order must make no difference.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension JSONNode.Members: ExpressibleByDictionaryLiteral {
  /// Makes the members of an object from a literal. If a name is repeated, its last value is used.
  public init(dictionaryLiteral elements: (String, JSONNode)...) { self.init(elements) }
}

/// Values that were not read from a text.
extension JSONNode {
  /// A null.
  public static var null: JSONNode { JSONNode(.null) }
  /// A Boolean.
  public static func boolean(_ value: Bool) -> JSONNode { JSONNode(.boolean(value)) }
  /// An integer.
  public static func number(_ value: some BinaryInteger) -> JSONNode { JSONNode(.number(String(value))) }
  /// A finite number. Infinity and NaN become null, because JSON does not have them.
  public static func number(_ value: Double) -> JSONNode {
    JSONNode(JSONPrinter.digits(of: value).map { .number($0) } ?? .null)
  }
  /// A string.
  public static func string(_ text: String) -> JSONNode { JSONNode(.string(text)) }
  /// An array.
  public static func array(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }
  /// An object.
  public static func object(_ members: Members) -> JSONNode { JSONNode(.object(members)) }
}
