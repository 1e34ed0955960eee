@testable import ApolloAPI
import ApolloCache
import ResponseStyles
import StyledTests
import Testing

/// `query Two { users { id email @required(action: NONE) } same: users { id name } }`
private struct TwoQuery: GraphQLQuery {
  static let operationName = "Two"
  static let operationDocument = OperationDocument("query Two { users { id email } same: users { id name } }")

  struct Data: SelectionSet, Hashable {
    var users: [UserWithEmail?]?
    var same: [NamedUser?]?

    static let __fields = __FieldTable(version: 1, "users same:users")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      users = try object.read(0)
      same = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, users)
      writer.write(1, same)
    }
  }
}

/// `query Required { users { id email @required(action: NONE) } }`
private struct RequiredQuery: GraphQLQuery {
  static let operationName = "Required"
  static let operationDocument = OperationDocument("query Required { users { id email } }")

  struct Data: SelectionSet, Hashable {
    var users: [UserWithEmail?]?

    static let __fields = __FieldTable(version: 1, "users")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { users = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, users) }
  }
}

/// `query Teams { teams { id members { id email @required(action: NONE) } same: members { id name } } }`
private struct TeamsQuery: GraphQLQuery {
  static let operationName = "Teams"
  static let operationDocument = OperationDocument(
    "query Teams { teams { __typename id members { id email } same: members { id name } } }")

  struct Data: SelectionSet, Hashable {
    var teams: [Team]

    static let __fields = __FieldTable(version: 1, "teams")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { teams = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, teams) }
  }
}

/// `query Grid { grid { … email @required(action: NONE) } also: grid { id name } }`
private struct GridQuery: GraphQLQuery {
  static let operationName = "Grid"
  static let operationDocument = OperationDocument("query Grid { grid { id email } also: grid { id name } }")

  struct Data: SelectionSet, Hashable {
    var grid: [[UserWithEmail?]?]?
    var also: [[NamedUser?]?]?

    static let __fields = __FieldTable(version: 1, "grid also:grid")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      grid = try object.read(0)
      also = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, grid)
      writer.write(1, also)
    }
  }
}

private struct Team: SelectionSet, Hashable {
  var id: String
  var members: [UserWithEmail?]?
  var same: [NamedUser?]?

  static let __fields = __FieldTable(version: 1, "__typename id!# members same:members")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    members = try object.read(2)
    same = try object.read(3)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "Team")
    writer.write(1, id)
    writer.write(2, members)
    writer.write(3, same)
  }
}

/// `query Tags { total tags @catch(to: RESULT, levels: [1]) }`
private struct TagsQuery: GraphQLQuery {
  static let operationName = "Tags"
  static let operationDocument = OperationDocument("query Tags { total tags }")

  struct Data: SelectionSet, Hashable {
    var total: Int
    var tags: [FieldResult<String?>]?

    static let __fields = __FieldTable(version: 5, "total tags{1}")

    init(total: Int, tags: [FieldResult<String?>]) { (self.total, self.tags) = (total, tags) }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      total = try object.read(0)
      tags = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, total)
      writer.write(1, tags)
    }
  }
}

struct UserWithEmail: SelectionSet, Hashable {
  var id: String
  var email: String

  static let __fields = __FieldTable(version: 5, "__typename id!# email{none}")

  init(id: String, email: String) { (self.id, self.email) = (id, email) }

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

struct NamedUser: SelectionSet, Hashable {
  var id: String
  var name: String

  static let __fields = __FieldTable(version: 1, "__typename id!# name")

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

@Suite("Elements of lists that a model has as nil", .everyStyle)
struct KeptElementTests {
  /// Users `1`, `2` and so on; those of `hidden` have no email.
  private func users(_ count: Int, hidden: Set<Int>) -> String {
    let users = (0..<count).map { index in
      let email = hidden.contains(index) ? "null" : #""e""#
      return #"{"__typename":"User","id":"\#(index + 1)","name":"n","email":\#(email)}"#
    }
    return "[" + users.joined(separator: ",") + "]"
  }

