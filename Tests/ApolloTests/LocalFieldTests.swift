@testable import Apollo
import Fixture0043
import Foundation
import ScriptedServer
import StyledTests
import Testing

// By behaviour: Apollo Client's `local-state` suites (`@client` fields are not sent, are read from the cache or computed,
// and are watched).

@Suite("Local fields", .everyStyle, .timeLimit(.minutes(5)))
struct LocalFieldTests {
  private static func user(_ name: String) -> String { #"{"__typename":"User","id":"1","name":"\#(name)"}"# }

  private static func me(_ name: String = "Ada Lovelace") -> String { #"{"data":{"me":\#(user(name))}}"# }

  private static func select(_ isSelected: Bool?, in store: ApolloStore) async throws {
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: UserRow.self, withKey: "User:1") { $0.isSelected = isSelected }
    }
  }

  private static func fetch(_ server: HeldServer, _ policy: CachePolicy = .fetchIgnoringCacheData) async throws
    -> GraphQLResult<MeQuery.Data>
  {
    let client = server.client
    let running = Task { try await client.fetch(query: MeQuery(), cachePolicy: policy) }
    try await server.answer("Me", me())
    return try await running.value
  }

  @Test("Nothing of them is sent")
  func sentText() {
    let row = "fragment UserRow on User { __typename id name }"
    #expect(MeQuery.operationDocument.text == "query Me { me { __typename id ...UserRow } }\n" + row)
    #expect(UsersQuery.operationDocument.text == "query Users { users { __typename id ...UserRow } }\n" + row)
    #expect(LocalCartQuery.operationDocument.text == "query LocalCart { __typename }")
  }

  @Test(
    "They are nil until the app writes them, and a response leaves them as they are",
    arguments: [HeldServer.Way.chain, .responseTransport])
  func values(way: HeldServer.Way) async throws {
    let server = HeldServer(way), store = server.client.store
    #expect(try await Self.fetch(server).data?.me?.isSelected == nil)
    #expect(try await store.load(MeQuery()).me?.isSelected == nil)
    try await Self.select(true, in: store)
    #expect(try await store.load(MeQuery()).me?.isSelected == true)
    // The result of a response has them, too.
    let result = try await Self.fetch(server)
    #expect(result.source == .server && result.data?.me?.isSelected == true)
    try await Self.select(nil, in: store)
    #expect(try await Self.fetch(server).data?.me?.isSelected == nil)
  }

