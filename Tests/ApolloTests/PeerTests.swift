import Apollo
import Foundation
import PeerServers
import Testing

/// Everything that the servers can do over HTTP, and the ways in which they differ (`peers/README.md`).
@Suite(
  "Servers of other projects", .enabled(if: Peer.areInstalled, "they are not installed: scripts/bootstrap.sh peers"),
  .timeLimit(.minutes(5)))
struct PeerTests {
  func client(
    _ peer: Peer, useGETForQueries: Bool = false, provider: DefaultInterceptorProvider.Options = .init(),
    streamProtocol: StreamProtocol = .any
  ) async throws -> ApolloClient {
    ApolloTests.client(
      at: try await PeerServer.shared(peer).address, provider: provider, useGETForQueries: useGETForQueries,
      streamProtocol: streamProtocol)
  }

  @Test("A query is posted and typed", arguments: Peer.allCases)
  func post(_ peer: Peer) async throws {
    let result = try await client(peer).fetch(query: PeerHeroQuery())
    #expect(result.data?.hero?.name == "R2-D2")
  }

  @Test("A query is a GET, with variables that have to be escaped", arguments: [Peer.strawberry, .ariadne])
  func get(_ peer: Peer) async throws {
    let client = try await client(peer, useGETForQueries: true)
    #expect(try await client.fetch(query: PeerHeroQuery()).data?.hero?.name == "R2-D2")
    let luke = try await client.fetch(query: PeerSearchQuery(text: "Luke S"))
    #expect(luke.data?.search.map(\.name) == ["Luke Skywalker"])
    #expect(try await client.fetch(query: PeerSearchQuery(text: "+&;=#%😀\"\\")).data?.search.isEmpty == true)
  }

