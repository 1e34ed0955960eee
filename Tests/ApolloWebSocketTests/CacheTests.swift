import Apollo
import ApolloWebSocket
import Foundation
import ScriptedServer
import ScriptedWebSocketServer
import StyledTests
import Testing

@Suite("The transports and the cache", .everyStyle, .timeLimit(.minutes(5)))
struct CacheTests {
  @Test("Events of a subscription are merged into the cache, and watchers are told")
  func watcher() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let query = try await connection.subscription()
      connection.send(next(query, review(1, field: "review", id: "7")))
      let subscription = try await connection.subscription()
      connection.send(next(subscription, review(5, id: "7")))
      connection.send(complete(subscription))
    } _: { server in
      let store = ApolloStore()
      let client = ApolloClient(networkTransport: try WebSocketTransport(server, store: store), store: store)
      var stars: [Int?] = []
      for try await result in client.watch(query: ReviewQuery()) {
        stars.append(result.data?.review?.stars)
        if stars.count == 2 { break }
        for try await _ in client.subscribe(to: ReviewAdded()) {}
      }
      #expect(stars == [1, 5])
    }
  }

  @Test("Cache policies hold for queries over the socket")
  func policies() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      for stars in 1...4 {
        connection.send(next(try await connection.subscription(), review(stars, field: "review")))
      }
    } _: { server in
      let transport = try WebSocketTransport(server, store: ApolloStore())
      func stars(_ policy: CachePolicy) async throws -> [Int?] {
        try await transport.all(ReviewQuery(), cachePolicy: policy).map { $0.data?.review?.stars }
      }
      #expect(try await stars(.fetchIgnoringCacheCompletely) == [1])
      await #expect(throws: ResponseDecodingError.self) { try await stars(.returnCacheDataDontFetch) }
      #expect(try await stars(.returnCacheDataElseFetch) == [2])
      #expect(try await stars(.returnCacheDataElseFetch) == [2])
      #expect(try await stars(.returnCacheDataDontFetch) == [2])
      #expect(try await stars(.returnCacheDataAndFetch) == [2, 3])
      #expect(try await stars(.fetchIgnoringCacheData) == [4])
      #expect(try await stars(.returnCacheDataDontFetch) == [4])
    }
  }

  @Test("A socket that was given no cache has that of the client which took it last")
  func laterClient() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      for stars in 1...2 {
        connection.send(next(try await connection.subscription(), review(stars, field: "review")))
      }
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = ApolloStore(), second = ApolloStore()
      let earlier = ApolloClient(networkTransport: transport, store: first)
      #expect(try await earlier.fetch(query: ReviewQuery()).data?.review?.stars == 1)
      let later = ApolloClient(networkTransport: transport, store: second)
      let result = try await later.fetch(query: ReviewQuery())
      #expect(result.source == .server)
      #expect(result.data?.review?.stars == 2)
      #expect(try await first.load(ReviewQuery()).review?.stars == 1)
      #expect(try await second.load(ReviewQuery()).review?.stars == 2)
    }
  }

  @Test("networkFirst: the cache answers where the connection is lost, and not what the server refuses")
  func networkFirst() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1, field: "review")))
      let refused = try await connection.subscription()
      connection.send(#"{"id":"\#(refused)","type":"error","payload":[{"message":"no such field"}]}"#)
      try await connection.subscription()
      connection.drop()
    } _: { server in
      let store = ApolloStore()
      let client = ApolloClient(
        networkTransport: try WebSocketTransport(server, store: store, reconnection: .never), store: store)
      #expect(try await client.fetch(query: ReviewQuery(), cachePolicy: .networkFirst).source == .server)
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: ReviewQuery(), cachePolicy: .networkFirst)
      }
      #expect((error?.cause as? WebSocketError)?.graphQLErrors.map(\.message) == ["no such field"])
      let result = try await client.fetch(query: ReviewQuery(), cachePolicy: .networkFirst)
      #expect(result.source == .cache)
      #expect(result.data?.review?.stars == 1)
      #expect(result.cacheInfo.fetchError is WebSocketError)
    }
  }

  @Test("An answer that the body of a transaction waits for is not written, and says so")
  func withinTransaction() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1, field: "review")))
    } _: { server in
      let store = ApolloStore()
      let client = ApolloClient(networkTransport: try WebSocketTransport(server, store: store), store: store)
      let (stars, isRefused) = try await store.withinReadWriteTransaction { _ -> (Int?, Bool) in
        let result = try await client.fetch(query: ReviewQuery(), cachePolicy: .fetchIgnoringCacheData)
        return (result.data?.review?.stars, result.cacheInfo.error is ApolloStore.Error)
      }
      #expect(stars == 1 && isRefused)
      await #expect(throws: ResponseDecodingError.self) { try await store.load(ReviewQuery()) }
    }
  }

  @Test("A result with errors does not overwrite what the cache has")
  func errors() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1, field: "review")))
      connection.send(
        next(try await connection.subscription(), #"{"data":{"review":null},"errors":[{"message":"boom"}]}"#))
    } _: { server in
      let store = ApolloStore()
      let transport = try WebSocketTransport(server, store: store)
      _ = try await transport.all(ReviewQuery())
      #expect(try await transport.all(ReviewQuery()).first?.errors?.count == 1)
      #expect(try await store.load(ReviewQuery()).review?.stars == 1)
    }
  }

  @Test("An error whose path is malformed belongs to no field")
  func malformedPath() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1, field: "review")))
      let failed = #"{"data":{"review":null},"errors":[{"message":"boom","path":["review",{}]}]}"#
      connection.send(next(try await connection.subscription(), failed))
    } _: { server in
      let store = ApolloStore()
      let transport = try WebSocketTransport(server, store: store)
      _ = try await transport.all(ReviewQuery())
      let result = try #require(try await transport.all(ReviewQuery()).first)
      #expect(result.errors?.count == 1 && result.errors?.first?.path == nil)
      #expect(try await store.load(ReviewQuery()).review?.stars == 1)
    }
  }

  @Test("The error of a field is kept where the field is, and comes back from the cache")
  func errorOfField() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let failed = #"{"data":{"review":null},"errors":[{"message":"boom","path":["review"]}]}"#
      connection.send(next(try await connection.subscription(), failed))
    } _: { server in
      let transport = try WebSocketTransport(server, store: ApolloStore())
      #expect(try await transport.all(ReviewQuery()).first?.source == .server)
      let cached = try await transport.all(ReviewQuery(), cachePolicy: .returnCacheDataDontFetch).first
      #expect(cached?.errors?.map(\.message) == ["boom"])
      #expect(cached?.cacheInfo.isPartial == true)
    }
  }

  @Test("A split transport sends subscriptions over the socket and the rest over HTTP")
  func split() async throws {
    try await ScriptedServer.with { request in
      [.respond(review(1, field: request.body.contains("mutation") ? "rate" : "review"))]
    } _: { http async throws in
      try await ScriptedWebSocketServer.with { connection in
        try await connection.acknowledge()
        let id = try await connection.subscription()
        connection.send(next(id, review(2)))
        connection.send(complete(id))
      } _: { server in
        let client = try Self.client(http: http, socket: server)
        #expect(try await client.fetch(query: ReviewQuery()).data?.review?.stars == 1)
        #expect(try await client.perform(mutation: RateMutation()).data?.rate?.stars == 1)
        var stars: [Int?] = []
        for try await result in client.subscribe(to: ReviewAdded()) { stars.append(result.data?.reviewAdded?.stars) }
        #expect(stars == [2])
        #expect(server.connections.count == 1)
      }
    }
  }

  /// Counts what it is asked.
  private final class Delegate: HTTPNetworkTransportPreflightDelegate, Sendable {
    let count = Locked(0)

    func networkTransport(_ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest) -> Bool { true }

    func networkTransport(_ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest) {
      count.withLock { $0 += 1 }
      request.setValue("1", forHTTPHeaderField: "X-Delegate")
    }
  }

  @Test("Transports of release 0.3x, which are given no cache, share that of their client, split or not")
  func earlyTransports() async throws {
    try await ScriptedServer.with { request in
      [.respond(review(request.headers["x-delegate"] == "1" ? 1 : 0, field: "review", id: "7"))]
    } _: { http async throws in
      try await ScriptedWebSocketServer.with { connection in
        try await connection.expect(.text(#"{"type":"connection_init","payload":{}}"#))
        connection.send(ack)
        let subscription = try await connection.subscription()
        connection.send(#"{"type":"data","id":"\#(subscription)","payload":\#(review(5, id: "7"))}"#)
        connection.send(complete(subscription))
      } _: { server in
        let delegate = Delegate()
        let url = try #require(URL(string: http.address)), socketURL = try #require(URL(string: server.address))
        let transport = SplitNetworkTransport(
          httpNetworkTransport: HTTPNetworkTransport(url: url, client: URLSessionClient(), delegate: delegate),
          webSocketNetworkTransport: WebSocketTransport(request: URLRequest(url: socketURL)))
        let client = ApolloClient(networkTransport: transport)
        var stars: [Int?] = []
        for try await result in client.watch(query: ReviewQuery()) {
          stars.append(result.data?.review?.stars)
          if stars.count == 2 { break }
          for try await _ in client.subscribe(to: ReviewAdded()) {}
        }
        #expect(stars == [1, 5])
        #expect(try await client.fetch(query: ReviewQuery()).source == .cache)
        #expect(delegate.count.withLock { $0 } == 1)
      }
    }
  }

  @Test("Callbacks go through a split transport as well")
  func splitCallback() async throws {
    try await ScriptedServer.with { _ in
      [.respond(review(1, field: "review"))]
    } _: { http async throws in
      try await ScriptedWebSocketServer.with { _ in
      } _: { server in
        let client = try Self.client(http: http, socket: server)
        let stars = try await withCheckedThrowingContinuation { continuation in
          client.fetch(query: ReviewQuery()) { result in
            continuation.resume(with: result.map { $0.data?.review?.stars })
          }
        }
        #expect(stars == 1)
      }
    }
  }

  @Test("Files go over the HTTP part of a split transport; without one that can send them the error says so")
  func upload() async throws {
    try await ScriptedServer.with { request in
      let isUpload = request.body.contains("rating.txt") && request.body.contains("five stars")
      return [.respond(review(isUpload ? 5 : 0, field: "rate"))]
    } _: { http async throws in
      try await ScriptedWebSocketServer.with { _ in
      } _: { server in
        let client = try Self.client(http: http, socket: server)
        let file = GraphQLFile(fieldName: "file", originalName: "rating.txt", data: Data("five stars".utf8))
        #expect(try await client.upload(operation: RateMutation(), files: [file]).data?.rate?.stars == 5)
        let stars = try await withCheckedThrowingContinuation { continuation in
          client.upload(operation: RateMutation(), files: [file]) { result in
            continuation.resume(with: result.map { $0.data?.rate?.stars })
          }
        }
        #expect(stars == 5)

        let socket = try WebSocketTransport(server)
        let split = SplitNetworkTransport(uploadingNetworkTransport: socket, webSocketNetworkTransport: socket)
        let thrown = await #expect(throws: OperationError.self) {
          for try await _ in split.results(ofUploading: RateMutation(), files: [file]) {}
        }
        #expect(thrown?.message == ApolloClient.ApolloClientError.noUploadTransport.message)
        let wrapped = await #expect(throws: OperationError.self) {
          try await ApolloClient(networkTransport: split).upload(operation: RateMutation(), files: [file])
        }
        #expect(wrapped?.cause as? ApolloClient.ApolloClientError == .noUploadTransport)
      }
    }
  }

  @Test("The callback of an upload through a split transport gets the error as it was thrown")
  func uploadError() async throws {
    try await ScriptedServer.with { _ in
      [.respond("nope")]
    } _: { http async throws in
      try await ScriptedWebSocketServer.with { _ in
      } _: { server in
        let client = try Self.client(http: http, socket: server)
        let file = GraphQLFile(fieldName: "file", originalName: "rating.txt", data: Data("five stars".utf8))
        let result: Result<GraphQLResult<RateMutation.Data>, any Error> = await withCheckedContinuation {
          continuation in
          client.upload(operation: RateMutation(), files: [file], queue: .global()) {
            continuation.resume(returning: $0)
          }
        }
        #expect(throws: JSONResponseParsingInterceptor.JSONResponseParsingError.self) { try result.get() }
      }
    }
  }

  @Test("The names of a split transport are those of its parts")
  func names() throws {
    let http = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(store: ApolloStore()),
      endpointURL: try #require(URL(string: "http://localhost")))
    let socket = WebSocketTransport(url: try #require(URL(string: "ws://localhost")))
    let split = SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: socket)
    #expect(split.clientName == http.clientName)
    http.clientName = "a"
    socket.clientName = "b"
    socket.clientVersion = "2"
    http.clientVersion = "1"
    #expect(split.clientName == "SPLIT_HTTPNAME_a_WEBSOCKETNAME_b")
    #expect(split.clientVersion == "SPLIT_HTTPVERSION_1_WEBSOCKETVERSION_2")
  }

  private static func client(http: ScriptedServer, socket: ScriptedWebSocketServer) throws -> ApolloClient {
    let store = ApolloStore()
    let transport = SplitNetworkTransport(
      uploadingNetworkTransport: RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(store: store),
        endpointURL: try #require(URL(string: http.address))),
      webSocketNetworkTransport: try WebSocketTransport(socket, store: store))
    return ApolloClient(networkTransport: transport, store: store)
  }
}
