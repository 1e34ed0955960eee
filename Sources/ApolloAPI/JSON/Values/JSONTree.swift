/// A JSON value of which only those parts are parsed that are looked into. Everything else stays text.
///
/// The parts of a response are joined in it. What no part changes is copied as bytes, so numbers keep their digits.
package enum JSONTree: Sendable {
  /// A value that was not looked into: a range of checked text.
  case text(ResponseBytes, Range<Int>)
  case object(Members)
  case list([JSONTree])

  /// The members of an object in their order. If several have one name, the last one is kept.
  package struct Members: Sendable {
    /// The names, in the order in which they came.
    package private(set) var names: [String] = []
    private var values: [String: JSONTree] = [:]

    /// Makes an object without members.
    package init() {}

    /// The value of a member; nil if there is none of that name.
    package subscript(name: String) -> JSONTree? {
      get { values[name] }
      set {
        if let newValue {
          if values.updateValue(newValue, forKey: name) == nil { names.append(name) }
        } else if values.removeValue(forKey: name) != nil {
          names.removeAll { $0 == name }
        }
      }
    }

    /// Changes a member in place, without copying its contents.
    package mutating func change<Result, Failure: Error>(
      _ name: String, _ body: (inout JSONTree?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      var value = values.removeValue(forKey: name)
      let isNew = value == nil
      defer {
        if let value {
          values[name] = value
          if isNew { names.append(name) }
        } else if !isNew {
          names.removeAll { $0 == name }
        }
      }
      return try body(&value)
    }
  }

  /// Makes a value of a text. It checks the grammar (RFC 8259), the UTF-8, and how deep the value is nested.
  package init(_ bytes: ResponseBytes, maximumDepth: Int) throws(ResponseDecodingError) {
    let range = try bytes.withCursor(maximumDepth: maximumDepth) { cursor throws(__ReadError) in
      try cursor.expectUTF8()
      cursor.skipByteOrderMark()
      let range = try cursor.rangeOfValue()
      try cursor.expectEnd()
      return range
    }
    self = .text(bytes, range)
  }

  /// Makes a value of a text that is known to be JSON.
  package init(trusted text: String) {
    let bytes = ResponseBytes(text.utf8)
    self = .text(bytes, 0..<bytes.count)
  }

  // MARK: Looking into it

  /// Opens an object; nil for other values.
  package var members: Members? {
    switch self {
    case .object(let members): return members
    case .list: return nil
    case .text(let bytes, let range):
      guard firstByte == UInt8(ascii: "{") else { return nil }
      var members = Members()
      // The text was checked before.
      try? bytes.withCursor(from: range.lowerBound) { cursor throws(__ReadError) in
        try cursor.forEachMember { cursor, name throws(__ReadError) in
          members[name] = .text(bytes, try cursor.rangeOfValue())
        }
      }
      return members
    }
  }

  /// Opens a list; nil for other values.
  package var elements: [JSONTree]? {
    switch self {
    case .list(let elements): return elements
    case .object: return nil
    case .text(let bytes, let range):
      guard firstByte == UInt8(ascii: "[") else { return nil }
      var elements: [JSONTree] = []
      try? bytes.withCursor(from: range.lowerBound) { cursor throws(__ReadError) in
        try cursor.forEachElement { cursor throws(__ReadError) in
          elements.append(.text(bytes, try cursor.rangeOfValue()))
        }
      }
      return elements
    }
  }

  /// Whether it is a list. (To ask for its elements would open it.)
  package var isList: Bool { if case .list = self { true } else { firstByte == UInt8(ascii: "[") } }

  /// Whether it is null.
  package var isNull: Bool { firstByte == UInt8(ascii: "n") }

  private var firstByte: UInt8? {
    guard case .text(let bytes, let range) = self, !range.isEmpty else { return nil }
    return bytes[range.lowerBound]
  }

  // MARK: Changing it

  /// Merges another value of one field into this one. Objects are merged by member, unless each has another `id`, and
  /// lists by element if both have the same elements. The other value replaces everything else.
  ///
  /// - Parameters:
  ///   - other: The other value.
  ///   - keepsOld: Whether values that cannot be merged stay as they are, and lists of different lengths as well. The
  ///     default is false.
  ///   - keepsEnd: Whether the longer one of two lists that begin with the same elements keeps its end. A server that
  ///     sends a list again sends only its beginning, if the rest is streamed. The default is false.
  package mutating func merge(_ other: JSONTree, keepsOld: Bool = false, keepsEnd: Bool = false) {
    if let new = other.members, var old = takeMembers() {
      // (With `keepsOld`, both are one object.)
      if !keepsOld, let id = old["id"], let newID = new["id"], id.isScalar, newID.isScalar, !id.isEqual(to: newID) {
        return self = other
      }
      for name in new.names {
        guard let value = new[name] else { continue }
        old.change(name) { member in
          if member == nil { member = value } else { member?.merge(value, keepsOld: keepsOld, keepsEnd: keepsEnd) }
        }
      }
      self = .object(old)
    } else if let new = other.elements, var old = elements,
      keepsOld ? old.count == new.count : Self.haveSameElements(old, new, keepsEnd: keepsEnd)
    {
      for (index, value) in new.enumerated() {
        guard index < old.count else {
          old.append(value)
          continue
        }
        old[index].merge(value, keepsOld: keepsOld, keepsEnd: keepsEnd)
      }
      self = .list(old)
    } else if !keepsOld {
      self = other
    }
  }

  /// The parsed members, which are moved out of this value, so that they can be changed in place.
  package mutating func takeMembers() -> Members? {
    guard let members else { return nil }
    self = .list([])
    return members
  }

  /// The parsed elements, which are moved out of this value, so that they can be changed in place.
  package mutating func takeElements() -> [JSONTree]? {
    guard let elements else { return nil }
    self = .list([])
    return elements
  }
}

// MARK: - Comparing it

extension JSONTree {
  /// How many objects and lists, one in the other, are compared. (Lists in lists are compared once for each of them.)
  private static let comparedDepth = 4

  /// Whether two lists can be merged by element. What a part brings again may have been found anew, and have changed.
  private static func haveSameElements(_ old: [JSONTree], _ new: [JSONTree], keepsEnd: Bool) -> Bool {
    let isWhole = old.count == new.count
    guard isWhole || keepsEnd else { return false }
    return zip(old, new).allSatisfy { $0.isSame(as: $1, comparesAll: !isWhole, depth: comparedDepth) }
  }

  /// Whether this may be an earlier value of the same thing: objects with the same `id`, and others by their members.
  ///
  /// - Parameters:
  ///   - other: The other value.
  ///   - comparesAll: Whether something else than an `id` tells values apart.
  ///   - depth: How many objects and lists are compared, one in the other.
  /// - Returns: Whether it may be.
  private func isSame(as other: JSONTree, comparesAll: Bool, depth: Int) -> Bool {
    guard depth > 0 else { return true }
    if let old = members, let new = other.members {
      if let id = old["id"], let newID = new["id"], id.isScalar, newID.isScalar { return id.isEqual(to: newID) }
      return old.names.allSatisfy { name in
        guard let member = old[name], let newMember = new[name] else { return true }
        return member.isSame(as: newMember, comparesAll: comparesAll, depth: depth - 1)
      }
    }
    guard comparesAll else { return true }
    if let old = elements, let new = other.elements {
      return zip(old, new).allSatisfy { $0.isSame(as: $1, comparesAll: true, depth: depth - 1) }
    }
    return isEqual(to: other)
  }

  /// Whether it is a scalar, and not null. (What was parsed is an object or a list.)
  private var isScalar: Bool { firstByte.map { !"{[n".utf8.contains($0) } ?? false }

  /// Whether both are the same scalar, however each of them is spelled.
  private func isEqual(to other: JSONTree) -> Bool {
    guard case .text(let bytes, let range) = self, case .text(let others, let otherRange) = other else { return false }
    if range.count == otherRange.count, zip(range, otherRange).allSatisfy({ bytes[$0] == others[$1] }) { return true }
    let old = value, new = other.value
    // (Strings that look the same to a user are two ids if their bytes differ.)
    if let old = old as? String { return (new as? String).map { old.utf8.elementsEqual($0.utf8) } ?? false }
    if let old = wholeNumber(old) { return old == wholeNumber(new) }
    return (old as? Double).map { $0 == new as? Double } ?? false
  }
}

extension ResponseBytes {
  /// Runs a cursor over the bytes from `offset`, and adds the place in the text to its errors.
  fileprivate func withCursor<Result>(
    from offset: Int = 0, maximumDepth: Int = .max, _ body: (inout JSONCursor) throws(__ReadError) -> Result
  ) throws(ResponseDecodingError) -> Result {
    var cursor = JSONCursor(self, maximumDepth: maximumDepth)
    cursor.p += offset
    do throws(__ReadError) {
      return try body(&cursor)
    } catch {
      throw cursor.describe(error)
    }
  }
}
