import Apollo
import Foundation
import PeerServers
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Everything that the servers can do over HTTP, and the ways in which they differ (`Tests/PeerServers/README.md`).
@Suite(
  "Servers of other projects",
  .enabled(if: Peer.areInstalled, "servers of other projects are not installed: scripts/bootstrap.sh peers"),
  .timeLimit(.minutes(5)))
struct PeerTests {
  func client(
    _ peer: Peer, by way: Way, useGETForQueries: Bool = false, provider: DefaultInterceptorProvider.Options = .init(),
    streamProtocol: RequestChainNetworkTransport.StreamProtocol = .any
  ) async throws -> ApolloClient {
    ApolloHTTPTests.client(
      at: try await PeerServer.shared(peer, by: way).address, provider: provider, useGETForQueries: useGETForQueries,
      streamProtocol: streamProtocol)
  }

  @Test("A query is posted and typed", arguments: Peer.allCases, Way.installed)
  func post(_ peer: Peer, _ way: Way) async throws {
    let result = try await client(peer, by: way).fetch(query: PeerHeroQuery())
    #expect(result.data?.hero?.name == "R2-D2")
  }

  @Test(
    "A query is a GET, with variables that have to be escaped", arguments: [Peer.strawberry, .ariadne, .django],
    Way.installed)
  func get(_ peer: Peer, _ way: Way) async throws {
    let client = try await client(peer, by: way, useGETForQueries: true)
    #expect(try await client.fetch(query: PeerHeroQuery()).data?.hero?.name == "R2-D2")
    let luke = try await client.fetch(query: PeerSearchQuery(text: "Luke S"))
    #expect(luke.data?.search.map(\.name) == ["Luke Skywalker"])
    #expect(try await client.fetch(query: PeerSearchQuery(text: "+&;=#%😀\"\\")).data?.search.isEmpty == true)
  }

