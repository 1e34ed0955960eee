import Apollo
import ApolloMockServer
import ApolloMocks
import Foundation
import GraphQLExecution
import Testing

@Suite("The mock server over HTTP", .timeLimit(.minutes(2)))
struct HTTPTests {
  static let modern = "application/graphql-response+json"

  @Test("An app's client is answered: queries, mutations that echo, errors")
  func client() async throws {
    let server = try await MockServer.start(try library().failing("Query.hero", message: "The server is tired."))
    let client = ApolloClient(url: server.url)
    let character = try await client.fetch(query: CharacterQuery(id: "3")).data?.character
    #expect(character?.name.hasPrefix("name of ") == true)
    _ = try await client.perform(mutation: RenameMutation(id: "3", name: "Bea"))
    let again = try await client.fetch(query: CharacterQuery(id: "3"), cachePolicy: .fetchIgnoringCacheData)
    #expect(again.data?.character?.name == "Bea")
    #expect(try await client.fetch(query: HeroQuery()).errors?.map(\.message) == ["The server is tired."])
    await server.stop()
  }

  @Test("A query is persisted with its first request, and found by its hash from then on")
  func persisted() async throws {
    let server = try await MockServer.start(try library())
    let hash = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}"#
    let unknown = try await server.send("POST", "{\(hash)}")
    #expect(unknown.json["errors"]?[0]?["extensions"]?["code"] == "PERSISTED_QUERY_NOT_FOUND")
    for body in [#"{"query":"{ character(id: 4) { id } }",\#(hash)}"#, "{\(hash)}"] {
      #expect(try await server.send("POST", body).json["data"]?["character"]?["id"] == "4")
    }
    let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"abc"}}"#
    let asked = try await server.send("GET", nil, query: ["extensions": extensions], [:])
    #expect(asked.json["data"]?["character"]?["id"] == "4")
    await server.stop()
  }

  @Test("Queries of an app by GET, and lists of operations")
  func settings() async throws {
    let transport = MockNetworkTransport(.schema(try library())), server = try await MockServer.start(transport)
    var asking = ApolloClient.Configuration(url: server.url)
    asking.http.useGETForQueries = true
    let asked = try await ApolloClient(configuration: asking).fetch(query: CharacterQuery(id: "1"))
    #expect(asked.data?.character?.id == "1" && transport.requests.first?.urlRequest.httpMethod == "GET")
    var configuration = ApolloClient.Configuration(url: server.url)
    configuration.batching = .init(interval: .milliseconds(20), maximumSize: 5)
    let client = ApolloClient(configuration: configuration)
    let ids = try await withThrowingTaskGroup(of: String?.self) { group in
      for id in 1...5 {
        group.addTask { try await client.fetch(query: CharacterQuery(id: "\(id)")).data?.character?.id }
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids == ["1", "2", "3", "4", "5"])
    await server.stop()
  }

  @Test("A file is its name")
  func upload() async throws {
    let transport = MockNetworkTransport(
      .schema(
        try library().resolving("Mutation.addPicture") {
          $0.arguments["file"].map { .string("got \($0.string ?? "nothing")") }
        }))
    let server = try await MockServer.start(transport), client = ApolloClient(url: server.url)
    let file = GraphQLFile(fieldName: "file", originalName: "me.png", mimeType: "image/png", data: Data([1, 2, 3]))
    let result = try await client.upload(operation: AddPictureMutation(file: "", of: "1"), files: [file])
    #expect(result.data?.addPicture == "got me.png")
    #expect(transport.requests.first?.variables["file"] == "me.png")
    await server.stop()
  }

  @Test("Deferred fragments come in parts")
  func deferred() async throws {
    let server = try await MockServer.start(try library()), client = ApolloClient(url: server.url)
    var states: [Bool] = []
    for try await result in client.results(of: SlowQuery(), cachePolicy: .fetchIgnoringCacheData) {
      states.append(result.data?.hero?.late.value != nil)
    }
    #expect(states == [false, true])
    await server.stop()
  }

  @Test(
    "Subscriptions over HTTP, by both protocols, end with the app", arguments: [StreamProtocol.multipart, .eventStream])
  func subscription(over stream: StreamProtocol) async throws {
    let schema = try library(), server = try await MockServer.start(schema)
    var configuration = ApolloClient.Configuration(url: server.url)
    configuration.http.streamProtocol = stream
    let client = ApolloClient(configuration: configuration)
    let stars = Task {
      var stars: [Int?] = []
      for try await result in client.subscribe(to: ReviewAddedSubscription()) {
        stars.append(result.data?.reviewAdded.stars)
        if stars.count == 3 { break }
      }
      return stars
    }
    try await schema.store.untilSubscribed("reviewAdded")
    for count in 1...3 { try schema.store.publish("reviewAdded", ["stars": .int(count)]) }
    #expect(try await stars.value == [1, 2, 3])
    await server.stop()
  }

  @Test("Statuses and header fields are those of GraphQL over HTTP")
  func statuses() async throws {
    let server = try await MockServer.start(try library())
    let hero = #"{"query":"{ hero { name } }"}"#
    let plain = try await server.send("POST", hero)
    #expect(plain.status == 200 && plain.headers["content-type"] == "application/json")
    #expect(plain.headers["access-control-allow-origin"] == "*")
    let modern = ["Content-Type": "application/json; charset=utf-8", "Accept": Self.modern]
    #expect(try await server.send("POST", hero, modern).headers["content-type"] == Self.modern)
    let invalid = #"{"query":"{ nope }"}"#
    #expect(try await server.send("POST", invalid).status == 200)
    let refused = try await server.send("POST", invalid, modern)
    #expect(refused.status == 400 && refused.json["data"] == nil)
    #expect(refused.json["errors"]?[0]?["message"]?.string?.contains("\"nope\"") == true)
    #expect(try await server.send("POST", "{", modern).status == 400)
    #expect(try await server.send("POST", "[1]").status == 400)
    #expect(try await server.send("POST", hero, ["Content-Type": "text/plain"]).status == 415)
    #expect(try await server.send("PUT", hero).status == 405)
    #expect(try await server.send("OPTIONS", nil, [:]).status == 204)
    let asked = try await server.send("GET", query: ["query": "{ hero { id } }"], [:])
    #expect(asked.status == 200 && asked.json["data"]?["hero"]?["id"] != nil)
    let mutation = try await server.send(
      "GET", query: ["query": #"mutation { renameCharacter(id: 1, name: "B") { id } }"#], [:])
    #expect(mutation.status == 405 && mutation.headers["allow"] == "GET, POST, OPTIONS")
    #expect(try await server.send("GET", nil, [:]).status == 400)
    let page = try await server.send("GET", path: "/", ["Accept": "text/html,*/*"])
    #expect(page.status == 200 && page.text.contains("<title>Mock server</title>"))
    await server.stop()
  }

  @Test("A plus sign in an address is a space")
  func plus() async throws {
    let server = try await MockServer.start(try library())
    let asked = try await server.send("GET", encodedQuery: "query=query+A%7Bhero%7Bid%7D%7D", [:])
    #expect(asked.json["data"]?["hero"]?["id"] != nil, "\(asked.text)")
    let mutation = "query=mutation+A%7BrenameCharacter(id:1,name:%22B%22)%7Bid%7D%7D"
    #expect(try await server.send("GET", encodedQuery: mutation, [:]).status == 405)
    await server.stop()
  }

  @Test("A mutation that is known by its hash is not sent with GET")
  func persistedMutation() async throws {
    let server = try await MockServer.start(try library())
    let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"abc"}}"#
    let query = #"mutation { renameCharacter(id: 1, name: \"B\") { id } }"#
    let sent = try await server.send("POST", #"{"query":"\#(query)","extensions":\#(extensions)}"#)
    #expect(sent.json["data"]?["renameCharacter"]?["id"] == "1", "\(sent.text)")
    #expect(try await server.send("GET", query: ["extensions": extensions], [:]).status == 405)
    await server.stop()
  }

  @Test("Variables are an object, and of several operations one is named")
  func refused() async throws {
    let server = try await MockServer.start(try library())
    let variables = try await server.send("POST", #"{"query":"{ hero { id } }","variables":[1]}"#)
    #expect(variables.status == 400 && variables.text.contains("are an object"), "\(variables.text)")
    let several = try await server.send("POST", #"{"query":"query A { hero { id } } query B { hero { id } }"}"#)
    #expect(several.json["data"] == nil && several.json["errors"]?[0] != nil, "\(several.text)")
    await server.stop()
  }

  @Test("A page is allowed the header fields that it asks for")
  func preflight() async throws {
    let server = try await MockServer.start(try library())
    let asked = try await server.send("OPTIONS", nil, ["Access-Control-Request-Headers": "authorization"])
    #expect(asked.headers["access-control-allow-headers"] == "authorization")
    #expect(try await server.send("OPTIONS", nil, [:]).headers["access-control-allow-headers"] == "*")
    await server.stop()
  }

  @Test("The length of an encoded body is not that of the body")
  func encoded() async throws {
    let headers = ["Content-Type": "application/json", "Content-Encoding": "gzip", "Content-Length": "5"]
    let transport = MockNetworkTransport(.respond { _ in .status(200, body: #"{"data":{}}"#, headers: headers) })
    let server = try await MockServer.start(transport)
    #expect(try await server.send("POST", #"{"query":"{ hero { id } }"}"#).text == #"{"data":{}}"#)
    await server.stop()
  }

  @Test("A server that cannot be reached while it is recorded is an error of the gateway")
  func unreachable() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    let upstream = MockNetworkTransport(.respond { _ in throw URLError(.cannotConnectToHost) })
    let server = try await MockServer.start(
      answering: try Cassette(file: file, over: upstream.session, mode: .record))
    let answer = try await server.send("POST", #"{"query":"{ hero { id } }"}"#)
    #expect(answer.status == 502 && answer.json["errors"]?[0]?["message"]?.string != nil, "\(answer.text)")
    await server.stop()
  }

  @Test("What a test expects comes over the socket: a status, a body that breaks off, a failure, a wait")
  func expectations() async throws {
    let transport = MockNetworkTransport(), server = try await MockServer.start(transport)
    let client = ApolloClient(url: server.url)
    func hero() async throws -> String? {
      try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).data?.hero?.name
    }
    transport.expect(HeroQuery.self).respond(.data(["hero": ["__typename": "Droid", "id": "1", "name": "R2-D2"]]))
    #expect(try await hero() == "R2-D2")
    for response in [
      .status(503), .cutOff(#"{"data":{"hero":null}}"#, after: 9), .failure(URLError(.timedOut)),
    ] as [MockResponse] {
      transport.expect(HeroQuery.self).respond(response).once()
      await #expect(throws: (any Error).self) { try await hero() }
    }
    #expect(try await hero() == "R2-D2")
    transport.expect(HeroQuery.self)
    async let waiting = hero()
    var request = try await transport.next()
    while !request.resolve(.data(["hero": nil])) { request = try await transport.next() }
    #expect(try await waiting == nil)
    let unexpected = try await server.send(
      "POST", #"{"query":"query Other { a }","operationName":"Other"}"#)
    #expect(unexpected.status == 400 && unexpected.text.contains("Nothing was expected that fits"))
    await server.stop()
  }

  @Test("A cassette is played, and what is not on it is said")
  func cassette() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorded = try Cassette(
      file: file, over: MockNetworkTransport(.schema(try library())).session, mode: .record)
    let recorder = try await MockServer.start(answering: recorded)
    let name = try await ApolloClient(url: recorder.url).fetch(query: CharacterQuery(id: "7")).data?.character?.name
    await recorder.stop()
    try recorded.save()
    let player = try await MockServer.start(answering: try Cassette(file: file, mode: .replay))
    let client = ApolloClient(url: player.url)
    #expect(try await client.fetch(query: CharacterQuery(id: "7")).data?.character?.name == name && name != nil)
    let other = try await player.send(
      "POST", #"{"query":"query Hero { hero { id } }","operationName":"Hero","variables":{}}"#)
    #expect(other.status == 404 && other.text.contains("has no answer to Hero"))
    await player.stop()
  }

  @Test("A port that is taken is an error; a server that was stopped or released takes no connection")
  func lifecycle() async throws {
    let server = try await MockServer.start(try library())
    await #expect(throws: (any Error).self) { try await MockServer.start(try library(), port: server.port) }
    #expect(try await server.send("GET", query: ["query": "{ __typename }"], [:]).status == 200)
    await server.stop()
    await #expect(throws: (any Error).self) { try await server.send("GET", query: ["query": "{ __typename }"], [:]) }
    // Its port can be used again.
    let next = try await MockServer.start(try library(), port: server.port)
    #expect(next.port == server.port)
    await next.stop()
  }
}
