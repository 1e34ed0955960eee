import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@Suite("Cassettes")
struct CassetteTests {
  private static func withFile(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cassettes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appendingPathComponent("test.json"))
  }

  private static func makeClient(_ cassette: Cassette) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
    configuration.http.session = cassette
    return ApolloClient(configuration: configuration)
  }

  /// Records what a body does with a client, over a server that a mock plays.
  private static func record(
    _ file: URL, _ server: MockNetworkTransport, _ body: (ApolloClient) async throws -> Void
  ) async throws {
    let cassette = try Cassette(file: file, over: server.session, mode: .record, clock: TestClock())
    try await body(makeClient(cassette))
    try cassette.save()
  }

  @Test("Recording and playing back", arguments: claims)
  func cassette(_ claim: Claim) async throws { try await claim.check() }

  static let claims: [Claim] = [
    Claim("What was recorded is played back without a server") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport(.schema(try MockSchema(library)))
        try await record(file, server) { client in
          _ = try await client.fetch(query: UserQuery(id: "3"))
          _ = try await client.perform(mutation: RenameMutation())
        }
        let client = makeClient(try Cassette(file: file, mode: .replay))
        #expect(try await client.fetch(query: UserQuery(id: "3")).data?.user?.name == "name of User 3")
        #expect(try await client.perform(mutation: RenameMutation()).data?.user?.name == "Bea")
      }
    },
    Claim("The second request has the second answer, and a third one none") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport()
        server.expect(UserQuery.self).respond(.data(answer("second")))
        server.expect(UserQuery.self).respond(.data(answer("first"))).once()
        try await record(file, server) { client in
          for _ in 0..<2 { _ = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }
        }
        let client = makeClient(try Cassette(file: file, mode: .replay))
        for name in ["first", "second"] {
          #expect(
            try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == name)
        }
        let text = await message {
          _ = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
        }
        #expect(text.contains("has only 2 answers to User {}"), "\(text)")
      }
    },
    Claim("What is not on it is refused, with what is") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport(.schema(try MockSchema(library)))
        try await record(file, server) { _ = try await $0.fetch(query: UserQuery(id: "3")) }
        let client = makeClient(try Cassette(file: file, mode: .replay))
        let text = await message { _ = try await client.fetch(query: UserQuery(id: "4")) }
        #expect(text.contains(#"test.json has no answer to User {"id":"4"}. It has: User {"id":"3"}."#), "\(text)")
        #expect(text.contains("APOLLO_RECORD=1 swift test"))
      }
    },
    Claim("The parts of a response and the events of a subscription are played back") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport(.schema(try MockSchema(library)))
        server.expect(ChangedSubscription.self).respond(
          .parts(["a", "b"].map { String(decoding: ExecutionResult(data: answer($0)).json, as: UTF8.self) }))
        try await record(file, server) { client in
          for try await _ in client.results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) {}
          for try await _ in client.subscribe(to: ChangedSubscription()) {}
        }
        let client = makeClient(try Cassette(file: file, mode: .replay))
        var names: [String?] = []
        for try await result in client.results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) {
          names.append(result.data?.user?.name)
        }
        for try await result in client.subscribe(to: ChangedSubscription()) { names.append(result.data?.user?.name) }
        #expect(names == [nil, "name of User 1", "a", "b"])
      }
    },
    Claim("A status is played back") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport()
        server.expect(UserQuery.self).respond(.status(503, body: "later"))
        try await record(file, server) { _ = try? await $0.fetch(query: UserQuery()) }
        let client = makeClient(try Cassette(file: file, mode: .replay))
        let error = await #expect(throws: (any Error).self) { try await client.fetch(query: UserQuery()) }
        #expect((error as? any ApolloError)?.httpStatus == 503)
      }
    },
    Claim("No secret is in the file") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport()
        let secret = "s3cr3t-value"
        server.expect(UserQuery.self).respond(
          MockResponse.status(
            200, body: #"{"data":{"user":{"__typename":"User","id":"1","name":"Ann","token":"s3cr3t-value"}}}"#,
            headers: [
              "Content-Type": "application/json", "Set-Cookie": "a=\(secret)", "X-Token": secret, "X-Other": "kept",
            ]))
        let cassette = try Cassette(file: file, over: server.session, mode: .record)
        let client = makeClient(cassette)
        _ = try await client.fetch(
          query: UserQuery(), requestConfiguration: RequestConfiguration(headers: ["Authorization": secret]))
        try cassette.save()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains(secret), "\(text)")
        #expect(text.contains("REDACTED") && text.contains("kept"))
      }
    },
    Claim("A secret in a body that is cut inside of it is not in the file either") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport()
        let json =
          #"{"data":{"user":{"__typename":"User","id":"1","name":null}},"extensions":{"token":"s3cr3t-value"}}"#
        server.expect(UserQuery.self).respond(.cutOff(json, after: json.utf8.count - 5))
        try await record(file, server) { _ = try? await $0.fetch(query: UserQuery()) }
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("s3cr3t"))
      }
    },
    Claim("Names are compared by their words, and leaves are replaced by their kind") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport()
        server.expect(UserQuery.self).respond(
          MockResponse.status(
            200,
            body: #"{"data":{"user":{"__typename":"User","id":"1","name":"Ann"}},"extensions":"#
              + #"{"oldPassword":"s3cr3t","authTokens":["s3cr3t"],"access_token":{"expires":5,"isNew":true},"#
              + #""clientSecret":{"value":"s3cr3t"},"passwordHash":"s3cr3t","accesstoken":"s3cr3t","secretary":"kept","#
              + #""next":"https://a.b/c?page=2&token=s3cr3t#end"}}"#,
            headers: ["Content-Type": "application/json", "Location": "/next?api_key=s3cr3t&page=3"]))
        try await record(file, server) { _ = try await $0.fetch(query: UserQuery()) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("s3cr3t"), "\(text)")
        #expect(text.contains(#"{\"expires\":0,\"isNew\":true}"#), "\(text)")
        #expect(text.contains("kept") && text.contains("?page=2&token=REDACTED#end"), "\(text)")
        #expect(text.contains("/next?api_key=REDACTED&page=3"), "\(text)")
        let client = makeClient(try Cassette(file: file, mode: .replay))
        #expect(try await client.fetch(query: UserQuery()).data?.user?.name == "Ann")
      }
    },
    Claim("A word is not a secret because it has the letters of one") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport()
        server.expect(UserQuery.self).respond(
          .json(#"{"data":{"user":null},"extensions":{"shipping":"kept","cardPin":"1234"}}"#))
        let cassette = try Cassette(file: file, over: server.session, mode: .record, secrets: ["pin"])
        _ = try await makeClient(cassette).fetch(query: UserQuery())
        try cassette.save()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("kept") && !text.contains("1234"), "\(text)")
      }
    },
    Claim("An operation with a secret variable is found again") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport(.schema(try MockSchema(library)))
        let cassette = try Cassette(file: file, over: server.session, mode: .record, secrets: ["id"])
        _ = try await makeClient(cassette).fetch(query: UserQuery(id: "4711"))
        try cassette.save()
        let client = makeClient(try Cassette(file: file, mode: .replay, secrets: ["id"]))
        #expect(try await client.fetch(query: UserQuery(id: "4711")).data?.user?.id == "REDACTED")
      }
    },
    Claim("A body that is not JSON is recorded, unless a secret in it cannot be read") { () async throws in
      for (body, isRecorded) in [
        (#"The "token" { is missing."#, true), (#"Sorry: {"token":"s3cr3t"} is not known."#, true),
        (#"{"token": "s3cr3t", "#, false),
      ] {
        try await withFile { file in
          let server = MockNetworkTransport()
          server.expect(UserQuery.self).respond(.status(500, body: body))
          try await record(file, server) { _ = try? await $0.fetch(query: UserQuery()) }
          let text = try String(contentsOf: file, encoding: .utf8)
          #expect(!text.contains("s3cr3t") && text.contains("token") == isRecorded, "\(text)")
        }
      }
    },
    Claim("A document that has changed since is an error") { () async throws in
      try await withFile { file in
        let server = MockNetworkTransport(.schema(try MockSchema(library)))
        try await record(file, server) { _ = try await $0.fetch(query: UserQuery()) }
        var text = try String(contentsOf: file, encoding: .utf8)
        text.replace(/"documentHash" : "[0-9a-f]+"/, with: #""documentHash" : "00""#)
        try Data(text.utf8).write(to: file)
        let client = makeClient(try Cassette(file: file, mode: .replay))
        #expect(
          await message { _ = try await client.fetch(query: UserQuery()) }.contains("is not the one that was recorded"))
      }
    },
    Claim("So is the changed document of any operation of a batch") { () async throws in
      func batch(_ last: String) -> URLRequest {
        var request = URLRequest(url: MockNetworkTransport.url)
        request.httpMethod = "POST"
        request.httpBody = Data(#"[{"query":"query A { me { id } }"},{"query":"query B { \#(last) }"}]"#.utf8)
        return request
      }
      func read(_ chunks: some AsyncChunkSequence) async throws { for try await _ in chunks {} }
      try await withFile { file in
        let server = MockNetworkTransport(.schema(try MockSchema(library)))
        let recording = try Cassette(file: file, over: server.session, mode: .record, clock: TestClock())
        let (chunks, _) = try await recording.chunks(for: batch("isOpen"))
        try await read(chunks)
        try recording.save()
        let cassette = try Cassette(file: file, mode: .replay)
        let text = await message { _ = try await cassette.chunks(for: batch("isOpen today")) }
        #expect(text.contains("the document of B is not the one that was recorded"), "\(text)")
      }
    },
    Claim("A file that is not a cassette, or one of another version, is an error that names it") { () async throws in
      try await withFile { file in
        #expect(message { _ = try Cassette(file: file, mode: .replay) }.contains("cannot be read"))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for (text, expected) in [
          ("{", "is not a cassette"), ("[]", "is not a cassette"), (#"{"format":"x"}"#, "is not a cassette"),
          (#"{"format":"apollo-cassette","version":2,"entries":[]}"#, "of version 2, and this library reads version 1"),
          (#"{"format":"apollo-cassette","version":1}"#, "has no list \"entries\""),
          (#"{"format":"apollo-cassette","version":1,"entries":[{}]}"#, "entry 1 is not complete"),
          (
            #"{"format":"apollo-cassette","version":1,"entries":[{"operations":[],"at":"2027-01-01T00:00:00Z","response":{"status":99999,"parts":[]}}]}"#,
            "entry 1 is not complete"
          ),
        ] {
          try Data(text.utf8).write(to: file)
          let found = message { _ = try Cassette(file: file, mode: .replay) }
          #expect(found.contains("test.json") && found.contains(expected), "\(found)")
        }
      }
    },
    Claim("To record, a session is needed") { () async throws in
      let file = URL(fileURLWithPath: "/tmp/none.json")
      #expect(message { _ = try Cassette(file: file, mode: .record) }.contains("has no session"))
    },
  ]
}
