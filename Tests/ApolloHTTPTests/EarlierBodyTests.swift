import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A creator as apps wrote them for Apollo iOS 0.x: it has only the form with four labels.
private struct TenantCreator: RequestCreator {
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> GraphQLMap {
    var body = ApolloRequestCreator().requestBody(
      for: operation, sendOperationIdentifiers: sendOperationIdentifiers, sendQueryDocument: sendQueryDocument,
      autoPersistQuery: autoPersistQuery)
    body["tenant"] = "seven"
    return body
  }
}

/// A creator as apps wrote them for Apollo iOS 1.x: it has only the form with three labels.
private struct LaterTenantCreator: RequestBodyCreator {
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    var body = ApolloRequestBodyCreator().requestBody(
      for: operation, sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
    body["tenant"] = "seven"
    return body
  }
}

@Suite("Bodies of requests, by creators of Apollo iOS 0.x", .everyStyle)
struct EarlierBodyTests {
  @Test("A creator with the form of 0.x makes the body that is sent")
  func creator() throws {
    let request = JSONRequest(
      operation: IdentifiedQuery(), graphQLEndpoint: URL(string: "http://localhost:1")!, clientName: "a",
      clientVersion: "b", requestBodyCreator: TenantCreator(), sendEnhancedClientAwareness: false)
    let body = String(decoding: try request.toURLRequest().httpBody ?? Data(), as: UTF8.self)
    #expect(body.contains(#""tenant":"seven""#))
    #expect(body.contains(#""query":"#))
  }

  @Test("An identifier is in place of the document if that is asked for")
  func identifiers() {
    let body = ApolloRequestCreator().requestBody(
      for: IdentifiedQuery(), sendOperationIdentifiers: true, sendQueryDocument: true, autoPersistQuery: false)
    #expect(body["id"] as? String == "abc123")
    #expect(body["query"] == nil)
    let document = ApolloRequestCreator().requestBody(
      for: IdentifiedQuery(), sendOperationIdentifiers: false, sendQueryDocument: true, autoPersistQuery: false)
    #expect(document["id"] == nil)
    #expect(document["query"] as? String == IdentifiedQuery.operationDocument.text)
  }

  @Test("A creator of the app makes the body too where a transport sends identifiers")
  func sentIdentifiers() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let transport = HTTPNetworkTransport(
        url: URL(string: server.address)!, sendOperationIdentifiers: true, requestCreator: TenantCreator())
      let client = ApolloClient(networkTransport: transport)
      _ = try await client.fetch(query: IdentifiedQuery())
      // It must have an identifier nevertheless.
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
      #expect(error?.code == .invalidRequest)
    }
    #expect(requests.count == 1)
    let body = try #require(requests.first?.body)
    #expect(body.contains(#""tenant":"seven""#) && body.contains(#""id":"abc123""#) && !body.contains("query"))
  }

  @Test("An operation without an identifier is sent with its document, where a creator asks for the identifier")
  func noIdentifier() {
    let body = ApolloRequestCreator().requestBody(
      for: HeroQuery(), sendOperationIdentifiers: true, sendQueryDocument: true, autoPersistQuery: false)
    #expect(body["query"] as? String == HeroQuery.operationDocument.text)
    #expect(body["id"] == nil)
  }

  @Test("What has a default in 0.x may be left out, and the form of the app is called")
  func defaults() {
    let query = IdentifiedQuery(), creators: [any RequestBodyCreator] = [TenantCreator(), LaterTenantCreator()]
    var whole = [TenantCreator().requestBody(for: query), LaterTenantCreator().requestBody(for: query)]
    for creator in creators {
      whole.append(creator.requestBody(for: query))
      whole.append(creator.requestBody(for: query, sendOperationIdentifiers: false))
      let persisted = creator.requestBody(for: query, autoPersistQuery: true)
      #expect(persisted["extensions"] != nil)
      whole.append(persisted)
      let brief = creator.requestBody(for: query, sendQueryDocument: false)
      #expect(brief["tenant"] as? String == "seven" && brief["query"] == nil)
    }
    for body in whole {
      #expect(body["tenant"] as? String == "seven")
      #expect(body["query"] as? String == IdentifiedQuery.operationDocument.text)
    }
  }
}
