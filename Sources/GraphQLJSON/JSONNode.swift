/// A JSON value, and where it stands in its text, so that messages about it can point there.
public struct JSONNode: Sendable {
  public enum Value: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// The number in its digits, by the grammar of JSON.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object(Members)
  }

  /// What the value is.
  public var value: Value
  /// Its place in UTF-8 bytes from the beginning of the text. Empty for a value that was not read from a text.
  public var range: Range<Int>

  public init(_ value: Value, at range: Range<Int> = 0..<0) {
    self.value = value
    self.range = range
  }

  /// The value of a member of an object: nil if this is no object, if it has no such member, and if the member is null.
  public subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value, let member = members[name], !member.isNull else { return nil }
    return member
  }

  public var isNull: Bool { value == .null }

  public var boolean: Bool? {
    if case .boolean(let boolean) = value { boolean } else { nil }
  }

  /// The value of a number, if it has no fraction and no exponent and fits.
  public var integer: Int? {
    if case .number(let digits) = value { Int(digits) } else { nil }
  }

  /// The value of a number, rounded as IEEE 754 has it. It is infinite for one that is larger than all of `Double`.
  public var double: Double? {
    if case .number(let digits) = value { Double(digits) } else { nil }
  }

  public var string: String? {
    if case .string(let string) = value { string } else { nil }
  }

  public var array: [JSONNode]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  public var object: Members? {
    if case .object(let members) = value { members } else { nil }
  }
}

extension JSONNode {
  /// The members of an object, in the order of the text.
  ///
  /// They are found by looking through them: objects have few, and a schema has tens of thousands of objects.
  public struct Members: Sendable, RandomAccessCollection {
    /// A name, and the value that stands behind it.
    public struct Member: Sendable {
      public var name: String
      /// The place of the name, with its quotation marks.
      public var nameRange: Range<Int>
      public var value: JSONNode
    }

    private var members: [Member]

    /// Members whose names differ.
    init(_ members: [Member]) { self.members = members }

    public init(_ members: some Sequence<(String, JSONNode)>) {
      self.members = []
      for (name, value) in members { self[name] = value }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { members.count }
    public subscript(position: Int) -> Member { members[position] }

    /// The value of a member, which may be null; nil if there is no such member.
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

    /// Names are the same if their bytes are, as for servers. (To Swift, "é" equals "e" with a combining accent.)
    private func index(of name: String) -> Int? { members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
  }
}

/// Values are compared, and their places are not.
extension JSONNode: Hashable {
  public static func == (a: JSONNode, b: JSONNode) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The order of members makes no difference.
extension JSONNode.Members: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.name] == $0.value }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension JSONNode.Members: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONNode)...) { self.init(elements) }
}

/// Values that stand in no text.
extension JSONNode {
  public static var null: JSONNode { JSONNode(.null) }
  public static func boolean(_ value: Bool) -> JSONNode { JSONNode(.boolean(value)) }
  public static func number(_ value: some BinaryInteger) -> JSONNode { JSONNode(.number(String(value))) }
  /// A number that is finite; null for others, which JSON does not have.
  public static func number(_ value: Double) -> JSONNode {
    JSONNode(JSONPrinter.digits(of: value).map { .number($0) } ?? .null)
  }
  public static func string(_ text: String) -> JSONNode { JSONNode(.string(text)) }
  public static func array(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }
  public static func object(_ members: Members) -> JSONNode { JSONNode(.object(members)) }
}
