@testable import ApolloAPI
@testable import ApolloCache
import ResponseStyles
import StyledTests
import Testing

// MARK: - Models

/// A user of whom a model knows nothing but the number.
private protocol NumberedUser {
  init(_ number: Int)
}

private struct Mailed: SelectionSet, Hashable, NumberedUser {
  var id: String
  var email: String

  static let __fields = __FieldTable(version: 5, "__typename id!# email{none}")

  init(_ number: Int) { (id, email) = ("\(number)", "e") }

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    email = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "User")
    writer.write(1, id)
    writer.write(2, email)
  }
}

private struct Phoned: SelectionSet, Hashable, NumberedUser {
  var id: String
  var phone: String

  static let __fields = __FieldTable(version: 5, "__typename id!# phone{none}")

  init(_ number: Int) { (id, phone) = ("\(number)", "p") }

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    phone = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "User")
    writer.write(1, id)
    writer.write(2, phone)
  }
}

private struct Named: SelectionSet, Hashable, NumberedUser {
  var id: String
  var name: String

  static let __fields = __FieldTable(version: 1, "__typename id!# name")

  init(_ number: Int) { (id, name) = ("\(number)", "n") }

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    name = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "User")
    writer.write(1, id)
    writer.write(2, name)
  }
}

/// `query Users { users { id email @required(action: NONE) } phones: users { id phone @required(action: NONE) } named:
/// users { id name } }`
private struct UsersQuery: GraphQLQuery {
  static let operationName = "Users"
  static let operationDocument = OperationDocument(
    "query Users { users { id email } phones: users { id phone } named: users { id name } }")

  struct Data: SelectionSet, Hashable {
    var users: [Mailed?]?
    var phones: [Phoned?]?
    var named: [Named?]?

    static let __fields = __FieldTable(version: 1, "users phones:users named:users")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      users = try object.read(0)
      phones = try object.read(1)
      named = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, users)
      writer.write(1, phones)
      writer.write(2, named)
    }
  }
}

/// The same with lists in a list.
private struct RowsQuery: GraphQLQuery {
  static let operationName = "Rows"
  static let operationDocument = OperationDocument(
    "query Rows { rows { id email } phones: rows { id phone } named: rows { id name } }")

  struct Data: SelectionSet, Hashable {
    var rows: [[Mailed?]?]?
    var phones: [[Phoned?]?]?
    var named: [[Named?]?]?

    static let __fields = __FieldTable(version: 1, "rows phones:rows named:rows")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      rows = try object.read(0)
      phones = try object.read(1)
      named = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, rows)
      writer.write(1, phones)
      writer.write(2, named)
    }
  }
}

// MARK: - What copies say

/// What a copy says of one element of its list.
private enum Word: Hashable {
  case user(Int)
  /// The app has put nil there.
  case null
  /// Nothing: the copy has nil, because it hides the user.
  case hidden(Int)

  var user: Int? {
    switch self {
    case .user(let user), .hidden(let user): user
    case .null: nil
    }
  }

  var isHidden: Bool { if case .hidden = self { true } else { false } }
}

/// What an app does to a list. It does not move what it does not see.
private enum Edit {
  case remove(Int)
  case insert(Int, at: Int)
  case clear(Int)
  case replace(Int, by: Int)

  /// Some edits of a list: elements come and go, or become nil or others where they are.
  static func some(
    _ count: Int, keepsPlaces: Bool, _ nextUser: inout Int, _ random: inout SplitMix
  ) -> [Edit] {
    var count = count, edits: [Edit] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let isLess = Int.random(in: 0..<5, using: &random) < 3
      if keepsPlaces {
        let index = Int.random(in: 0..<count, using: &random)
        edits.append(isLess ? .clear(index) : .replace(index, by: nextUser))
      } else if isLess, count > 0 {
        edits.append(.remove(Int.random(in: 0..<count, using: &random)))
        count -= 1
      } else {
        edits.append(.insert(nextUser, at: Int.random(in: 0...count, using: &random)))
        count += 1
      }
      nextUser += 1
    }
    return edits
  }
}

/// A copy of a list, which knows whom each nil hides.
private struct NaiveCopy {
  private let old: [Word]
  private(set) var words: [Word]
  /// Whether the app has removed something that it does not see. Then nothing tells who of them is left.
  private(set) var hasLostHidden = false

