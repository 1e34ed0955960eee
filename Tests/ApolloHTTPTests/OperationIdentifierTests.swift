import Apollo
import Fixture0022
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// Code that was generated with `operationDocumentFormat: ["operationId"]`.
@Suite("Code with the identifiers of documents only", .everyStyle)
struct OperationIdentifierTests {
  static let identifier = "207df4ff5f2f944cc1c05b3896437d0e7407a255f7e3b5f2fa7c6b51d7897b99"
  static let response = #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"R2-D2"}}}"#

  @Test("The text of no operation and of no fragment is in it")
  func text() {
    let documents = [
      Fixture0022.HeroNameQuery.operationDocument, Fixture0022.RenameMutation.operationDocument,
      Fixture0022.RenamedSubscription.operationDocument,
    ]
    #expect(documents.allSatisfy { $0.text.isEmpty && $0.fragments.isEmpty })
    #expect(documents.map(\.operationIdentifier?.count) == [64, 64, 64])
    #expect(Fixture0022.HeroCard.fragmentDefinition.description.isEmpty)
  }

  @Test("A server that knows the identifier runs the operation", arguments: [false, true])
  func known(_ usesGET: Bool) async throws {
    let requests = try await serve { _, _ in
      [.respond(Self.response)]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true, useGETForQueries: usesGET)
      let hero = try await client.fetch(query: Fixture0022.HeroNameQuery(episode: .some(.case(.jedi)))).data?.hero
      #expect(hero?.name == "R2-D2" && hero?.id == "1")
    }
    let request = try #require(requests.first)
    let sent = usesGET ? request.path : request.body
    #expect(sent.contains(Self.identifier))
    #expect(!sent.contains("\"query\"") && !sent.contains("query="), "\(sent)")
  }

  @Test(
    "A server that does not know it is asked once, and the error is the documented one",
    arguments: [
      PersistedQueryTests.notFound, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
      #"{"errors":[{"message":"PersistedQueryNotSupported"}],"data":null}"#,
    ], [false, true])
  func unknown(_ answer: String, _ retriesWithGET: Bool) async throws {
    let requests = try await serve { _, _ in
      [.respond(answer)]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true, useGETForPersistedQueryRetry: retriesWithGET)
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: Fixture0022.HeroNameQuery())
      }
      #expect(
        error?.cause as? AutomaticPersistedQueryInterceptor.APQError
          == .persistedQueryNotFoundForPersistedOnlyQuery(operationName: "HeroName"))
      #expect(error?.code == .operationRefused)
    }
    #expect(requests.count == 1)
  }

  @Test("A mutation with an identifier only, too")
  func mutation() async throws {
    let requests = try await serve { _, _ in
      [.respond(PersistedQueryTests.notFound)]
    } _: { server async throws in
      let client = client(server, autoPersistQueries: true)
      let error = await #expect(throws: OperationError.self) {
        try await client.perform(mutation: Fixture0022.RenameMutation(id: "1", name: "x"))
      }
      #expect(
        error?.cause as? AutomaticPersistedQueryInterceptor.APQError
          == .persistedQueryNotFoundForPersistedOnlyQuery(operationName: "Rename"))
    }
    #expect(requests.map(\.method) == ["POST"])
  }

  @Test("Servers that know documents by `documentId` get it")
  func documentId() async throws {
    let requests = try await serve { _, _ in
      [.respond(Self.response)]
    } _: { server async throws in
      let client = client(server, bodies: PersistedDocumentBodyCreator())
      #expect(try await client.fetch(query: Fixture0022.HeroNameQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.first?.body.contains("\"documentId\":\"sha256:\(Self.identifier)\"") == true)
  }
}