  @Test(
    "Where the server reports an error, the result has no value of the cache in its place",
    arguments: [HeldServer.Way.chain, .responseTransport])
  func errors(way: HeldServer.Way) async throws {
    let server = HeldServer(way), client = server.client
    _ = try await Self.fetch(server)
    let running = Task { try await client.fetch(query: MeQuery(), cachePolicy: .fetchIgnoringCacheData) }
    try await server.answer("Me", #"{"data":{"me":null},"errors":[{"message":"no","path":["me"]}]}"#)
    let result = try await running.value
    #expect(result.errors?.count == 1 && result.data != nil && result.data?.me == nil)
  }

  @Test("A result that is not written has the values of the server, and the local fields of the cache")
  func unwritten() async throws {
    try await serve { _, _ in
      [.respond(Self.me("Grace"), headers: ["Cache-Control": "private"])]
    } _: { server async throws in
      let client = client(server), store = client.store
      store.isShared = true
      try await store.write(response: ResponseBytes(Self.me().utf8), for: MeQuery())
      try await Self.select(true, in: store)
      let user = try await client.fetch(query: MeQuery(), cachePolicy: .fetchIgnoringCacheData).data?.me
      #expect(user?.name == "Grace" && user?.isSelected == true)
      #expect(try await store.load(MeQuery()).me?.name == "Ada Lovelace")
    }
  }

  @Test("A value that is missing is not a miss: the cache answers", arguments: [false, true])
  func hits(returnsPartialData: Bool) async throws {
    let server = HeldServer(.chain)
    _ = try await Self.fetch(server)
    let result = try await server.client.fetch(
      query: MeQuery(), requestConfiguration: RequestConfiguration(returnsPartialData: returnsPartialData))
    #expect(result.source == .cache && result.errors == nil && result.data?.me?.name == "Ada Lovelace")
  }

  @Test("A watcher is told of them")
  func watched() async throws {
    let server = HeldServer(.chain), client = server.client
    _ = try await Self.fetch(server)
    var seen: [Bool?] = []
    for try await result in client.watch(query: MeQuery()) {
      seen.append(result.data?.me?.isSelected)
      if seen.count == 3 { break }
      try await Self.select(seen.count == 1, in: client.store)
    }
    #expect(seen == [nil, true, false])
  }

  @Test("A query of nothing else asks no server, and is told of what the app writes")
  func localQuery() async throws {
    let server = HeldServer(.chain), client = server.client
    #expect(try await client.fetch(query: LocalCartQuery()).data == .init(cart: nil))
    try await client.store.write(response: ResponseBytes(Self.me().utf8), for: MeQuery())
    try await client.store.withinReadWriteTransaction { transaction in
      try transaction.write(
        data: .init(cart: .init(items: ["tea"], owner: .init(id: "1", name: "Ada"))), for: LocalCartQuery())
    }
    let cart = try await client.fetch(query: LocalCartQuery()).data?.cart
    #expect(cart?.items == ["tea"] && cart?.owner?.name == "Ada" && server.waitingCount == 0)
    #expect(try await client.store.load(MeQuery()).me?.name == "Ada")
  }

  @Test("Arguments tell values apart, though no server knows the variable")
  func arguments() async throws {
    let store = ApolloStore()
    let body = #"{"data":{"users":[\#(Self.user("Ada"))]}}"#
    try await store.write(response: ResponseBytes(body.utf8), for: UsersQuery(language: "en"))
    try await store.withinReadWriteTransaction { transaction in
      for language in ["en", "fr"] {
        var data = try await transaction.read(query: UsersQuery(language: language))
        data.users[0].note = language
        try await transaction.write(data: data, for: UsersQuery(language: language))
      }
    }
    #expect(try await store.load(UsersQuery(language: "en")).users.first?.note == "en")
    #expect(try await store.load(UsersQuery(language: "fr")).users.first?.note == "fr")
    #expect(try await store.load(UsersQuery(language: "de")).users.first?.note == nil)
  }

  @Test(
    "The app may compute them: also for a result of the server", arguments: [HeldServer.Way.chain, .responseTransport])
  func computed(way: HeldServer.Way) async throws {
    let server = HeldServer(way)
    #expect(try await Self.fetch(server).data?.me?.initials == "AL")
    #expect(try await server.client.store.load(MeQuery()).me?.initials == "AL")
  }

  @Test("The result of a mutation has them, and whole data that is written leaves out what is nil")
  func mutation() async throws {
    let server = HeldServer(.chain), client = server.client
    _ = try await Self.fetch(server)
    try await Self.select(true, in: client.store)
    let guess = RenameUserMutation.Data(rename: .init(id: "1", name: "Grace"))
    let running = Task {
      try await client.perform(mutation: RenameUserMutation(id: "1", name: "Grace"), optimisticData: guess)
    }
    let request = try await server.request("RenameUser")
    #expect(try await client.store.load(MeQuery()).me?.isSelected == true)
    request.resume(returning: #"{"data":{"rename":\#(Self.user("Grace"))}}"#)
    let renamed = try await running.value.data?.rename
    #expect(renamed?.name == "Grace" && renamed?.isSelected == true && renamed?.initials == "G")
  }

  @Test("They have no age")
  func ages() async throws {
    let client = HeldServer(.chain).client, store = client.store
    store.defaultMaxAge = 60
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(data: .init(cart: .init(items: ["tea"])), for: LocalCartQuery())
    }
    store.clock = { Date(timeIntervalSinceNow: 3600) }
    try await store.write(response: ResponseBytes(Self.me().utf8), for: MeQuery())
    try await Self.select(true, in: store)
    store.clock = { Date(timeIntervalSinceNow: 3630) }
    try await store.write(response: ResponseBytes(Self.me().utf8), for: MeQuery())
    store.clock = { Date(timeIntervalSinceNow: 3680) }
    let result = try await client.fetch(query: MeQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(result.data?.me?.isSelected == true)
    let cart = try await client.fetch(query: LocalCartQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(cart.data?.cart?.items == ["tea"])
  }

  @Test("A backend keeps them")
  func reopened() async throws {
    let backend = Shelf(), store = ApolloStore(cache: backend)
    try await store.write(response: ResponseBytes(Self.me().utf8), for: MeQuery())
    try await Self.select(true, in: store)
    try await store.flush()
    #expect(try await ApolloStore(cache: backend).load(MeQuery()).me?.isSelected == true)
  }
}