  init(_ count: Int, hidden: Set<Int>) {
    old = (1...count).map { hidden.contains($0) ? .hidden($0) : .user($0) }
    words = old
  }

  var isChanged: Bool { words != old }

  /// Makes edits, here and in the list of the model.
  ///
  /// - Returns: The list of the model.
  mutating func make<Element: NumberedUser>(_ edits: [Edit], in list: [Element?]?) -> [Element?]? {
    var list = list
    for edit in edits {
      switch edit {
      case .remove(let index):
        if words[index].isHidden { hasLostHidden = true }
        words.remove(at: index)
        list?.remove(at: index)
      case .insert(let user, let index):
        words.insert(.user(user), at: index)
        list?.insert(Element(user), at: index)
      case .clear(let index):
        // (It is nil already.)
        if words[index].isHidden { continue }
        words[index] = .null
        list?[index] = nil
      case .replace(let index, let user):
        if words[index].isHidden { continue }
        words[index] = .user(user)
        list?[index] = Element(user)
      }
    }
    return list
  }

  /// Whether a list has what the copy shows, and nothing but what it hides beside that.
  func agrees(with list: ArraySlice<Int?>, from index: Int = 0) -> Bool {
    guard index < words.count else { return list.isEmpty }
    if words[index].isHidden, agrees(with: list, from: index + 1) { return true }
    guard let first = list.first, words[index].isHidden || first == words[index].user else { return false }
    return agrees(with: list.dropFirst(), from: index + 1)
  }

  /// Whether a list may be what comes of the words of some copies.
  ///
  /// - Parameters:
  ///   - list: The list after the edits; nil if it was refused, because the copies differ.
  ///   - copies: The copies.
  ///   - before: The list before the edits.
  /// - Returns: Whether it may.
  static func allow(_ list: [Int?]?, _ copies: [NaiveCopy], before: [Int?]) -> Bool {
    let changed = copies.filter(\.isChanged)
    guard let count = changed.first?.words.count else { return list == before }
    var said: [Set<Word>] = []
    if changed.allSatisfy({ $0.words.count == count }) {
      said = (0..<count).map { index in Set(changed.map { $0.words[index] }.filter { !$0.isHidden }) }
    }
    // Copies differ if two of them show different things at one place, or have different lengths. (One may lack what
    // the other hides.)
    let differ = said.contains { $0.count > 1 } || changed.contains { $0.words.count != count }
    if differ {
      return list.map { list in changed.allSatisfy { $0.agrees(with: list[...]) } } ?? true
    }
    guard let list, list.count == count else { return false }
    return list.indices.allSatisfy { index in
      if let word = said[index].first { return list[index] == word.user }
      let hidden = changed.compactMap { $0.words[index].user }
      return list[index].map { hidden.contains($0) } ?? changed.allSatisfy(\.hasLostHidden)
    }
  }
}

/// Users 1, 2 and so on in a list, and what is done to the three copies of it.
private struct CopyCase: CustomStringConvertible {
  let count: Int
  /// Whom each copy hides: users without an email, users without a phone, and none.
  let hidden: [Set<Int>]
  let edits: [[Edit]]

  /// - Parameters:
  ///   - editedCount: How many of the copies are edited: all in the same way, or each in its own.
  ///   - random: The choices.
  init(editedCount: Int, _ random: inout SplitMix) {
    let count = Int.random(in: 1...6, using: &random)
    var hidden: [Set<Int>] = [[], [], []], edits: [[Edit]] = [[], [], []], nextUser = 100
    for copy in 0..<2 { hidden[copy] = Set((1...count).filter { _ in Int.random(in: 0..<5, using: &random) < 2 }) }
    let keepsPlaces = Bool.random(using: &random), isSame = Bool.random(using: &random)
    let same = Edit.some(count, keepsPlaces: keepsPlaces, &nextUser, &random)
    for copy in [0, 1, 2].shuffled(using: &random).prefix(editedCount) {
      edits[copy] = isSame ? same : Edit.some(count, keepsPlaces: keepsPlaces, &nextUser, &random)
    }
    (self.count, self.hidden, self.edits) = (count, hidden, edits)
  }

  var copies: [NaiveCopy] { hidden.map { NaiveCopy(count, hidden: $0) } }

