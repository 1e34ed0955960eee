import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// An operation that is written by hand.
struct CodableHeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { name friends { name } } }")

  struct Data: CodableSelectionSet, Hashable {
    struct Hero: Codable, Hashable {
      var name: String
      var friends: [Hero]?
    }
    var hero: Hero?
  }
}

@Suite("Operations whose data is Codable", .everyStyle)
struct CodableTests {
  static let answer = #"{"data":{"hero":{"name":"Luke","friends":[{"name":"Han"}]}},"extensions":{"cost":1.5}}"#

  func client(_ server: ScriptedServer) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: CodableInterceptorProvider(decoder: JSONDecoder()),
        endpointURL: URL(string: server.address)!))
  }

  @Test("Data, errors and extensions are decoded by the given decoder")
  func decode() async throws {
    try await serve { count, _ in
      [.respond(count == 1 ? Self.answer : #"{"errors":[{"message":"a","path":["hero",0]},"plain"]}"#)]
    } _: { server async throws in
      let result = try await client(server).fetch(query: CodableHeroQuery())
      #expect(result.data?.hero?.friends?.first?.name == "Han")
      #expect(result.extensions?["cost"] as? Double == 1.5)
      let second = try await client(server).fetch(query: CodableHeroQuery())
      #expect(second.data == nil)
      #expect(second.errors?.map(\.message) == ["a", "plain"])
      #expect(second.errors?.first?.path == ["hero", 0])
    }
  }

  @Test("A property list is decoded as well")
  func propertyList() async throws {
    struct Envelope: Encodable { var data: CodableHeroQuery.Data }
    let data = CodableHeroQuery.Data(hero: .init(name: "Leia"))
    let body = Array(try PropertyListEncoder().encode(Envelope(data: data)))
    try await serve { _, _ in
      [.respond(body, contentType: "application/x-plist")]
    } _: { server async throws in
      let transport = RequestChainNetworkTransport(
        interceptorProvider: CodableInterceptorProvider(decoder: PropertyListDecoder()),
        endpointURL: URL(string: server.address)!)
      let result = try await ApolloClient(networkTransport: transport).fetch(query: CodableHeroQuery())
      #expect(result.data == data)
    }
  }

  @Test("What does not fit, and data that is not Decodable, are errors that say so")
  func errors() async throws {
    try await serve { _, _ in
      [.respond(#"{"data":{"hero":{"name":7}}}"#)]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server).fetch(query: CodableHeroQuery())
      }
      #expect(error?.code == .invalidResponse)
      #expect(error?.message.contains("name") == true)
      let other = await #expect(throws: OperationError.self) { try await client(server).fetch(query: HeroQuery()) }
      #expect(other?.code == .configuration)
      #expect(other?.message.contains("is not Decodable") == true)
    }
  }

  @Test("The default interceptors read it, too")
  func defaultProvider() async throws {
    try await serve { _, _ in
      [.respond(Self.answer)]
    } _: { server async throws in
      let result = try await ApolloClient(url: URL(string: server.address)!).fetch(query: CodableHeroQuery())
      #expect(result.data?.hero?.name == "Luke")
    }
  }
}
