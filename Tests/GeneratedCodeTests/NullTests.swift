@testable import ApolloAPI
@testable import ApolloCache
import Fixture0060
import Testing

// The cases of Apollo Kotlin's suites CatchThrow, CatchNull, CatchResult, Levels, Fragment, Nested and SemanticNonNull,
// by what they check, and Relay's of @required.

@Suite("Generated code that catches errors of fields") struct NullTests {
  // MARK: A field

  @Test("A result has the value, or the error of a field") func result() async throws {
    try await NullCase(operation: Nulls.NameResultQuery(), data: user(#""name":"Ada","email":null"#)).check {
      #expect($0.user?.name == .success("Ada"))
    }
    let failed = NullCase(
      operation: Nulls.NameResultQuery(), data: user(#""name":null,"email":"a@b""#), errors: ["user.name: broken"])
    try await failed.check { data in
      #expect(data.user?.name.error?.message == "broken")
      #expect(data.user?.name.error?.path == ["user", "name"])
      #expect(data.user?.email == "a@b")
      #expect(throws: GraphQLError.self) { _ = try data.user?.name.get() }
    }
    // The whole object is null.
    try await NullCase(operation: Nulls.NameResultQuery(), data: #"{"user":null}"#, errors: ["user: gone"]).check {
      #expect($0.user == nil)
    }
  }

  @Test("A null without an error where there must be one cannot be read", arguments: [false, true])
  func nullWithoutError(errorsFirst: Bool) throws {
    let bare = NullCase(operation: Nulls.NameResultQuery(), data: user(#""name":null,"email":null"#))
    #expect(throws: ResponseDecodingError.self) { try bare.read(errorsFirst: errorsFirst) }
    var other = NullCase(operation: Nulls.NameThrowQuery(), data: user(#""name":null,"email":null"#))
    #expect(throws: ResponseDecodingError.self) { try other.read(errorsFirst: errorsFirst) }
    other.errors = ["user.email: another field"]
    let error = #expect(throws: ResponseDecodingError.self) { try other.read(errorsFirst: errorsFirst) }
    #expect(error?.reason == .nullValue && error?.path == ["user", "name"])
  }

  @Test("An error that is caught as null is nil, and one without a path as well") func null() async throws {
    for errors in [["user.name: broken"], []] {
      try await NullCase(
        operation: Nulls.NameNullQuery(), data: user(#""name":null,"email":null"#), errors: errors
      ).check { #expect($0.user != nil && $0.user?.name == nil) }
    }
  }

  @Test("An error that is thrown makes the nearest object null that catches it") func thrown() async throws {
    let failed = NullCase(
      operation: Nulls.NameThrowQuery(), data: user(#""name":null,"email":"a@b""#), errors: ["user.name: broken"])
    let store = try await failed.check { #expect($0.user == nil) }
    // The cache has what the server sent, so that another query finds it.
    let plain = await store.read(Nulls.PlainQuery())
    #expect(try plain.data.get().user?.email == "a@b")
    #expect(plain.errors.map(\.message) == ["broken"])
    try await NullCase(operation: Nulls.NameThrowQuery(), data: user(#""name":"Ada","email":null"#)).check {
      #expect($0.user?.name == "Ada")
    }
  }

  @Test("An error of a field that may be null is thrown, and a null is not") func nullableThrown() async throws {
    try await NullCase(operation: Nulls.EmailThrowQuery(), data: user(#""email":null,"name":"Ada""#)).check {
      #expect($0.user?.email == nil && $0.user?.name == "Ada")
    }
    let failed = NullCase(
      operation: Nulls.EmailThrowQuery(), data: user(#""email":null,"name":"Ada""#), errors: ["user.email: broken"])
    let store = try await failed.check { #expect($0.user == nil) }
    #expect(try await store.load(Nulls.PlainQuery()).user?.name == "Ada")
  }

  @Test("A result of a field that may be null is nil, or the error") func nullableResult() async throws {
    let members = #""email":null,"role":"ADMIN","birthday":null"#
    try await NullCase(operation: Nulls.EmailResultQuery(), data: user(members)).check {
      #expect($0.user?.email == .success(nil) && $0.user?.role == .success(.case(.admin)))
      #expect($0.user?.birthday == nil)
    }
    try await NullCase(operation: Nulls.EmailResultQuery(), data: user(members), errors: ["user.email: broken"]).check {
      #expect($0.user?.email.error?.message == "broken")
    }
  }

  // MARK: Objects

  @Test("A result of an object has an error that is thrown inside, and its siblings are read") func nested()
    async throws
  {
    let product = #","product":{"__typename":"Product","id":"7","name":"Tea"}}"#
    let data = user(#""name":null,"email":"a@b""#).dropLast() + product
    let failed = NullCase(operation: Nulls.UserResultQuery(), data: String(data), errors: ["user.name: broken"])
    let store = try await failed.check {
      #expect($0.user.error?.path == ["user", "name"])
      #expect($0.product?.name == "Tea")
    }
    #expect(try await store.load(Nulls.PlainQuery()).user?.email == "a@b")
    // The same as the last field.
    try await NullCase(
      operation: Nulls.ViewerResultQuery(), data: #"{"viewer":{"__typename":"User","id":"1","name":null}}"#,
      errors: ["viewer.name: broken"]
    ).check { #expect($0.viewer.error?.message == "broken") }
  }

  @Test("An error that nothing catches leaves no data, and says which it was") func unhandled() async throws {
    let product = #","product":null}"#
    let data = String(user(#""name":null,"email":"a@b""#).dropLast()) + product
    try await NullCase(operation: Nulls.UserThrowQuery(), data: data, errors: ["user.name: broken"])
      .checkUnhandled("broken")
    try await NullCase(
      operation: Nulls.UserThrowQuery(), data: #"{"user":null,"product":null}"#, errors: ["user: gone"]
    )
    .checkUnhandled("gone")
    try await NullCase(operation: Nulls.UserThrowQuery(), data: #"{"user":null,"product":null}"#).check {
      #expect($0.user == nil)
    }
    let viewer = #"{"viewer":{"__typename":"User","id":"1","name":null},"product":null}"#
    try await NullCase(operation: Nulls.ViewerQuery(), data: viewer, errors: ["viewer.name: broken"])
      .checkUnhandled("broken")
  }

  @Test("The first of several errors is thrown, and all are reported") func several() async throws {
    let data =
      #"{"viewer":{"__typename":"User","id":"1","name":null},"product":{"__typename":"Product","id":"2","price":null}}"#
    try await NullCase(
      operation: Nulls.ViewerQuery(), data: data, errors: ["product.price: second", "viewer.name: first"]
    ).checkUnhandled("first")
  }

  @Test("The error of a part that may not be null belongs to the object around it") func propagated() async throws {
    try await NullCase(
      operation: Nulls.UserResultQuery(), data: #"{"user":null,"product":null}"#, errors: ["user.boss.id: broken"]
    ).check { #expect($0.user.error?.path == ["user", "boss", "id"]) }
  }

  @Test("A null where the schema allows none is an error that is caught, if the server says so (onError: NULL)")
  func nullOfNonNull() async throws {
    try await NullCase(
      operation: Nulls.UserResultQuery(),
      data: #"{"user":{"__typename":"User","id":null,"name":"Ada","email":null},"product":null}"#,
      errors: ["user.id: broken"]
    ).check { #expect($0.user.error?.message == "broken") }
    // Without @catch: the nearest object that may be null.
    let data =
      #"{"user":{"__typename":"User","id":"1","name":"Ada","email":null},"product":{"__typename":"Product","id":"7","name":null}}"#
    try await NullCase(operation: Nulls.UserThrowQuery(), data: data, errors: ["product.name: broken"]).check {
      #expect($0.user?.name == "Ada" && $0.product == nil)
    }
  }

  @Test("An object that may not be null, and a field that is left out, are kept as what they are")
  func blankObjects() async throws {
    let friend = #""bestFriend":{"__typename":"User","id":"2","boss":null}"#
    let nested = NullCase(
      operation: Nulls.NestedQuery(), data: user(friend + #","boss":null"#),
      errors: ["user.boss: first", "user.bestFriend.boss: second"])
    let store = try await nested.check { #expect($0.user.error?.message == "first") }
    let text = store.dump()
    #expect(text.contains("User:2") && text.contains("first") && text.contains("second"))
    // A null in a list of objects that may not be null, on the way to a result.
    let products = #"{"user":{"__typename":"User","id":"1","email":null},"product":null}"#
    let required = try await NullCase(operation: Nulls.RequiredResultQuery(), data: products).check {
      #expect($0.user == .success(nil) && $0.product == .success(nil))
    }
    #expect(required.dump().contains("User:1"))
  }

  @Test("Results in results each catch what is thrown inside of them") func nestedResults() async throws {
    let boss = #""boss":{"__typename":"User","id":"3","name":"Eve"}"#
    let friend = #""bestFriend":{"__typename":"User","id":"2","boss":{"__typename":"User","id":"4","name":null}}"#
    try await NullCase(
      operation: Nulls.NestedQuery(), data: user(friend + "," + boss), errors: ["user.bestFriend.boss.name: broken"]
    ).check {
      let user = try #require(try $0.user.get())
      #expect(user.bestFriend.error?.message == "broken")
      #expect(user.boss.name == "Eve")
    }
    let bossOfAll = #""boss":{"__typename":"User","id":"3","name":null}"#
    try await NullCase(
      operation: Nulls.NestedQuery(), data: user(friend + "," + bossOfAll),
      errors: ["user.boss.name: outer", "user.bestFriend.boss.name: inner"]
    ).check { #expect($0.user.error?.message == "outer") }
  }

  // MARK: Lists

  @Test("Each level of a list catches by itself") func levels() async throws {
    let people = #"[{"__typename":"User","id":"1","name":"Ada"},{"__typename":"User","id":"2","name":null},null,null]"#
    let data = #"{"lists":\#(people),"names":["a","b"],"nulls":["a",null],"matrix":[[1,null],null],"rows":[[1],null]}"#
    try await NullCase(
      operation: Nulls.LevelsQuery(), data: data,
      errors: ["lists.1.name: broken", "lists.3: gone", "nulls.1: odd", "matrix.0.1: cell", "rows.1: row"]
    ).check {
      let list = try $0.lists.get() ?? []
      #expect(list.map { $0.error?.message } == [nil, "broken", nil, "gone"])
      #expect(try list[0].get()?.name == "Ada")
      #expect(list[2] == .success(nil))
      #expect($0.nulls == ["a", nil])
      #expect($0.matrix?[0]?[0] == .success(1) && $0.matrix?[0]?[1].error?.message == "cell")
      #expect($0.rows?.count == 2)
    }
    let whole = #"{"lists":null,"names":["a"],"nulls":null,"matrix":null,"rows":null}"#
    try await NullCase(operation: Nulls.LevelsQuery(), data: whole, errors: ["lists: all"]).check {
      #expect($0.lists.error?.message == "all")
    }
  }

  @Test("An element that may not be null makes null what catches its error") func elements() async throws {
    let start = #"{"lists":[],"nulls":null,"#
    let rows = NullCase(
      operation: Nulls.LevelsQuery(),
      data: start + #""names":["a"],"matrix":null,"rows":[[1,null],[2]]}"#, errors: ["rows.0.1: cell"])
    let store = try await rows.check { #expect($0.rows?.count == 2 && $0.rows?[0] == nil && $0.rows?[1] == [2]) }
    // The cache has the elements, and the error in its place.
    #expect(store.dump().contains("cell"))
    try await NullCase(
      operation: Nulls.LevelsQuery(), data: start + #""names":["a",null],"matrix":null,"rows":null}"#,
      errors: ["names.1: broken"]
    ).checkUnhandled("broken")
  }

  // MARK: Defaults

  @Test("An operation that throws by default throws from every place") func throwByDefault() async throws {
    let friend = #""bestFriend":{"__typename":"User","id":"2","name":"Bob"},"friends":[null]"#
    try await NullCase(operation: Nulls.AllThrowQuery(), data: user(#""name":"Ada","# + friend)).check {
      #expect($0.user?.bestFriend?.name == "Bob" && $0.user?.friends == [nil])
    }
    try await NullCase(
      operation: Nulls.AllThrowQuery(), data: user(#""name":"Ada","# + friend), errors: ["user.friends.0: gone"]
    ).checkUnhandled("gone")
    try await NullCase(
      operation: Nulls.ThrowOnErrorQuery(),
      data: #"{"product":{"__typename":"Product","id":"1","price":null},"names":[]}"#, errors: ["product.price: broken"]
    ).checkUnhandled("broken")
  }

  @Test("An operation with results by default has them at every place") func resultByDefault() async throws {
    let members =
      #""name":null,"bestFriend":{"__typename":"User","id":"2","name":null},"friends":[null,{"__typename":"User","id":"3","name":"Eve"}],"tags":[null]"#
    let data = String(user(members).dropLast()) + #","names":["a",null]}"#
    try await NullCase(
      operation: Nulls.AllResultQuery(), data: data,
      errors: ["user.name: 1", "user.bestFriend.name: 2", "user.friends.0: 3", "user.tags.0: 4", "names.1: 5"]
    ).check {
      let user = try #require(try $0.user.get())
      #expect(user.name.error?.message == "1")
      #expect(try user.bestFriend.get()?.name.error?.message == "2")
      #expect(try user.friends.get().map { $0.error?.message } == ["3", nil])
      #expect(try user.tags.get()?.map { $0.error?.message } == ["4"])
      #expect(try $0.names.get().map { $0.error?.message } == [nil, "5"])
    }
  }

  @Test("A fragment has its own default, and catches for each of its objects") func fragments() async throws {
    let friend = #""bestFriend":{"__typename":"User","id":"2","email":"b","birthday":"2001-01-01T00:00:00Z"}"#
    let members = #""name":null,"email":"a","birthday":"2000-01-01T00:00:00Z","# + friend
    try await NullCase(operation: Nulls.WithFragmentsQuery(), data: user(members), errors: ["user.name: broken"]).check
    {
      #expect($0.user?.fragments.name.name.error?.message == "broken")
      #expect($0.user?.throwing.email == "a")
    }
    let broken = #""bestFriend":{"__typename":"User","id":"2","email":null,"birthday":"2001-01-01T00:00:00Z"}"#
    try await NullCase(
      operation: Nulls.WithFragmentsQuery(),
      data: user(#""name":"Ada","email":"a","birthday":"2000-01-01T00:00:00Z","# + broken),
      errors: ["user.bestFriend.email: broken"]
    ).check {
      #expect($0.user != nil && $0.user?.bestFriend == nil)
      #expect($0.user?.fragments.name.name == .success("Ada"))
    }
  }

  @Test("Parts on a type, under a condition and deferred catch as others do") func parts() async throws {
    let node = NullCase(
      operation: Nulls.TypedQuery(), data: #"{"node":{"__typename":"Product","id":"1","price":null}}"#,
      errors: ["node.price: broken"])
    try await node.check { #expect($0.node?.item?.price.error?.message == "broken") }
    try await NullCase(
      operation: Nulls.TypedQuery(), data: #"{"node":{"__typename":"User","id":"1","name":null}}"#,
      errors: ["node.name: broken"]
    ).check { #expect($0.node == nil) }
    try await NullCase(
      operation: Nulls.ConditionalQuery(full: false), data: #"{"user":{"__typename":"User","id":"1"}}"#
    )
    .check { #expect($0.user?.name == nil && $0.user?.email == nil) }
    try await NullCase(
      operation: Nulls.ConditionalQuery(full: true), data: user(#""name":"Ada","email":null"#),
      errors: ["user.email: broken"]
    ).check { #expect($0.user?.name == "Ada" && $0.user?.email?.error?.message == "broken") }
    try await NullCase(
      operation: Nulls.DeferredQuery(), data: user(#""name":"Ada","email":null"#), errors: ["user.email: broken"]
    ).check { #expect($0.user?.asUser.value?.email.error?.message == "broken") }
  }

  @Test(
    "A fragment that has not come shares fields with what has, and their errors",
    arguments: ["pending", "notExecuted"], [nil, "QUERY_ROOT"])
  func deferredTwice(mark: String, rootKey: String?) throws {
    let errors = #""errors":[{"message":"broken","path":["user","name"]}]"#
    let expected = mark == "pending" ? DeferredFragment<Nulls.DeferredTwiceQuery.Data.User.More>.pending : .notExecuted
    for text in [
      #"{"@defer":"\#(mark)","data":\#(user(#""name":null"#)),\#(errors)}"#,
      #"{"data":\#(user(#""name":null,"@defer":{"more":"\#(mark)"}"#)),\#(errors)}"#,
    ] {
      let contents = try ResponseReader.read(
        Nulls.DeferredTwiceQuery.Data.self, from: ResponseBytes(text.utf8), variables: .none, rootKey: rootKey)
      #expect(contents.data?.user?.name.error?.message == "broken")
      #expect(contents.data?.user?.more == expected)
      #expect((contents.records != nil) == (rootKey != nil))
    }
  }

  // MARK: Required fields

  @Test("A required field that is null makes its object null") func required() async throws {
    let viewer = #","viewer":{"__typename":"User","id":"9","tags":["a"]}}"#
    func data(_ members: String) -> String { String(user(members).dropLast()) + viewer }
    let friend = #""bestFriend":{"__typename":"User","id":"2","email":"b"}"#
    try await NullCase(operation: Nulls.RequiredQuery(), data: data(#""email":"a","# + friend)).check {
      #expect($0.user?.email == "a" && $0.user?.bestFriend?.email == "b")
    }
    let missing = NullCase(operation: Nulls.RequiredQuery(), data: data(#""email":null,"# + friend))
    let store = try await missing.check { #expect($0.user == nil && $0.viewer.tags == ["a"]) }
    #expect(store.dump().contains("User:2"))
    let logged = NullCase(
      operation: Nulls.RequiredQuery(),
      data: data(#""email":"a","bestFriend":{"__typename":"User","id":"2","email":null}"#))
    try await logged.check { #expect($0.user?.email == "a" && $0.user?.bestFriend == nil) }
    #expect(try logged.read(errorsFirst: false).loggedNulls.map(\.path) == [["user", "bestFriend", "email"]])
    let thrown = #"{"user":null,"viewer":{"__typename":"User","id":"9","tags":null}}"#
    try await NullCase(operation: Nulls.RequiredQuery(), data: thrown)
      .checkUnhandled("The field is null, and the operation requires a value.")
  }

  @Test("A result around a required field is nil, and the error of one that throws") func requiredResult() async throws
  {
    let data =
      #"{"user":{"__typename":"User","id":"1","email":null},"product":{"__typename":"Product","id":"2","price":null}}"#
    try await NullCase(operation: Nulls.RequiredResultQuery(), data: data, errors: ["product.price: broken"]).check {
      #expect($0.user == .success(nil))
      #expect($0.product.error?.message == "broken")
    }
  }

  @Test("A required field has a value also where fields are results by default") func requiredInResults() async throws {
    let friend = #""bestFriend":{"__typename":"User","id":"2","name":null}"#
    func data(_ members: String, tags: String = #"["a",null]"#) -> String {
      user(members).dropLast() + #","viewer":{"__typename":"User","id":"9","tags":\#(tags)}}"#
    }
    let operation = Nulls.RequiredInResultsQuery()
    let failed = NullCase(
      operation: operation, data: data(#""email":"a","# + friend),
      errors: ["user.bestFriend.name: broken", "viewer.tags.1: odd"])
    try await failed.check {
      let user = try #require(try $0.user.get())
      #expect(user.email == "a" && user.bestFriend == .success(nil))
      #expect($0.viewer.tags.map { $0.error?.message } == [nil, "odd"])
    }
    #expect(try failed.read(errorsFirst: true).loggedNulls.map(\.message) == ["broken"])
    for errors in [[], ["user.email: broken"]] {
      try await NullCase(
        operation: operation, data: data(#""email":null,"bestFriend":null"#, tags: "[]"), errors: errors
      ).check { #expect($0.user == .success(nil) && $0.viewer.tags.isEmpty) }
    }
    try await NullCase(
      operation: operation, data: data(#""email":"a","bestFriend":null"#, tags: "null"), errors: ["viewer.tags: broken"]
    ).checkUnhandled("broken")
  }

  @Test("A chain of required fields makes null what is around it") func requiredChain() async throws {
    for friend in [#"{"__typename":"User","id":"2","email":null}"#, "null"] {
      try await NullCase(operation: Nulls.RequiredChainQuery(), data: user(#""bestFriend":\#(friend)"#)).check {
        #expect($0.user == nil)
      }
    }
  }
}