  @Test("graphene answers a GET with a page, which is an error that says so", arguments: Way.installed)
  func getPage(_ way: Way) async throws {
    let client = try await client(.graphene, by: way, useGETForQueries: true)
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: PeerHeroQuery()) }
    #expect(error?.message.contains("not a JSON object: <!DOCTYPE html>") == true, "\(error as Any)")
    #expect(error?.httpStatus == 200)
  }

  @Test(
    "Field errors come with the data there is, except where the status says that there is none",
    arguments: Way.installed)
  func errors(_ way: Way) async throws {
    for peer in Peer.allCases {
      let result = try await client(peer, by: way).fetch(query: BoomQuery())
      #expect(result.data?.boom == nil)
      #expect(result.errors?.map(\.message) == ["boom!"], "\(peer)")
      #expect(result.errors?.first?.path == ["boom"])
    }
    // Data that is null as a whole: a result with 200, and with 400 (as ariadne has it) only if that is asked for.
    let strawberry = try await client(.strawberry, by: way).fetch(query: BoomNonNullQuery())
    #expect(strawberry.data == nil && strawberry.errors?.count == 1)
    let error = await #expect(throws: OperationError.self) {
      try await client(.ariadne, by: way).fetch(query: BoomNonNullQuery())
    }
    #expect(error?.httpStatus == 400)
    #expect(error?.message.hasSuffix(": boom!") == true)
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    let ariadne = try await client(.ariadne, by: way, provider: options).fetch(query: BoomNonNullQuery())
    #expect(ariadne.errors?.map(\.message) == ["boom!"])
  }

  @Test(
    "A document that does not fit the schema is refused with the server's reasons", arguments: Peer.allCases,
    Way.installed)
  func invalid(_ peer: Peer, _ way: Way) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    let result = try await client(peer, by: way, provider: options).fetch(query: InvalidQuery())
    #expect(result.data == nil)
    #expect(result.errors?.first?.message?.contains("nope") == true)
    #expect(result.errors?.first?.locations?.first?.line == 1)
  }

  @Test(
    "strawberry takes operations in one list; the others refuse, which is everybody's error", arguments: Way.installed)
  func batches(_ way: Way) async throws {
    for peer in Peer.allCases {
      var options = DefaultInterceptorProvider.Options()
      options.batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 3)
      let client = try await client(peer, by: way, provider: options)
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

  @Test("A file, and a list of files, are uploaded", arguments: Peer.allCases, Way.installed)
  func uploads(_ peer: Peer, _ way: Way) async throws {
    let client = try await client(peer, by: way)
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

  @Test("strawberry takes operations with files in one list", arguments: Way.installed)
  func batchedUploads(_ way: Way) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 3)
    let client = try await client(.strawberry, by: way, provider: options)
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
      (Peer.strawberry, RequestChainNetworkTransport.StreamProtocol.any), (.strawberry, .multipart),
      (.strawberry, .eventStream),
      (.ariadne, .eventStream),
    ], Way.installed)
  func subscriptions(_ dialect: (peer: Peer, streamProtocol: RequestChainNetworkTransport.StreamProtocol), _ way: Way)
    async throws
  {
    let (peer, streamProtocol) = dialect
    let client = try await client(peer, by: way, streamProtocol: streamProtocol)
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

  @Test(
    "Both graphenes have no subscriptions over HTTP, and say so", arguments: [Peer.graphene, .django], Way.installed)
  func noSubscription(_ peer: Peer, _ way: Way) async throws {
    let client = try await client(peer, by: way)
    do {
      for try await event in client.subscribe(to: CountdownSubscription()) {
        #expect(event.data == nil && event.errors?.isEmpty == false)
      }
    } catch {
      #expect(error is OperationError)
    }
  }

  @Test(
    "Leaving a subscription closes the request",
    arguments: [RequestChainNetworkTransport.StreamProtocol.multipart, .eventStream], Way.installed)
  func leaving(_ streamProtocol: RequestChainNetworkTransport.StreamProtocol, _ way: Way) async throws {
    let client = try await client(.strawberry, by: way, streamProtocol: streamProtocol)
    for try await event in client.subscribe(to: CountdownSubscription(from: 1_000_000)) {
      #expect(event.data?.countdown == 1_000_000)
      break
    }
    #expect(try await client.fetch(query: PeerHeroQuery()).data?.hero?.name == "R2-D2")
  }

  @Test(
    "@defer and @stream come part by part",
    arguments: [RequestChainNetworkTransport.StreamProtocol.multipart, .eventStream], Way.installed)
  func incremental(_ streamProtocol: RequestChainNetworkTransport.StreamProtocol, _ way: Way) async throws {
    let client = try await client(.strawberry, by: way, streamProtocol: streamProtocol)
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

  @Test(
    "A deferred fragment that fails leaves the rest, and its error comes with the last part", arguments: Way.installed)
  func deferredFailure(_ way: Way) async throws {
    let client = try await client(.strawberry, by: way)
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
    arguments: [Peer.ariadne, .graphene, .django], Way.installed)
  func noIncremental(_ peer: Peer, _ way: Way) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.acceptsErrorsAsJSON = true
    let result = try await client(peer, by: way, provider: options).fetch(query: DeferredBioQuery())
    #expect(result.errors?.first?.message?.contains("@defer") == true)
  }

  @Test(
    "A server that knows no hashes answers with errors that are not taken for anything else", arguments: Peer.allCases,
    Way.installed)
  func persistedQueries(_ peer: Peer, _ way: Way) async throws {
    let client = ApolloHTTPTests.client(
      at: try await PeerServer.shared(peer, by: way).address, autoPersistQueries: true)
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: IdentifiedQuery()) }
    #expect(error?.code == .httpStatus, "\(error as Any)")
  }

  @Test(
    "nginx is really there, and compresses",
    .enabled(if: ReverseProxy.isInstalled, "servers of other projects are not installed: scripts/bootstrap.sh peers"),
    arguments: Peer.allCases)
  func compressed(_ peer: Peer) async throws {
    let url = try #require(URL(string: try await PeerServer.shared(peer, by: .nginx).address))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"query": "{ hero { name } }"}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    #expect(http.value(forHTTPHeaderField: "Server")?.hasPrefix("nginx") == true)
    #expect(http.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    #expect(String(decoding: data, as: UTF8.self).contains("R2-D2"))
  }

  @Test(
    "Many requests over few connections, which end early, are each answered", arguments: Peer.allCases, Way.installed)
  func many(_ peer: Peer, _ way: Way) async throws {
    let client = try await client(peer, by: way)
    for _ in 1...4 {
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 1...20 {
          group.addTask {
            try await client.fetch(query: PeerHeroQuery(), cachePolicy: .fetchIgnoringCacheData).data?.hero?.name
          }
        }
        for try await name in group { #expect(name == "R2-D2") }
      }
    }
  }
}

