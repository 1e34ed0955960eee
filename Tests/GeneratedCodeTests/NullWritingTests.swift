@testable import ApolloAPI
@testable import ApolloCache
import ApolloTestSupport
import Fixture0060
import Testing

@Suite("Models with errors, made by tests and written") struct NullWritingTests {
  // MARK: What cannot stand in

  @Test("A scalar of the app that cannot be made of nothing is caught, and the response is not kept") func dates()
    async throws
  {
    let failed = NullCase(
      operation: Nulls.DatesQuery(),
      data: String(user(#""birthday":null,"name":"Ada""#).dropLast()) + #","when":null}"#,
      errors: ["user.birthday: broken"])
    let contents = try failed.read(errorsFirst: false)
    #expect(contents.data?.user.error?.message == "broken")
    #expect(contents.data?.when == .success(nil))
    let reading = await (try failed.stored()).read(Nulls.DatesQuery())
    #expect(throws: (any Error).self) { try reading.data.get() }
  }

  // MARK: Mocks

  @Test("A mock has errors in place of values, and what an operation says of them happens") func mocks() throws {
    let user = Mock<User>(email: "a", id: "1")
    user.setError(GraphQLError("broken"), for: \.name)
    let mock = Mock<Start>(user: user)
    let result = try Nulls.NameResultQuery.Data.from(mock)
    #expect(result.user?.name.error?.message == "broken")
    #expect(result.user?.name.error?.path == ["user", "name"])
    #expect(try Nulls.NameThrowQuery.Data.from(mock).user == nil)
    #expect(throws: GraphQLError.self) { try Nulls.UserThrowQuery.Data.from(mock) }
    let friends = Mock<User>(friends: [user, Mock<User>(id: "3", name: "Eve")], id: "2")
    let all = try Nulls.AllResultQuery.Data.from(Mock<Start>(names: ["a"], user: friends))
    #expect(try all.user.get()?.friends.get()[0].get()?.name.error?.path == ["user", "friends", 0, "name"])
    #expect(try all.user.get()?.friends.get()[1].get()?.name == .success("Eve"))
    // A field that is null only if there is an error has a default as others that are never null.
    #expect(try Nulls.NameThrowQuery.Data.from(Mock<Start>(user: Mock<User>(id: "4"))).user?.name == "")
  }

  // MARK: Writing

  @Test("A model with an error is written with it, to JSON and to the cache") func roundTrip() async throws {
    let failed = NullCase(
      operation: Nulls.NameResultQuery(), data: user(#""name":null,"email":"a@b""#), errors: ["user.name: broken"])
    let data = try #require(try failed.read(errorsFirst: false).data)
    var writer = __JSONWriter()
    data.__write(to: &writer)
    #expect(writer.text == failed.data)
    #expect(
      String(decoding: data.response().array, as: UTF8.self)
        == "{\"data\":\(failed.data),\"errors\":[\(failed.errorsText)]}")
    let store = ApolloStore()
    try await store.withinReadWriteTransaction { try $0.write(data: data, forQuery: Nulls.NameResultQuery()) }
    let reading = await store.read(Nulls.NameResultQuery())
    #expect(try reading.data.get() == data)
    #expect(reading.errors.map(\.path) == [["user", "name"]])
    var changed = data
    changed.user?.name = .success("Bob")
    #expect(changed != data)
    try await store.withinReadWriteTransaction { [changed] in
      try $0.write(data: changed, forQuery: Nulls.NameResultQuery())
    }
    #expect(try await store.load(Nulls.PlainQuery()).user?.name == "Bob")
  }
  @Test("A nil that stands for an object without a required field is not written, and one that replaces it is")
  func requiredCopies() async throws {
    let ada = #"{"__typename":"User","id":"1","name":"Ada","email":null}"#
    let eve = #"{"__typename":"User","id":"2","email":"e"}"#
    let twice = NullCase(
      operation: Nulls.RequiredTwiceQuery(), data: #"{"user":\#(ada),"same":\#(ada),"users":[\#(ada),null,\#(eve)]}"#)
    let store = try await twice.check {
      #expect($0.user == nil && $0.same?.name == "Ada" && $0.users?.map { $0?.email } == [nil, nil, "e"])
    }
    // A list of which another element is changed keeps what is not wanted here.
    try await store.withinReadWriteTransaction {
      try $0.update(query: Nulls.RequiredTwiceQuery()) { data in data.users?[2] = nil }
    }
    #expect(store.dump().contains("users: [→ User:1, null, null]"))
    try await store.withinReadWriteTransaction {
      try $0.update(query: Nulls.RequiredTwiceQuery()) { data in data.same = nil }
    }
    #expect(try await store.load(Nulls.PlainQuery()).user == nil)
  }

  @Test("An error that stands for an object around it is not written in its place") func thrownOut() async throws {
    let store = try await NullCase(
      operation: Nulls.UserResultQuery(), data: user(#""name":null,"email":"a@b""#).dropLast() + #","product":null}"#,
      errors: ["user.name: broken"]
    ).check { #expect($0.user.error?.message == "broken") }
    #expect(try await store.load(Nulls.PlainQuery()).user?.email == "a@b")
  }
}
