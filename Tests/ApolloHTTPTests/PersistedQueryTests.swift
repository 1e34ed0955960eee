import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// Asks for hashes, which the transport does not.
private struct AskingInterceptor: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    if let json = request as? JSONRequest<Request.Operation> {
      json.apqConfig = AutoPersistedQueryConfiguration(autoPersistQueries: true, useGETForPersistedQueryRetry: true)
    }
    return await next(request)
  }
}

@Suite("Automatic persisted queries", .everyStyle)
struct PersistedQueryTests {
  static let notFound =
    #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#

  @Test(
    "The hash is sent first, and with the whole document if the server does not know it",
    arguments: [
      notFound, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
      #"{"errors":[{"message":"what?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}],"data":null}"#,
    ])
  func registers(_ answer: String) async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? answer : hero())]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      #expect(try await client.fetch(query: IdentifiedQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.map(\.method) == ["POST", "POST"])
    let hash = #""persistedQuery":{"sha256Hash":"abc123","version":1}"#
    #expect(requests.allSatisfy { $0.body.contains(hash) })
    #expect(!requests[0].body.contains("query Hero"))
    #expect(requests[1].body.contains("query Hero"))
  }

  @Test("The error is understood whatever the status it comes with", arguments: [200, 400, 404])
  func status(_ status: Int) async throws {
    let requests = try await serve { count, _ in
      count == 1 ? [.respond(Self.notFound, status: status)] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, autoPersistQueries: true).fetch(query: IdentifiedQuery())
    }
    #expect(requests.count == 2)
  }

  @Test("A hash the server knows is enough; a mutation's goes by POST, a subscription has none")
  func known() async throws {
    let requests = try await serve { count, _ in
      [.respond([hero(), hero(field: "rename"), #"{"data":{"count":1}}"#][count - 1])]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true, useGETForQueries: true)
      _ = try await client.fetch(query: IdentifiedQuery())
      _ = try await client.perform(mutation: IdentifiedMutation())
      for try await _ in client.subscribe(to: CountSubscription()) {}
    }
    #expect(requests.map(\.method) == ["GET", "POST", "POST"])
    #expect(requests[0].path.contains("persistedQuery") && !requests[0].path.contains("query="))
    #expect(requests[1].body.contains("def456"))
    #expect(!requests[2].body.contains("persistedQuery"))
  }

  @Test(
    "GET is used as its two flags say",
    arguments: [
      (false, false, ["POST", "POST"]), (true, false, ["GET", "POST"]), (false, true, ["POST", "GET"]),
      (true, true, ["GET", "GET"]),
    ])
  func methods(_ queries: Bool, _ retry: Bool, _ methods: [String]) async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? Self.notFound : hero())]
    } _: { server async throws in
      let client = client(
        server, autoPersistQueries: true, useGETForQueries: queries, useGETForPersistedQueryRetry: retry)
      _ = try await client.fetch(query: IdentifiedQuery())
    }
    #expect(requests.map(\.method) == methods)
  }

  @Test(
    "An interceptor asks for them: the retry has the document, a server without support is known, a subscription has none"
  )
  func asked() async throws {
    let answers = [
      #"{"data":{"count":1}}"#, Self.notFound, hero(), #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#,
      hero(),
    ]
    let requests = try await serve { count, _ in
      [.respond(answers[count - 1])]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.graphQLInterceptors = [AskingInterceptor()]
      let client = client(server, provider: options)
      for try await _ in client.subscribe(to: CountSubscription()) {}
      for _ in 1...2 {
        let result = try await client.fetch(query: IdentifiedQuery(), cachePolicy: .fetchIgnoringCacheData)
        #expect(result.data?.hero?.name == "R2-D2")
      }
    }
    #expect(requests.map(\.method) == ["POST", "POST", "GET", "POST", "POST"])
    let texts = requests.map { $0.path + $0.body }
    #expect(texts.map { $0.contains("persistedQuery") } == [false, true, true, true, false])
    #expect(texts.map { $0.contains("query=") || $0.contains("query Hero") } == [false, false, true, false, true])
  }

  @Test("A server that never learns ends it after the second time")
  func noLoop() async throws {
    let requests = try await serve { _, _ in
      [.respond(Self.notFound)]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server, autoPersistQueries: true).fetch(query: IdentifiedQuery())
      }
      #expect(
        error?.cause as? AutomaticPersistedQueryInterceptor.APQError
          == .persistedQueryRetryFailed(operationName: "Hero"))
    }
    #expect(requests.count == 2)
  }

  @Test("A server that supports no hashes gets whole documents from then on")
  func notSupported() async throws {
    let answer = #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? answer : hero())]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      _ = try await client.fetch(query: IdentifiedQuery())
      _ = try await client.fetch(query: IdentifiedQuery(), cachePolicy: .fetchIgnoringCacheData)
    }
    #expect(requests.count == 3)
    for request in requests.dropFirst() {
      #expect(request.body.contains("query Hero"))
      #expect(!request.body.contains("persistedQuery"))
    }
  }

  @Test("A server at another address than the client's, which supports no hashes, gets the whole document")
  func notSupportedElsewhere() async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"# : hero())]
    } _: { server async throws in
      let configuration = RequestConfiguration(endpointURL: URL(string: server.address))
      let result = try await client(server, autoPersistQueries: true).fetch(
        query: IdentifiedQuery(), requestConfiguration: configuration)
      #expect(result.data?.hero?.name == "R2-D2")
    }
    #expect(requests.map { $0.body.contains("persistedQuery") } == [true, false])
    #expect(requests.map { $0.body.contains("query Hero") } == [false, true])
  }

  @Test("Code without identifiers says what to do")
  func noIdentifier() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server, autoPersistQueries: true).fetch(query: HeroQuery())
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("generate the code with operation identifiers") == true)
    }
    #expect(requests.isEmpty)
  }
}