@Suite("Servers of other projects are there")
struct PeerInstallationTests {
  @Test("In CI, what scripts/bootstrap.sh installs by itself is not missing")
  func installed() {
    guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
    #expect(Peer.django.isInstalled)
    #expect(Way.installed == Way.allCases, "nginx is missing")
  }
}

/// What is Django's own: its middleware stands between the client and graphene-django.
@Suite(
  "Django",
  .enabled(if: Peer.django.isInstalled, "servers of other projects are not installed: scripts/bootstrap.sh peers"),
  .timeLimit(.minutes(5)))
struct DjangoTests {
  func client(
    _ path: String, by way: Way, provider: DefaultInterceptorProvider.Options = .init(), headers: [String: String] = [:]
  ) async throws -> ApolloClient {
    let address = try await PeerServer.shared(.django, by: way).address + path
    return ApolloHTTPTests.client(at: address, provider: provider, headers: headers)
  }

  @Test("JSON is read however Python writes it", arguments: ["", "?pretty=1", "pretty/"], Way.installed)
  func styles(_ path: String, _ way: Way) async throws {
    let client = try await client(path, by: way)
    let hero = try await client.fetch(query: PeerHeroQuery()).data?.hero
    #expect(hero?.id == "2001" && hero?.name == "R2-D2")
    let cached = try await client.fetch(query: PeerHeroQuery(), cachePolicy: .returnCacheDataDontFetch).data?.hero
    #expect(cached == hero)
    let errors = try await client.fetch(query: BoomQuery()).errors
    #expect(errors?.map(\.message) == ["boom!"] && errors?.first?.path == ["boom"])
  }

  @Test(
    "A view that is protected against forged requests refuses one without the token, and takes one with it",
    arguments: Way.installed)
  func forgery(_ way: Way) async throws {
    let error = await #expect(throws: OperationError.self) {
      try await client("protected/", by: way).fetch(query: PeerHeroQuery())
    }
    #expect(error?.httpStatus == 403)
    #expect(error?.message.contains("text/html") == true, "\(error as Any)")
    let token = String(repeating: "aB1", count: 11).prefix(32)
    let trusted = try await client(
      "protected/", by: way, headers: ["Cookie": "csrftoken=\(token)", "X-CSRFToken": "\(token)"])
    #expect(try await trusted.fetch(query: PeerHeroQuery()).data?.hero?.name == "R2-D2")
  }

  @Test("An address without its last slash is redirected, which loses the query, and the error says so")
  func slash() async throws {
    let address = try await PeerServer.shared(.django).address
    for path in ["protected", "pretty"] {
      let error = await #expect(throws: OperationError.self) {
        try await client(path, by: .direct).fetch(query: PeerHeroQuery())
      }
      #expect(error?.httpStatus == 301)
      #expect(error?.message.contains("from \(address)\(path) to \(address)\(path)/") == true, "\(error as Any)")
    }
  }

  @Test(
    "Operations in one list are taken by a view for lists, whose answers have more than results",
    arguments: Way.installed)
  func batches(_ way: Way) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 3)
    let client = try await client("batch/", by: way, provider: options)
    async let hero = client.fetch(query: PeerHeroQuery())
    async let boom = client.fetch(query: BoomQuery())
    async let search = client.fetch(query: PeerSearchQuery(text: "Luke"))
    #expect(try await hero.data?.hero?.name == "R2-D2")
    #expect(try await boom.errors?.first?.message == "boom!")
    #expect(try await search.data?.search.first?.name == "Luke Skywalker")
  }

  @Test("A body that is not a GraphQL request is refused in words", arguments: Way.installed)
  func refused(_ way: Way) async throws {
    let error = await #expect(throws: OperationError.self) {
      try await client("batch/", by: way).fetch(query: PeerHeroQuery())
    }
    #expect(error?.httpStatus == 400)
    #expect(error?.message.contains("Batch requests should receive a list") == true, "\(error as Any)")
    let missing = await #expect(throws: OperationError.self) {
      try await client("nowhere/", by: way).fetch(query: PeerHeroQuery())
    }
    #expect(missing?.httpStatus == 404)
  }
}