  @Test("graphene answers a GET with a page, which is an error that says so")
  func getPage() async throws {
    let client = try await client(.graphene, useGETForQueries: true)
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: PeerHeroQuery()) }
    #expect(error?.message.contains("with text/html, not with JSON: <!DOCTYPE html>") == true, "\(error as Any)")
    #expect(error?.httpStatus == 200)
  }

  @Test("Field errors come with the data there is, except where the status says that there is none")
  func errors() async throws {
    for peer in Peer.allCases {
      let result = try await client(peer).fetch(query: BoomQuery())
      #expect(result.data?.boom == nil)
      #expect(result.errors?.map(\.message) == ["boom!"], "\(peer)")
      #expect(result.errors?.first?.path == ["boom"])
    }
    // Data that is null as a whole: a result with 200, and with 400 (as ariadne has it) only if that is asked for.
    let strawberry = try await client(.strawberry).fetch(query: BoomNonNullQuery())
    #expect(strawberry.data == nil && strawberry.errors?.count == 1)
    let error = await #expect(throws: OperationError.self) {
      try await client(.ariadne).fetch(query: BoomNonNullQuery())
    }
    #expect(error?.httpStatus == 400)
    #expect(error?.message.hasSuffix(": boom!") == true)
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    let ariadne = try await client(.ariadne, provider: options).fetch(query: BoomNonNullQuery())
    #expect(ariadne.errors?.map(\.message) == ["boom!"])
  }

  @Test("A document that does not fit the schema is refused with the server's reasons", arguments: Peer.allCases)
  func invalid(_ peer: Peer) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    let result = try await client(peer, provider: options).fetch(query: InvalidQuery())
    #expect(result.data == nil)
    #expect(result.errors?.first?.message?.contains("nope") == true)
    #expect(result.errors?.first?.locations?.first?.line == 1)
  }

  @Test("strawberry takes operations in one list; the others refuse, which is everybody's error")
  func batches() async throws {
    for peer in Peer.allCases {
      var options = DefaultInterceptorProvider.Options()
      options.batcher = RequestBatcher(interval: .seconds(600), maximumSize: 3)
      let client = try await client(peer, provider: options)
      let hero = Task { try await client.fetch(query: PeerHeroQuery()).data?.hero?.name }
      let boom = Task { try await client.fetch(query: BoomQuery()).errors?.first?.message }
      let search = Task { try await client.fetch(query: PeerSearchQuery(text: "Luke")).data?.search.first?.name }
      if peer == .strawberry {
        #expect(try await hero.value == "R2-D2")
        #expect(try await boom.value == "boom!")
        #expect(try await search.value == "Luke Skywalker")
      } else {
        for task in [hero, boom, search] {
          let error = await #expect(throws: OperationError.self) { try await task.value }
          #expect(error?.code == .httpStatus, "\(error as Any)")
        }
      }
    }
  }

  @Test("A file, and a list of files, are uploaded", arguments: Peer.allCases)
  func uploads(_ peer: Peer) async throws {
    let client = try await client(peer)
    let one = GraphQLFile(
      fieldName: "file", originalName: "a \"ü\".txt", mimeType: "text/plain", data: Data("hello".utf8))
    let file = try #require(try await client.upload(operation: UploadFileMutation(), files: [one]).data?.uploadFile)
    #expect(file.size == 5 && file.text == "hello" && file.contentType == "text/plain")
    // (The form's way of escaping, which the server's framework leaves as it is.)
    #expect(["a \"ü\".txt", "a %22ü%22.txt"].contains(file.name), "\(file.name)")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(repeating: 65, count: 3_000_000).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try [
      GraphQLFile(fieldName: "files", originalName: "b.bin", data: Data(0...255)),
      GraphQLFile(fieldName: "files", originalName: "large.txt", fileURL: folder),
    ]
    let list = try await client.upload(operation: UploadListMutation(), files: files).data?.uploadFiles
    #expect(list?.map(\.size) == [256, 3_000_000])
    #expect(list?.map(\.name) == ["b.bin", "large.txt"])
  }

  @Test("strawberry takes operations with files in one list")
  func batchedUploads() async throws {
    var options = DefaultInterceptorProvider.Options()
    options.batcher = RequestBatcher(interval: .seconds(600), maximumSize: 3)
    let client = try await client(.strawberry, provider: options)
    func file(_ field: String, _ size: Int) -> GraphQLFile {
      GraphQLFile(fieldName: field, originalName: "\(size)", data: Data(repeating: 65, count: size))
    }
    // Small enough for memory, and not.
    for size in [10, 2_000_000] {
      async let one = client.upload(operation: UploadFileMutation(), files: [file("file", 1)])
      async let two = client.upload(operation: UploadListMutation(), files: [file("files", 2), file("files", size)])
      async let hero = client.fetch(query: PeerHeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(try await one.data?.uploadFile.size == 1)
      #expect(try await two.data?.uploadFiles.map(\.size) == [2, size])
      #expect(try await hero.data?.hero?.name == "R2-D2")
    }
  }

  @Test(
    "Subscriptions over HTTP: strawberry's multipart, and SSE",
    arguments: [
      (Peer.strawberry, StreamProtocol.any), (.strawberry, .multipart), (.strawberry, .eventStream),
      (.ariadne, .eventStream),
    ])
  func subscriptions(_ peer: Peer, _ streamProtocol: StreamProtocol) async throws {
    let client = try await client(peer, streamProtocol: streamProtocol)
    var counts: [Int?] = []
    for try await event in client.subscribe(to: CountdownSubscription()) { counts.append(event.data?.countdown) }
    #expect(counts == [3, 2, 1, 0])
    // An event with errors, which ends the stream of these servers.
    var errors: [String?] = []
    for try await event in client.subscribe(to: FailingSubscription()) {
      errors += (event.errors ?? []).map(\.message)
    }
    #expect(errors == ["subscription failed"])
    // One that does not fit the schema. (ariadne answers with 400, the other with an event.)
    do {
      var refused: [String?] = []
      for try await event in client.subscribe(to: InvalidSubscription()) {
        refused += (event.errors ?? []).map(\.message)
      }
      #expect(refused.first??.contains("nope") == true)
    } catch let error as OperationError {
      #expect(error.message.contains("nope"), "\(error)")
    }
  }

  @Test("graphene has no subscriptions over HTTP, and says so")
  func noSubscription() async throws {
    let client = try await client(.graphene)
    do {
      for try await event in client.subscribe(to: CountdownSubscription()) {
        #expect(event.data == nil && event.errors?.isEmpty == false)
      }
    } catch {
      #expect(error is OperationError)
    }
  }

  @Test("Leaving a subscription closes the request", arguments: [StreamProtocol.multipart, .eventStream])
  func leaving(_ streamProtocol: StreamProtocol) async throws {
    let client = try await client(.strawberry, streamProtocol: streamProtocol)
    for try await event in client.subscribe(to: CountdownSubscription(from: 1_000_000)) {
      #expect(event.data?.countdown == 1_000_000)
      break
    }
    #expect(try await client.fetch(query: PeerHeroQuery()).data?.hero?.name == "R2-D2")
  }

  @Test("@defer and @stream come part by part", arguments: [StreamProtocol.multipart, .eventStream])
  func incremental(_ streamProtocol: StreamProtocol) async throws {
    let client = try await client(.strawberry, streamProtocol: streamProtocol)
    var bios: [String?] = [], more: [Bool] = []
    for try await result in client.results(of: DeferredBioQuery(), cachePolicy: .fetchIgnoringCacheCompletely) {
      bios.append(result.data?.hero?.slowBio)
      more.append(result.hasNext)
    }
    #expect(bios == [nil, "bio of R2-D2"])
    #expect(more == [true, false])
    var friends: [[String]] = []
    for try await result in client.results(of: StreamedFriendsQuery(), cachePolicy: .fetchIgnoringCacheCompletely) {
      friends.append(result.data?.hero?.streamFriends.map(\.name) ?? [])
    }
    #expect(friends.first == [])
    #expect(friends.last == ["Luke Skywalker", "Han Solo"])
    #expect(zip(friends, friends.dropFirst()).allSatisfy { $0.count < $1.count || $0 == $1 })
  }

  @Test("A deferred fragment that fails leaves the rest, and its error comes with the last part")
  func deferredFailure() async throws {
    let client = try await client(.strawberry)
    var last: GraphQLResult<DeferredFailureQuery.Data>?
    var count = 0
    for try await result in client.results(of: DeferredFailureQuery(), cachePolicy: .fetchIgnoringCacheCompletely) {
      last = result
      count += 1
    }
    #expect(count == 2)
    #expect(last?.errors?.map(\.message) == ["boom!", "boom non-null!"])
    #expect(last?.data?.boomNonNull == nil)
  }

  @Test(
    "Where nothing is deferred, the directive is refused like any other that is unknown",
    arguments: [Peer.ariadne, .graphene])
  func noIncremental(_ peer: Peer) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    let result = try await client(peer, provider: options).fetch(query: DeferredBioQuery())
    #expect(result.errors?.first?.message?.contains("@defer") == true)
  }

  @Test(
    "A server that knows no hashes answers with errors that are not taken for anything else", arguments: Peer.allCases)
  func persistedQueries(_ peer: Peer) async throws {
    let client = ApolloTests.client(at: try await PeerServer.shared(peer).address, autoPersistQueries: true)
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: IdentifiedQuery()) }
    #expect(error?.code == .httpStatus, "\(error as Any)")
  }
}
