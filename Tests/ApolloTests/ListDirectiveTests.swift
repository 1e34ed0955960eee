@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
import Fixture0042
import Foundation
import StyledTests
import Testing

// By behaviour: Relay's `RelayDeclarativeMutationConfig-test` and the tests of its `MutationHandlers` (`appendNode`,
// `prependNode`, `appendEdge`, `deleteEdge`, `deleteRecord`).

@Suite("Directives of mutations and subscriptions that change lists", .everyStyle, .timeLimit(.minutes(5)))
struct ListDirectiveTests {
  private static let feed = "QUERY_ROOT.feed", posts = "QUERY_ROOT.posts"

  private static func post(_ id: String) -> String { #"{"__typename":"Post","id":"\#(id)","text":"text \#(id)"}"# }

  private static func edge(_ id: String) -> String {
    #"{"__typename":"PostEdge","cursor":"c\#(id)","node":\#(post(id))}"#
  }

  /// A client whose cache has the posts 1 and 2 in the feed, and 1 in the other list.
  private static func start(
    _ way: HeldServer.Way, cache: any NormalizedCache = InMemoryNormalizedCache(), edgesHaveKeys: Bool = false
  ) async throws -> HeldServer {
    let server = HeldServer(way, cache: cache), store = server.client.store
    if edgesHaveKeys { store.cacheKeyForObject = { $0["cursor"] } }
    let info = #"{"__typename":"PageInfo","hasNextPage":false,"endCursor":"c2"}"#
    let feed = #"{"__typename":"PostConnection","edges":[\#(edge("1")),\#(edge("2"))],"pageInfo":\#(info)}"#
    try await store.write(response: ResponseBytes(Array(#"{"data":{"feed":\#(feed)}}"#.utf8)), for: FeedQuery())
    try await store.write(
      response: ResponseBytes(Array(#"{"data":{"posts":[\#(post("1"))]}}"#.utf8)), for: PostsQuery())
    return server
  }

  private static func lists(_ server: HeldServer) async throws -> String {
    let store = server.client.store
    let feed = try await store.load(FeedQuery()).feed?.edges ?? [], posts = try await store.load(PostsQuery()).posts
    return feed.map { $0.node?.id ?? "-" }.joined() + "|" + posts.map(\.id).joined()
  }

  private static func add(_ id: String, _ field: String = "post", _ value: String? = nil) -> String {
    let value = value ?? post(id)
    return #"{"data":{"addPost":{"__typename":"AddPostPayload","\#(field)":\#(value)}}}"#
  }

  @Test(
    "A node comes to the start of the lists that a variable names, which is not sent",
    arguments: [HeldServer.Way.chain, .responseTransport])
  func prependNode(way: HeldServer.Way) async throws {
    let server = try await Self.start(way), client = server.client
    let mutation = AddPostMutation(text: "new", lists: [Self.feed, Self.posts])
    #expect(mutation.variables["lists"] == nil && !AddPostMutation.operationDocument.text.contains("lists"))
    let running = Task { try await client.perform(mutation: mutation) }
    try await server.answer("AddPost", Self.add("3"))
    #expect(try await running.value.cacheInfo.error == nil)
    #expect(try await Self.lists(server) == "312|31")
  }

  @Test("A guess puts it there at once, and its end takes it out or replaces it", arguments: [true, false])
  func guess(succeeds: Bool) async throws {
    let server = try await Self.start(.chain), client = server.client
    let guess = AddPostMutation.Data(
      addPost: .init(post: .init(postText: .init(id: "new", text: "new"))))
    let mutation = AddPostMutation(text: "new", lists: [Self.feed, Self.posts])
    let running = Task { try await client.perform(mutation: mutation, optimisticData: guess) }
    let request = try await server.request("AddPost")
    #expect(try await Self.lists(server) == "new12|new1")
    if succeeds {
      request.resume(returning: Self.add("3"))
      _ = try await running.value
      #expect(try await Self.lists(server) == "312|31")
    } else {
      request.resume(throwing: URLError(.networkConnectionLost))
      await #expect(throws: (any Error).self) { try await running.value }
      #expect(try await Self.lists(server) == "12|1")
    }
  }

  @Test("A change of the app that throws changes nothing, and the lists are changed all the same")
  func throwingUpdate() async throws {
    struct Failure: Error {}
    let server = try await Self.start(.responseTransport), client = server.client
    let running = Task {
      try await client.perform(
        mutation: AddPostMutation(text: "new", lists: [Self.feed, Self.posts]),
        update: { transaction, _ in
          try transaction.connection(at: Self.posts).remove("Post:1")
          throw Failure()
        })
    }
    try await server.answer("AddPost", Self.add("3"))
    #expect(try await running.value.cacheInfo.error is Failure)
    #expect(try await Self.lists(server) == "312|31")
  }

  @Test("An edge comes with its cursor", arguments: [HeldServer.Way.chain, .responseTransport], [false, true])
  func appendEdge(way: HeldServer.Way, edgesHaveKeys: Bool) async throws {
    let server = try await Self.start(way, edgesHaveKeys: edgesHaveKeys), client = server.client
    let running = Task { try await client.perform(mutation: AddEdgeMutation(text: "new", list: Self.feed)) }
    try await server.answer("AddEdge", Self.add("3", "edge", Self.edge("3")))
    _ = try await running.value
    #expect(try await Self.lists(server) == "123|1")
    #expect(try await client.store.load(FeedQuery()).feed?.edges?.last?.cursor == "c3")
  }

  @Test(
    "What was deleted leaves the lists, and the cache", arguments: [HeldServer.Way.chain, .responseTransport],
    [false, true])
  func delete(way: HeldServer.Way, edgesHaveKeys: Bool) async throws {
    let server = try await Self.start(way, edgesHaveKeys: edgesHaveKeys), client = server.client
    let running = Task {
      try await client.perform(mutation: DeletePostsMutation(ids: ["1", "9"], lists: [Self.feed, Self.posts]))
    }
    let ids = #"["1","9"]"#
    try await server.answer(
      "DeletePosts",
      #"{"data":{"deletePosts":{"__typename":"DeletePostsPayload","deletedIDs":\#(ids),"gone":\#(ids)}}}"#)
    #expect(try await running.value.cacheInfo.error == nil)
    #expect(try await Self.lists(server) == "2|")
    #expect(!client.store.keys.contains("Post:1") && client.store.keys.contains("Post:2"))
  }

  @Test("The event of a subscription comes to the end of a list")
  func subscription() async throws {
    let server = try await Self.start(.responseTransport), client = server.client
    let events = Task {
      for try await event in client.subscribe(to: PostAddedSubscription()) { return event.cacheInfo.error == nil }
      return false
    }
    try await server.answer("PostAdded", #"{"data":{"postAdded":\#(Self.post("3"))}}"#)
    #expect(try await events.value)
    #expect(try await Self.lists(server) == "12|13")
  }

  @Test(
    "A list that is not there is an error in the result; all others are changed",
    arguments: [HeldServer.Way.chain, .responseTransport])
  func noList(way: HeldServer.Way) async throws {
    let server = try await Self.start(way), client = server.client
    let mutation = AddPostMutation(text: "new", lists: ["QUERY_ROOT.other", Self.feed, ""])
    let running = Task { try await client.perform(mutation: mutation) }
    try await server.answer("AddPost", Self.add("3"))
    let result = try await running.value
    #expect(result.data?.addPost.post?.postText.text == "text 3")
    #expect(result.cacheInfo.error as? ApolloStore.Error == .noList(at: "QUERY_ROOT.other"))
    #expect(try await Self.lists(server) == "312|1")
  }

  @Test("Null, errors, and what is there already change nothing", arguments: ["null", "again"])
  func nothing(answer: String) async throws {
    let server = try await Self.start(.chain), client = server.client
    let running = Task { try await client.perform(mutation: AddPostMutation(text: "new", lists: [Self.feed])) }
    try await server.answer("AddPost", answer == "null" ? Self.add("", "post", "null") : Self.add("2"))
    _ = try await running.value
    #expect(try await Self.lists(server) == "12|1")
  }

  @Test("Watchers of the list are told once, with the result")
  func watchers() async throws {
    let server = try await Self.start(.chain), client = server.client, counts = Received<Int?>()
    let watcher = client.watch(
      query: FeedQuery(), cachePolicy: .returnCacheDataDontFetch, callbackQueue: .callbacks
    ) { counts.add((try? $0.get())?.data?.feed?.edges?.count) }
    #expect(await counts.next() == 2)
    let running = Task { try await client.perform(mutation: AddPostMutation(text: "new", lists: [Self.feed])) }
    try await server.answer("AddPost", Self.add("3"))
    _ = try await running.value
    #expect(await counts.next() == 3)
    #expect(await counts.isQuiet(after: server.client))
    watcher.cancel()
  }
}
