import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// By the behaviour of Apollo Client's mock link and of MSW.
@Suite("A transport by expectations")
struct ExpectationTests {
  @Test("Expectations", arguments: expectations)
  func expectation(_ claim: Claim) async throws { try await claim.check() }

  static let expectations: [Claim] = [
    Claim("An operation is answered with data, and the cache has it") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("Ann")))
      #expect(try await client.fetch(query: UserQuery()).data?.user?.name == "Ann")
      let cached = try await client.fetch(query: UserQuery(), cachePolicy: .returnCacheDataDontFetch)
      #expect(cached.source == .cache && cached.data?.user?.name == "Ann")
    },
    Claim("Typed data is sent as a server sends it") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(data: UserQuery.Data(user: UserQuery.User(id: "1", name: "Typed")))
      #expect(
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "Typed")
    },
    Claim("A body is sent as it is") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.json(#"{"data":{"user":null}}"#))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user == nil)
    },
    Claim("Errors without data are a result with errors") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.errors(ExecutionError("no", extensions: ["code": "NO"])))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.errors?.first?.message == "no" && result.data == nil)
    },
    Claim("Errors come with data") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(
        .data(
          ["user": ["__typename": "User", "id": "1", "name": nil]],
          errors: [ExecutionError("no name", path: ["user", "name"])]))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.data?.user?.id == "1" && result.errors?.count == 1)
    },
    Claim("A status is an error of the client") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.status(503, body: "later"))
      let error = await #expect(throws: (any Error).self) {
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
      #expect((error as? any ApolloError)?.httpStatus == 503)
    },
    Claim("A failure of the connection is an error of the client") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.failure(URLError(.notConnectedToInternet)))
      await #expect(throws: (any Error).self) {
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
    },
    Claim("A body that breaks off is an error of the client") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.cutOff(#"{"data":{"user":null}}"#, after: 9))
      await #expect(throws: (any Error).self) {
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
    },
    Claim("A function makes the answer of each request") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond { .data(answer("U\($0.variables["id"]?.string ?? "?")")) }
      #expect(
        try await client.fetch(query: UserQuery(id: "5"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "U5"
      )
    },
    Claim("Variables choose, by an operation") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("one")))
      transport.expect(UserQuery(id: "2")).respond(.data(answer("two", id: "2")))
      #expect(
        try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "one")
      #expect(
        try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "two")
    },
    Claim("Variables choose, by a condition") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("any")))
      transport.expect(UserQuery.self, where: { $0["id"] == "2" }).respond(.data(answer("two", id: "2")))
      #expect(
        try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "any")
      #expect(
        try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
          == "two")
    },
    Claim("The defaults of the document count as sent") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("default")))
      #expect(
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "default")
      let other = MockNetworkTransport()
      other.expect(UserQuery()).respond(.data(answer("default")))
      #expect(try await makeClient(other).fetch(query: UserQuery(id: "1")).data?.user?.name == "default")
    },
    Claim("Variables with another value do not fit") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1", detail: true)).respond(.data(answer("x")))
      #expect(
        await message {
          _ = try await client.fetch(query: UserQuery(id: "1", detail: false), cachePolicy: .fetchIgnoringCacheData)
        }.contains("Nothing was expected"))
      #expect(
        await message { _ = try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData) }
          .contains("Nothing was expected"))
    },
    Claim("The last one that was registered wins") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("first")))
      transport.expect(UserQuery.self).respond(.data(answer("last")))
      #expect(
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "last")
    },
    Claim("One that answers once gives way to the one before") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("always")))
      transport.expect(UserQuery.self).respond(.data(answer("once"))).once()
      let names = try await fetches(3, client)
      #expect(names == ["once", "always", "always"])
    },
    Claim("One may answer a number of times") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("always")))
      transport.expect(UserQuery.self).respond(.data(answer("twice"))).times(2)
      #expect(try await fetches(3, client) == ["twice", "twice", "always"])
    },
    Claim("Without a number it answers always") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let expectation = transport.expect(UserQuery.self).respond(.data(answer("a")))
      #expect(try await fetches(4, client) == ["a", "a", "a", "a"])
      #expect(expectation.count == 4)
    },
    Claim("One that is used up is an error that says so") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a"))).once()
      _ = try await fetches(1, client)
      let text = await message { _ = try await fetches(1, client) }
      #expect(text.contains("used up: it takes 1"), "\(text)")
    },
    Claim("Other operations are not taken") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(OtherQuery.self).respond(.data(answer("a")))
      let text = await message { _ = try await fetches(1, client) }
      #expect(
        text.contains("Nothing is registered for it") && text.contains("Registered for others: Other."), "\(text)")
    },
    Claim("What was not expected is an error with the query, the variables and what differs") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("a")))
      let text = await message {
        _ = try await client.fetch(query: UserQuery(id: "9"), cachePolicy: .fetchIgnoringCacheData)
      }
      #expect(text.contains("User: Nothing was expected that fits this request."), "\(text)")
      #expect(text.contains(#"{"id":"9"}"#), "\(text)")
      #expect(text.contains(#"id: expected "1", found "9""#), "\(text)")
      #expect(text.contains("ExpectationTests.swift:"), "\(text)")
      #expect(text.contains("query User($id: ID!"), "\(text)")
    },
    Claim("A mutation is answered") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(RenameMutation.self).respond(.data(answer("Bea")))
      #expect(try await client.perform(mutation: RenameMutation()).data?.user?.name == "Bea")
    },
    Claim("The events of a subscription come in order, and end") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(ChangedSubscription.self).respond(
        .parts(["a", "b", "c"].map { String(decoding: ExecutionResult(data: answer($0)).json, as: UTF8.self) }))
      var names: [String?] = []
      for try await result in client.subscribe(to: ChangedSubscription()) { names.append(result.data?.user?.name) }
      #expect(names == ["a", "b", "c"])
    },
    Claim("Requests are kept in order, with their variables and header fields") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      _ = try await client.fetch(
        query: UserQuery(id: "4"), requestConfiguration: RequestConfiguration(headers: ["X-Test": "yes"]))
      let request = try #require(transport.requests.first)
      #expect(request.operationName == "User" && request.variables == ["id": "4"])
      #expect(request.urlRequest.value(forHTTPHeaderField: "X-Test") == "yes")
    },
    Claim("After a reset nothing is expected") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      transport.reset()
      #expect(
        await message { _ = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }.contains(
          "Nothing was expected"))
    },
    Claim("What was met is verified") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      _ = try await fetches(1, client)
      try transport.verify()
    },
    Claim("What was not met is named with its line") { () async throws in
      let transport = MockNetworkTransport()
      transport.expect(UserQuery(id: "3")).respond(.data(answer("a")))
      transport.expect(OtherQuery.self).respond(.data(answer("b"))).times(2)
      let text = message { try transport.verify() }
      #expect(
        text.contains(
          #"Expected, but not sent: User {"id":"3","detail":false} (ApolloMocksTests/ExpectationTests.swift:"#),
        "\(text)")
      #expect(text.contains("Expected, but not sent 2 times but 0: Other"), "\(text)")
    },
    Claim("What was not expected is in what is verified") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      _ = try? await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(message { try transport.verify() }.contains("Nothing was expected that fits this request."))
    },
    Claim("A mock of an object answers") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let hero = Mock<UserMock>()
      hero.user = Mock<PersonMock>()
      hero.user?.id = "1"
      hero.user?.name = "Mocked"
      transport.expect(UserQuery.self).respond(mock: hero)
      #expect(
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "Mocked")
    },
  ]
}