  /// The list of the server.
  var text: String {
    let users = (1...count).map { user in
      let email = hidden[0].contains(user) ? "null" : #""e""#, phone = hidden[1].contains(user) ? "null" : #""p""#
      return #"{"__typename":"User","id":"\#(user)","name":"n","email":\#(email),"phone":\#(phone)}"#
    }
    return "[" + users.joined(separator: ",") + "]"
  }

  var description: String { "\(count) users, hidden: \(hidden), edits: \(edits)" }
}

// MARK: - Tests

/// A nil says nothing of an element that a copy hides. All else that copies of a list say is written, if it is the same.
@Suite("Changes of several copies of a list, each of which hides other elements")
struct CopyChangePropertyTests {
  /// The numbers of the users in a list of the cache.
  private static func users(_ list: CachedValue?) -> [Int?] {
    guard case .list(let values)? = list else {
      Issue.record("there is no list")
      return []
    }
    return values.map { value in
      if case .reference(let key) = value { Int(key.dropFirst("User:".count)) } else { nil }
    }
  }

  private static func field(_ name: String, of store: ApolloStore) -> CachedValue? {
    store.engine.table.exported(["QUERY_ROOT"])["QUERY_ROOT"]?[name]
  }

  /// Puts data in the place of what the cache has.
  ///
  /// - Returns: False if its copies differ.
  private static func put<Query: GraphQLQuery>(
    _ data: Query.Data, for query: Query, in store: ApolloStore
  ) async throws -> Bool where Query.Data: Sendable {
    do {
      try await store.withinReadWriteTransaction { try $0.update(query: query) { $0 = data } }
      return true
    } catch is ApolloStore.ReadWriteTransaction.ConflictingCopiesError {
      return false
    }
  }

  @Test("Copies that agree are written, and copies that differ are refused", arguments: Effort.seeds(150), [1, 2, 3])
  func lists(seed: UInt64, editedCount: Int) async throws {
    var random = SplitMix(state: seed)
    for _ in 0..<10 {
      let test = CopyCase(editedCount: editedCount, &random), store = ApolloStore(), text = test.text
      try await store.write(
        response: bytes(#"{"users":\#(text),"phones":\#(text),"named":\#(text)}"#), for: UsersQuery())
      var data = try await store.load(UsersQuery()), copies = test.copies
      let before = Self.users(Self.field("users", of: store))
      data.users = copies[0].make(test.edits[0], in: data.users)
      data.phones = copies[1].make(test.edits[1], in: data.phones)
      data.named = copies[2].make(test.edits[2], in: data.named)
      let isWritten = try await Self.put(data, for: UsersQuery(), in: store)
      let after = Self.users(Self.field("users", of: store))
      try #require(isWritten || after == before, "\(test)")
      try #require(
        NaiveCopy.allow(isWritten ? after : nil, copies, before: before),
        "\(test), found: \(isWritten ? "\(after)" : "an error")")
    }
  }

  @Test("So are those of a list in a list", arguments: Effort.seeds(100), [1, 2, 3])
  func rows(seed: UInt64, editedCount: Int) async throws {
    var random = SplitMix(state: seed)
    for _ in 0..<10 {
      let test = CopyCase(editedCount: editedCount, &random), store = ApolloStore()
      let other = #"[{"__typename":"User","id":"99","name":"n","email":"e","phone":"p"}]"#
      let text = "[\(test.text),\(other)]"
      try await store.write(
        response: bytes(#"{"rows":\#(text),"phones":\#(text),"named":\#(text)}"#), for: RowsQuery())
      var data = try await store.load(RowsQuery()), copies = test.copies
      func found() -> [[Int?]] {
        guard case .list(let rows)? = Self.field("rows", of: store) else { return [] }
        return rows.map { Self.users($0) }
      }
      let before = found()
      let rows = data.rows?[0]
      data.rows?[0] = copies[0].make(test.edits[0], in: rows ?? nil)
      let phones = data.phones?[0]
      data.phones?[0] = copies[1].make(test.edits[1], in: phones ?? nil)
      let named = data.named?[0]
      data.named?[0] = copies[2].make(test.edits[2], in: named ?? nil)
      let isWritten = try await Self.put(data, for: RowsQuery(), in: store)
      let after = found()
      try #require(after.count == 2 && after[1] == [99] && (isWritten || after == before), "\(test), found: \(after)")
      try #require(
        NaiveCopy.allow(isWritten ? after[0] : nil, copies, before: before[0]),
        "\(test), found: \(isWritten ? "\(after)" : "an error")")
    }
  }
}
