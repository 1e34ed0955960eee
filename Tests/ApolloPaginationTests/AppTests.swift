import Apollo
import ApolloPagination
import AppPieces
import AppPiecesInSwift5
import Testing

/// A view model as apps write it. It is compiled twice: in Swift 6 mode and in Swift 5 mode.
@Suite("In an app") @MainActor struct AppTests {
  private let client = ApolloClient(
    networkTransport: FriendsServer(["Luke", "Han", "Leia"]), store: ApolloStore())

  @Test("Callbacks set the state of a model", arguments: [false, true], [false, true])
  func callbacks(lists: Bool, isStandIn: Bool) async {
    let model = AppPieces.FriendsModel(client: isStandIn ? AppPieces.StandIn(client) : client, lists: lists)
    await withCheckedContinuation { done in model.refresh { done.resume() } }
    #expect(model.friends.map(\.name) == ["Luke", "Han"])
    await withCheckedContinuation { done in model.loadMore { done.resume() } }
    #expect(model.friends.map(\.name) == ["Luke", "Han", "Leia"] && model.log == ["more"])
    await withCheckedContinuation { done in model.loadMore { done.resume() } }
    model.disappear()
    #expect(!model.pager.canLoadNext)
  }

  @Test("Asynchronous functions, too", arguments: [false, true], [false, true])
  func asynchronous(lists: Bool, isStandIn: Bool) async throws {
    let model = AppPieces.FriendsModel(client: isStandIn ? AppPieces.StandIn(client) : client, lists: lists)
    try await model.show()
    #expect(model.friends.map(\.name) == ["Luke", "Han", "Leia"])
  }

  @Test("The same in Swift 5 mode", arguments: [false, true])
  func swift5(lists: Bool) async throws {
    let model = AppPiecesInSwift5.FriendsModel(client: AppPiecesInSwift5.StandIn(client), lists: lists)
    await withCheckedContinuation { done in model.refresh { done.resume() } }
    await withCheckedContinuation { done in model.loadMore { done.resume() } }
    #expect(model.friends.map(\.name) == ["Luke", "Han", "Leia"])
    try await model.show()
    #expect(model.friends.map(\.name) == ["Luke", "Han", "Leia"])
  }
}
