/// A JSON value, for schemas that come as the answer to an introspection query. Who reads or writes JSON converts.
public enum IntrospectionValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case string(String)
  case list([IntrospectionValue])
  case object(Members)

  subscript(key: String) -> IntrospectionValue? {
    guard case .object(let members) = self, let value = members[key] else { return nil }
    if case .null = value { return nil }
    return value
  }

  var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  var list: [IntrospectionValue]? {
    if case .list(let list) = self { list } else { nil }
  }

  var isTrue: Bool { self == .boolean(true) }

  /// The members of an object. There are few, and a schema has tens of thousands of objects: looking through them is
  /// faster than a hash table.
  public struct Members: Sendable, RandomAccessCollection {
    public typealias Element = (key: String, value: IntrospectionValue)

    private var members: [Element]

    /// Of two members with one key, the first is found.
    public init(_ members: [Element]) { self.members = members }

    public var startIndex: Int { 0 }
    public var endIndex: Int { members.count }
    public subscript(position: Int) -> Element { members[position] }

    public subscript(key: String) -> IntrospectionValue? {
      get { members.first { $0.key == key }?.value }
      set {
        members.removeAll { $0.key == key }
        if let newValue { members.append((key, newValue)) }
      }
    }
  }
}

/// Order makes no difference.
extension IntrospectionValue.Members: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension IntrospectionValue.Members: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, IntrospectionValue)...) {
    self.init(elements.map { (key: $0, value: $1) })
  }
}
