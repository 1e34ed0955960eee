@testable import ApolloAPI
@testable import ApolloCache
import Fixture0061
import Foundation
import StyledTests
import Testing

// The cases of graphql-js' tests of fragment arguments and of Relay's @arguments, by what they check. What a fragment has
// read is asked for again by queries without fragments, whose keys are not made in the same way.

@Suite("Fragments with arguments") struct FragmentArgumentTests {
  /// A store with the objects of a response, or with those of the model that was read of it.
  private func stores<Query: GraphQLQuery>(_ query: Query, _ data: String) async throws -> [ApolloStore] {
    let read = ApolloStore(), written = ApolloStore()
    let contents = try ResponseReader.read(
      Query.Data.self, from: ResponseBytes("{\"data\":\(data)}".restyled.utf8), variables: query.variables,
      rootKey: Query.operationType.rootKey, identity: read.identity)
    await read.publish(try #require(contents.records))
    nonisolated(unsafe) let model = try #require(contents.data)
    try await written.withinReadWriteTransaction { try $0.write(data: model, for: query) }
    for store in [read, written] {
      let again = try await store.read(query).data.get()
      #expect(again.jsonText(query.variables) == model.jsonText(query.variables))
    }
    return [read, written]
  }

  @Test("A value, a default value, and a variable of the operation") func values() async throws {
    let data = """
      {"small":\(user(1, #""name":"A","avatar":"a16""#)),"middle":\(user(2, #""name":"B","avatar":"b24""#)),\
      "large":\(user(3, #""name":"C","avatar":"c32""#))}
      """
    for store in try await stores(Arguments.AvatarsQuery(), data) {
      let keys = try await store.read(Arguments.AvatarKeysQuery()).data.get()
      #expect(keys.small?.avatar == "a16")
      #expect(keys.middle?.avatar == "b24")
      #expect(keys.large?.avatar == "c32")
      // Other arguments lead elsewhere.
      let other = await store.read(Arguments.AvatarsQuery(size: 33))
      #expect(throws: ResponseDecodingError.self) { try other.data.get() }
    }
  }

  @Test("Each fragment sees its own variables, and else those of the operation") func shadowing() async throws {
    let friend = user(2, #""name":"B""#)
    let inner = user(2, #""wide":[\#(user(3, ""))]"#)
    let post = #"{"__typename":"Post","id":"9","title":"T"}"#
    let data = #"{"user":\#(user(1, #""friends":[\#(friend)],"inner":[\#(inner)],"posts":[\#(post)]"#))}"#
    for store in try await stores(Arguments.ShadowsQuery(first: 7), data) {
      let keys = try #require(try await store.read(Arguments.ShadowKeysQuery()).data.get().user)
      #expect(keys.friends.map(\.name) == ["B"])
      #expect(keys.inner.first?.wide.map(\.id) == ["3"])
      #expect(keys.posts.first?.title == "T")
    }
  }

  @Test("Variables in lists and input objects, and one fragment twice on one record") func inputs() async throws {
    func matches(_ id: Int) -> String {
      user(1, #""matches":[\#(user(id, #""name":"\#(id)","avatar":"8""#))]"#)
    }
    let query = Arguments.FiltersQuery(name: "x")
    for store in try await stores(query, #"{"a":\#(matches(2)),"b":\#(matches(3))}"#) {
      let data = try await store.read(query).data.get()
      #expect(data.a?.matches.map(\.id) == ["2"])
      #expect(data.b?.matches.map(\.id) == ["3"])
      let keys = try #require(try await store.read(Arguments.FilterKeysQuery()).data.get().user)
      #expect(keys.a.map(\.id) == ["2"])
      #expect(keys.b.map(\.id) == ["3"])
      #expect(keys.b.map(\.avatar) == ["8"])
    }
  }

  @Test("Conditions on variables of a fragment", arguments: [false, true], [false, true])
  func conditions(isLong: Bool, withTitles: Bool) async throws {
    let latest = #""latest":[{"__typename":"Post","id":"9","title":"T"}]"#
    let titles = #""posts":[{"__typename":"Post","id":"8","title":"UP"}]"#
    let b = [#""name":"B""#, isLong ? #""avatar":"b""# : latest] + (withTitles ? [titles] : [])
    let data = """
      {"a":\(user(1, #""name":"A","avatar":"a""#)),"b":\(user(2, b.joined(separator: ","))),\
      "c":\(user(3, #""name":"C",\#(latest)"#))}
      """
    let query = Arguments.PartsQuery(isLong: isLong, withTitles: withTitles)
    for store in try await stores(query, data) {
      let read = try await store.read(query).data.get()
      #expect(read.a?.avatar == "a" && read.a?.latest == nil)
      #expect(read.b?.avatar == (isLong ? "b" : nil))
      #expect(read.b?.latest?.map(\.title) == (isLong ? nil : ["T"]))
      #expect(read.b?.titles?.posts.map(\.title) == (withTitles ? ["UP"] : nil))
      #expect(read.c?.avatar == nil && read.c?.latest?.map(\.title) == ["T"])
      let keys = await store.read(Arguments.PartKeysQuery())
      #expect((try? keys.data.get()) != nil || isLong || !withTitles)
    }
  }

  @Test("In fragments on types of a union, beside the object's own selections") func unions() async throws {
    let friend = user(2, #""name":"B","avatar":"b50""#)
    let found = user(1, #""friends":[\#(friend)],"name":"A","avatar":"a40""#)
    let post = #"{"__typename":"Post","id":"9","title":"T","author":\#(user(2, #""name":"B","avatar":"b12""#))}"#
    let query = Arguments.SearchQuery(text: "x")
    for store in try await stores(query, #"{"search":[\#(found),\#(post)]}"#) {
      let data = try await store.read(query).data.get()
      #expect(data.search[0].asUser?.portrait.avatar == "a40")
      #expect(data.search[0].asUser?.buddies.friends.first?.avatar == "b50")
      #expect(data.search[1].asPost?.headline.author.avatar == "b12")
    }
  }

  @Test("A fragment by itself has variables by their own names, and default values") func byItself() async throws {
    let data =
      #"{"small":\#(user(1, #""name":"A","avatar":"a16""#)),"middle":\#(user(2, #""name":"B","avatar":"b24""#)),"large":null}"#
    for store in try await stores(Arguments.AvatarsQuery(), data) {
      try await store.withinReadWriteTransaction { transaction in
        let small = try transaction.readObject(
          ofType: Arguments.Portrait.self, withKey: "User:1", variables: Variables(["size": 16]))
        #expect(small.avatar == "a16")
        #expect(try transaction.readObject(ofType: Arguments.Portrait.self, withKey: "User:2").avatar == "b24")
        #expect(throws: ResponseDecodingError.self) {
          try transaction.readObject(ofType: Arguments.Portrait.self, withKey: "User:1")
        }
        try transaction.updateObject(
          ofType: Arguments.Portrait.self, withKey: "User:1", variables: Variables(["size": 16])
        ) { $0.avatar = "new" }
      }
      #expect(try await store.read(Arguments.AvatarsQuery()).data.get().small?.avatar == "new")
    }
  }

  @Test("A read depends on the fields of the arguments, and on no others") func dependencies() async throws {
    let data = #"{"small":\#(user(1, #""name":"A","avatar":"a16""#)),"middle":null,"large":null}"#
    for store in try await stores(Arguments.AvatarsQuery(), data) {
      let told = Locked(0)
      let observer = store.addObserver(ignoring: UUID()) { _ in told.withLock { $0 += 1 } }
      await withCheckedContinuation { done in
        store.observe(Arguments.AvatarsQuery(), for: observer) { _ in done.resume() }
      }
      func write(_ size: Int) async throws {
        try await store.withinReadWriteTransaction { transaction in
          try transaction.write(
            selectionSet: Arguments.Portrait(id: "1", name: "A", avatar: "new \(size)"), withKey: "User:1",
            variables: Variables(["size": size]))
        }
        await store.waitUntilTold()
      }
      try await write(17)
      #expect(told.withLock { $0 } == 0)
      try await write(16)
      #expect(told.withLock { $0 } == 1)
    }
  }

  @Test("The text that is sent has no variables of fragments") func sentText() {
    let texts = [
      Arguments.AvatarsQuery.operationDocument, Arguments.ShadowsQuery.operationDocument,
      Arguments.FiltersQuery.operationDocument, Arguments.PartsQuery.operationDocument,
      Arguments.SearchQuery.operationDocument, Arguments.CardQuery.operationDocument,
    ].map(\.text)
    for text in texts {
      #expect(!text.contains(#/fragment \w+\(/#))
      #expect(!text.contains(#/\.\.\.\w+\(/#))
    }
    #expect(texts[1].contains("inner: friends(first: 2)") && texts[1].contains("wide: friends(first: $first)"))
    #expect(texts[1].contains(#"posts(tags: ["a", "b"], first: 2)"#))
    #expect(texts[5].contains("avatar(size: 24, format: JPEG)") && texts[5].contains("avatar(size: 10)"))
    #expect(
      Arguments.Portrait.fragmentDefinition.description.hasPrefix("fragment Portrait($size: Int = 24, $format: Format)")
    )
  }

  private func user(_ id: Int, _ members: String) -> String {
    #"{"__typename":"User","id":"\#(id)"\#(members.isEmpty ? "" : ",")\#(members)}"#
  }
}

extension SelectionSet {
  fileprivate func jsonText(_ variables: Variables) -> String {
    var writer = __JSONWriter(variables: variables)
    __write(to: &writer)
    return writer.text
  }
}
