import Apollo
import ApolloWebSocket
import AppPieces
import AppPiecesInSwift5
import Fixture0001
import Foundation
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What both of the modules have.
@MainActor protocol AnyModelOfAnyClient: AnyObject {
  init(client: any ApolloClientProtocol)
  var log: [String] { get }
  func load() async throws
  func add(_ stars: Int) async throws
  func queue(_ stars: Int) async throws
  func listen() async throws
  func follow() async throws
}

extension AppPieces.AnyClientModel: AnyModelOfAnyClient {}
extension AppPiecesInSwift5.AnyClientModel: AnyModelOfAnyClient {}

@Suite("Async verbs of a client that is known as a protocol")
struct AnyClientTests {
  @Test("A main-actor class waits for any client", arguments: [5, 6])
  @MainActor func model(mode: Int) async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let model: any AnyModelOfAnyClient =
        mode == 5 ? AppPiecesInSwift5.AnyClientModel(client: client) : AppPieces.AnyClientModel(client: client)
      try await model.load()
      #expect(model.log == ["fetched [5]", "newest 1", "cached 1", "both 1", "both 1"])
      try await model.add(4)
      #expect(model.log.last == "added 4")
      try await model.queue(3)
      #expect(model.log.last == "queued 4, 0 left")
      try await model.listen()
      #expect(model.log.suffix(2) == ["event 1", "event 2"])
      try await model.follow()
      #expect(model.log.last == "watched 1")
      #expect(try await AppPieces.stars(client) == [5])
      #expect(try await AppPiecesInSwift5.stars(client) == [5])
    }
  }

  @Test("A mock of either release has them, with what its callbacks give")
  @MainActor func mocks() async throws {
    let first = AppPieces.FirstClient(), last = AppPiecesInSwift5.LastClient()
    // (It says that it was cancelled.)
    await #expect(throws: CancellationError.self) { try await AppPieces.AnyClientModel(client: first).load() }
    #expect(first.calls == ["fetch"])
    await #expect(throws: OperationError.self) { try await AppPieces.AnyClientModel(client: last).add(1) }
    #expect(last.calls == ["perform"])
    await #expect(throws: (any Error).self) { try await AppPieces.AnyClientModel(client: last).queue(1) }
    #expect(last.calls == ["perform", "perform"])
    #expect(last.outbox.count == 0)
  }
}

/// What both of the modules have.
@MainActor protocol AnyOwnProtocolModel: AnyObject {
  var log: [String] { get }
  func load() async throws
  func watch() async
  func stop()
}

extension AppPieces.OwnProtocolModel: AnyOwnProtocolModel {}
extension AppPiecesInSwift5.OwnProtocolModel: AnyOwnProtocolModel {}

@Suite("Protocols of an app's own")
struct OwnProtocolTests {
  @Test("A client conforms to them as it is, with the verbs of releases 1 and 2", arguments: [5, 6])
  @MainActor func model(mode: Int) async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let model: any AnyOwnProtocolModel =
        mode == 5 ? AppPiecesInSwift5.OwnProtocolModel(client: client) : AppPieces.OwnProtocolModel(client: client)
      try await model.load()
      #expect(model.log == ["fetched 0 1", "both 4", "added 4 4", "event 1", "event 2"])
      await model.watch()
      #expect(model.log.contains("refetches true false"))
      let notes: Set<String> = ["watched", "watched as before", "watched on a queue"]
      try await eventually { notes.isSubset(of: model.log) }
      model.stop()
    }
  }
}

@Suite("Guesses of plain classes")
struct GuessTests {
  @Test("The closures of a mutation are plain in Swift 5 mode")
  @MainActor func closures() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let guesser = AppPiecesInSwift5.ReviewGuesser(client: client), newer = AppPieces.ReviewGuesser(client: client)
      var answers: [Int?] = []
      guesser.add(3) { answers.append($0) }
      try await eventually { answers == [4] }
      #expect(guesser.guesses.first == 3 && guesser.updates.last == 4)
      newer.add(3) { answers.append($0) }
      try await eventually { answers == [4, 4] }
    }
  }
}

@Suite("Names of earlier releases in signatures")
struct NameOfReleaseTests {
  @Test("Types of apps are made of them")
  func names() {
    let list = AppPieces.FragmentList<CharacterCard>(), older = AppPiecesInSwift5.FragmentList<CharacterCard>()
    let card = CharacterCard(__typename: "Human", id: "1", name: "Luke", appearsIn: [])
    list.add([card])
    older.add([card])
    #expect(list.items.map(\.name) == ["Luke"] && older.items == list.items)
    #expect(AppPieces.describe(CreateReviewMutation(review: ReviewInput(stars: 1)).__variables).contains("review"))
    #expect(AppPieces.describe(ReviewInput(stars: 1).graphQLMap).contains("stars"))
    #expect(AppPieces.describe(nil) == "" && AppPiecesInSwift5.describe(["b": 1, "a": 2]) == "a, b")
    #expect(AppPieces.typeName(String.self) == "String" && AppPiecesInSwift5.typeName(Int.self) == "Int")
    #expect(AppPieces.entityName(card) == "CharacterCard")
    #expect(AppPieces.line(about: card).hasPrefix(#"Human {"__typename":"Human","#), "\(AppPieces.line(about: card))")
    #expect(AppPieces.line(about: card).contains(#""name":"Luke""#) && card.__typename.count == 5)
    #expect(AppPiecesInSwift5.hasChanged(card, since: card) == false)
    #expect(AppPieces.isOfChain(InterceptorRequestChain.ChainError.noInterceptors) == true)
    #expect(AppPieces.legacyParser(idField: "id").cacheKeyForObject?(["id": "7"]) as? String == "7")
    #expect(AppPieces.badge(of: .connecting) == "…" && AppPiecesInSwift5.badge(of: .finished(.cancelled)) == "failed")
    #expect(AppPieces.NamedVariable("stars", 5).value as? Int == 5)
    #expect(AppPieces.policy(isOffline: true) == .returnCacheDataDontFetch)
    #expect(AppPiecesInSwift5.policy(isOffline: false) == CachePolicy.default)
  }

  @Test("What the compiler warns of still compiles, and cached responses can be refused")
  func deprecated() async throws {
    let names: any DeprecatedNames = DeprecatedNameUser()
    #expect(names.texts == ["7: lost", "not written"])
    let client: URLSessionClient = AppPieces.UncachedClient()
    let task = client.session.dataTask(with: URL(string: "http://localhost")!)
    let answer = URLResponse(
      url: URL(string: "http://localhost")!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    let response = CachedURLResponse(response: answer, data: Data())
    let kept = Locked<Bool?>(nil)
    client.urlSession(client.session, dataTask: task, willCacheResponse: response) { cached in
      kept.withLock { $0 = cached != nil }
    }
    #expect(kept.withLock { $0 } == false)
    task.cancel()
    client.invalidate()
  }
}

/// (A protocol stands between what is deprecated and the test, which would be warned of it.)
private protocol DeprecatedNames { var texts: [String] { get } }

private struct DeprecatedNameUser: DeprecatedNames {
  @available(*, deprecated)
  var texts: [String] {
    let socket = WebSocket(url: URL(string: "ws://localhost")!, protocol: .graphql_transport_ws)
    AppPieces.listen(to: socket) { _ in }
    return [
      AppPieces.explain(WebSocket.WSError(type: .closeError, message: "lost", code: 7)),
      AppPiecesInSwift5.explain(WebSocketError(.serializedMessageError)),
    ]
  }
}
