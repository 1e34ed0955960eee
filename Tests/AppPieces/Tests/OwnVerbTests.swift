import Apollo
import AppPieces
import AppPiecesInSwift5
import Fixture0001
import Foundation
import ScriptedServer
import Testing

/// What both of the modules have.
@MainActor protocol AnyOwnVerbModel: AnyObject {
  init(client: ApolloClient)
  var log: [String] { get }
  func load() async
}

extension AppPieces.OwnVerbModel: AnyOwnVerbModel {}
extension AppPiecesInSwift5.OwnVerbModel: AnyOwnVerbModel {}

@Suite("Async verbs of an app's own")
struct OwnVerbTests {
  @Test("They are called in place of those of the client, whatever other parameters they have", arguments: [5, 6])
  @MainActor func model(mode: Int) async throws {
    func model(_ client: ApolloClient) -> any AnyOwnVerbModel {
      mode == 5 ? AppPiecesInSwift5.OwnVerbModel(client: client) : AppPieces.OwnVerbModel(client: client)
    }
    try await serve { url in
      let model = model(ApolloClient(url: url))
      await model.load()
      #expect(
        model.log == ["fetch: 1", "fetch: 1", "perform: 4", "upload: 4", "any client: own perform of any client"])
    }
    try await serve({ _ in [.respond(#"{"errors":[{"message":"No."}]}"#)] }) { url in
      let model = model(ApolloClient(url: url))
      await model.load()
      #expect(model.log.prefix(2) == ["fetch: own fetch", "fetch: own fetch"])
      #expect(model.log.suffix(2) == ["upload: own upload", "any client: own perform of any client"])
    }
  }

  @Test("Those in an extension of the app's own protocol are called as well")
  @MainActor func ownProtocol() async {
    let client = ApolloClient(url: URL(string: "http://127.0.0.1:9")!)
    let expected = ["fetch of a sender", "perform of a sender", "upload of a sender"]
    #expect(await AppPieces.OwnSenderModel(client: client).verbs() == expected)
    #expect(await AppPiecesInSwift5.OwnSenderModel(client: client).verbs() == expected)
  }

  @Test("Without them, a call with none of the parameters of callbacks waits for the result")
  @MainActor func withoutOwnVerbs() async throws {
    try await serve { url in
      let client = ApolloClient(url: url), mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
      #expect(try await client.fetch(query: ReviewsQuery()).data?.latest.count == 1)
      let fetched = try await client.fetch(query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheData)
      let sent = try await client.perform(mutation: mutation)
      let uploaded = try await client.upload(operation: mutation, files: [])
      #expect(fetched.source == .server && sent.data?.createReview?.stars == 4)
      #expect(uploaded.data?.createReview?.stars == 4)
    }
  }
}