  private func store(_ count: Int, hidden: Set<Int>) async throws -> ApolloStore {
    let store = ApolloStore(), users = users(count, hidden: hidden)
    try await store.write(response: bytes(#"{"users":\#(users),"same":\#(users)}"#), for: TwoQuery())
    return store
  }

  /// The line of a field in the dump of a store.
  func line(_ field: String, of store: ApolloStore) -> String? {
    let lines = store.dump().split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.first { $0.hasPrefix(field + ":") }.map(String.init)
  }

  @Test("What one copy of a list hides stays if another element of that copy is changed")
  func copies() async throws {
    let store = try await store(2, hidden: [0])
    try await store.withinReadWriteTransaction { try $0.update(query: TwoQuery()) { $0.users?[1] = nil } }
    #expect(line("users", of: store) == "users: [→ User:1, null]")
    try await store.withinReadWriteTransaction { try $0.update(query: TwoQuery()) { $0.same?[0] = nil } }
    #expect(line("users", of: store) == "users: [null, null]", "the copy that has the element says nil")
    let both = try await self.store(2, hidden: [0])
    try await both.withinReadWriteTransaction {
      try $0.update(query: TwoQuery()) { ($0.users, $0.same) = ([nil, nil], [nil, nil]) }
    }
    #expect(line("users", of: both) == "users: [null, null]", "one of the copies says nil")
  }

  @Test("A hidden element stays where others come and go, or become nil", arguments: Effort.seeds(80))
  func edits(seed: UInt64) async throws {
    var generator = SplitMix(state: seed)
    let count = Int.random(in: 1...7, using: &generator)
    let hidden = Set((0..<count).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
    let store = try await store(count, hidden: hidden)
    var names: [String?] = (0..<count).map { "→ User:\($0 + 1)" }
    var users = try #require(try await store.load(RequiredQuery()).users)
    try #require(users.map { $0 == nil } == (0..<count).map { hidden.contains($0) })
    let setsNil = Bool.random(using: &generator)
    for number in (0..<count).reversed() where !hidden.contains(number) {
      // (Not one that is hidden: which one of several is gone then is not told by anything.)
      guard Bool.random(using: &generator), let index = names.firstIndex(of: "→ User:\(number + 1)") else { continue }
      if setsNil {
        (users[index], names[index]) = (nil, nil)
      } else {
        users.remove(at: index)
        names.remove(at: index)
        guard Bool.random(using: &generator) else { continue }
        let place = Int.random(in: 0...users.count, using: &generator)
        users.insert(UserWithEmail(id: "new\(number)", email: "e"), at: place)
        names.insert("→ User:new\(number)", at: place)
      }
    }
    try await store.withinReadWriteTransaction { [users] in
      try $0.update(query: RequiredQuery()) { $0.users = users }
    }
    let expected = names.map { $0 ?? "null" }.joined(separator: ", ")
    #expect(line("users", of: store) == "users: [\(expected)]", "\(hidden) \(setsNil)")
  }

  @Test("A hidden element is moved with the others")
  func moved() async throws {
    let store = try await store(3, hidden: [0])
    try await store.withinReadWriteTransaction { try $0.update(query: RequiredQuery()) { $0.users?.reverse() } }
    #expect(line("users", of: store) == "users: [→ User:3, → User:2, → User:1]")
  }

  @Test("Of several hidden elements in a row none is kept in place of another")
  func removedNil() async throws {
    let store = try await store(4, hidden: [0, 1, 3])
    try await store.withinReadWriteTransaction {
      try $0.update(query: RequiredQuery()) { $0.users?.removeFirst() }
    }
    #expect(line("users", of: store) == "users: [null, → User:3, → User:4]")
  }

  @Test("A nil in place of a removed object is written as null")
  func removed() async throws {
    let store = try await store(2, hidden: [])
    try await store.remove("User:2")
    let data = try await store.load(RequiredQuery())
    #expect(data.users?.map { $0?.id } == ["1", nil])
    try await store.withinReadWriteTransaction { try $0.write(data: data, for: RequiredQuery()) }
    #expect(line("users", of: store) == "users: [→ User:1, null]")
  }

  @Test("An error in a list stays if the model has it, and is null if the model says nil")
  func errors() async throws {
    func failed(total: String) async throws -> ApolloStore {
      let store = ApolloStore()
      let text = #"{"data":{\#(total)"tags":["a",null]},"errors":[{"message":"m","path":["tags",1]}]}"#
      try await store.write(response: ResponseBytes(Array(text.restyled.utf8)), for: TagsQuery())
      return store
    }
    let store = try await failed(total: #""total":1,"#)
    let isError = { (line: String?) in line?.hasPrefix(#"tags: ["b", error"#) == true }
    try await store.withinReadWriteTransaction { try $0.update(query: TagsQuery()) { $0.tags?[0] = .success("b") } }
    #expect(isError(line("tags", of: store)))
    try await store.withinReadWriteTransaction { try $0.update(query: TagsQuery()) { $0.tags?[1] = .success(nil) } }
    #expect(line("tags", of: store) == #"tags: ["b", null]"#)
    // Here no model was read.
    let unread = try await failed(total: #""total":1,"#)
    try await unread.withinReadWriteTransaction {
      try $0.removeField("total", of: "QUERY_ROOT")
      try $0.write(data: .init(total: 2, tags: [.success("b"), .success(nil)]), for: TagsQuery())
    }
    #expect(line("tags", of: unread) == #"tags: ["b", null]"#)
  }

  @Test("The same change of all copies does not fail, though one of them hides an element")
  func sameChange() async throws {
    let store = try await store(3, hidden: [0])
    try await store.withinReadWriteTransaction {
      try $0.update(query: TwoQuery()) { data in
        data.users?.remove(at: 1)
        data.same?.remove(at: 1)
      }
    }
    #expect(line("users", of: store) == "users: [→ User:1, → User:3]")
    await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
      try await store.withinReadWriteTransaction {
        try $0.update(query: TwoQuery()) { data in
          data.users?.reverse()
          data.same?.removeLast()
        }
      }
    }
  }

  @Test("A model as it was read is written to another store, though one of its copies hides an element")
  func otherStore() async throws {
    let data = try await store(2, hidden: [0]).load(TwoQuery()), other = ApolloStore()
    try await other.withinReadWriteTransaction { try $0.write(data: data, for: TwoQuery()) }
    #expect(line("users", of: other) == "users: [→ User:1, → User:2]")
  }

  @Test("What one copy hides stays, and what the other says is written, also if the object around them has moved")
  func movedCopies() async throws {
    for (edit, expected) in [
      ({ @Sendable (team: inout Team) in team.members?[1] = nil }, "members: [→ User:1, null]"),
      ({ @Sendable (team: inout Team) in team.same?[0] = nil }, "members: [null, → User:2]"),
    ] {
      let store = ApolloStore(), members = users(2, hidden: [0])
      let teams = [("1", "[]"), ("2", members)].map { id, list in
        #"{"__typename":"Team","id":"\#(id)","members":\#(list),"same":\#(list)}"#
      }
      try await store.write(response: bytes(#"{"teams":[\#(teams.joined(separator: ","))]}"#), for: TeamsQuery())
      try await store.withinReadWriteTransaction {
        try $0.update(query: TeamsQuery()) { data in
          data.teams.removeFirst()
          edit(&data.teams[0])
        }
      }
      #expect(store.dump().contains(expected))
    }
  }

  @Test("The same change of all copies succeeds also where one of two hidden neighbours is removed")
  func sameChangeBesideHidden() async throws {
    let store = try await store(3, hidden: [0, 1])
    try await store.withinReadWriteTransaction {
      try $0.update(query: TwoQuery()) { data in
        data.users?.removeFirst()
        data.same?.removeFirst()
      }
    }
    #expect(line("users", of: store) == "users: [→ User:2, → User:3]")
  }

  @Test("What a list in a list hides stays, moves with it, and is never put into another one")
  func nestedLists() async throws {
    // (Users with odd numbers are hidden.)
    for (rows, edit, expected) in [
      ([["1", "2"], ["3"]], { @Sendable in $0[1] = [] }, "[[→ User:1, → User:2], []]"),
      ([["1", "2"], ["4"]], { @Sendable in $0 = [[$0[0]?[0]]] }, "[[→ User:1]]"),
      ([["1"], ["3"]], { @Sendable in _ = $0.remove(at: 0) }, "[[null]]"),
      ([["1", "2"], ["3", "4"]], { @Sendable in $0.swapAt(0, 1) }, "[[→ User:3, → User:4], [→ User:1, → User:2]]"),
      ([["1", "2"], ["3", "4"]], { @Sendable in $0[1] = $0[0] }, "[[→ User:1, → User:2], [null, → User:2]]"),
      ([["1", "2"], ["3", "4"]], { @Sendable in _ = $0.remove(at: 0) }, "[[→ User:3, → User:4]]"),
      ([["1", "2"], ["3"]], { @Sendable in $0[0]?.reverse() }, "[[→ User:2, → User:1], [→ User:3]]"),
    ] as [([[String]], @Sendable (inout [[UserWithEmail?]?]) -> Void, String)] {
      let store = ApolloStore()
      let lists = rows.map { row in
        let users = row.map { id in
          #"{"__typename":"User","id":"\#(id)","name":"n","email":\#(["1", "3"].contains(id) ? "null" : #""e""#)}"#
        }
        return "[\(users.joined(separator: ","))]"
      }
      let grid = "[\(lists.joined(separator: ","))]"
      try await store.write(response: bytes(#"{"grid":\#(grid),"also":\#(grid)}"#), for: GridQuery())
      try await store.withinReadWriteTransaction {
        try $0.update(query: GridQuery()) { data in
          var grid = data.grid ?? []
          edit(&grid)
          data.grid = grid
        }
      }
      #expect(line("grid", of: store) == "grid: " + expected)
    }
  }

  @Test("Users are removed by their ids from two copies, one of which hides one of them")
  func removedByID() async throws {
    let store = try await store(3, hidden: [0])
    try await store.withinReadWriteTransaction {
      try $0.update(query: TwoQuery()) { data in
        data.users?.removeAll { $0?.id == "2" }
        data.same?.removeAll { ["1", "2"].contains($0?.id) }
      }
    }
    #expect(line("users", of: store) == "users: [→ User:3]")
  }
}
