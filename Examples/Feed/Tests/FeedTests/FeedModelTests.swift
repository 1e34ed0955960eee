import Foundation
import Testing

@testable import Feed
import FeedServer

@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor struct FeedModelTests {
  @Test func pagesBecomeOneList() async throws {
    let model = FeedModel(client: try FeedServer(posts: 7).client(), pageSize: 3)
    await model.load()
    try await model.until { model.posts.map(\.id) == ["1", "2", "3"] }
    await model.loadMore()
    try await model.until { model.posts.map(\.id) == ["1", "2", "3", "4", "5", "6"] }
    await model.loadMore()
    try await model.until { model.posts.count == 7 && !model.hasMore }
    await model.loadMore()
    #expect(model.posts.count == 7)
  }

  @Test func theEndOfAPageLoadsTheNextOneWithinTheTurnThatShowsIt() async throws {
    let model = FeedModel(client: try FeedServer(posts: 7).client(), pageSize: 2)
    async let loaded: Void = model.load()
    for count in [2, 4, 6] {
      try await model.until { model.posts.count == count }
      await model.loadMore()
    }
    await loaded
    try await model.until { model.posts.count == 7 && !model.hasMore }
  }

  @Test func aLikeIsShownBeforeTheServerAnswers() async throws {
    let server = try FeedServer()
    let model = FeedModel(client: server.client())
    await model.load()
    try await model.until { !model.posts.isEmpty }
    let before = model.posts[0].likes
    await server.likeAsSomebodyElse("1")
    await server.hold()
    let like = Task { await model.like(model.posts[0]) }
    try await model.until { model.posts[0].isLiked && model.posts[0].likes == before + 1 }
    await server.letGo()
    await like.value
    try await model.until { model.posts[0].isLiked && model.posts[0].likes == before + 2 }
    #expect(model.problem == nil)
  }

  @Test func aLikeThatIsRefusedIsTakenBack() async throws {
    let server = try FeedServer()
    let model = FeedModel(client: server.client())
    await model.load()
    try await model.until { !model.posts.isEmpty }
    let before = model.posts[0]
    await server.set(.refusesLikes)
    await model.like(before)
    try await model.until { model.posts[0] == before }
    #expect(model.problem == "You have liked enough for today." && !model.hasFailed)
  }

  @Test func aFirstPageThatDidNotComeCanBeTriedAgain() async throws {
    let server = try FeedServer()
    let model = FeedModel(client: server.client())
    await server.set(.isUnreachable)
    await model.load()
    try await model.until { model.hasFailed }
    #expect(model.posts.isEmpty && !model.hasMore)
    await server.set(nil)
    await model.tryAgain()
    try await model.until { !model.posts.isEmpty && model.problem == nil && !model.hasFailed }
  }

  @Test func aRefreshThatFailedIsTriedAgain() async throws {
    let server = try FeedServer()
    let model = FeedModel(client: server.client(), pageSize: 3)
    await model.load()
    try await model.until { model.posts.count == 3 }
    let likes = model.posts[0].likes
    await server.set(.isUnreachable)
    await model.load()
    try await model.until { model.hasFailed }
    #expect(model.posts.count == 3 && model.hasMore)
    await server.set(nil)
    await server.likeAsSomebodyElse("1")
    await model.tryAgain()
    try await model.until { model.posts.count != 3 || model.posts[0].likes == likes + 1 }
    #expect(model.posts.count == 3 && !model.hasFailed)
  }

  @Test func aFailureKeepsWhatIsThere() async throws {
    let server = try FeedServer()
    let model = FeedModel(client: server.client(), pageSize: 3)
    await model.load()
    try await model.until { model.posts.count == 3 }
    await server.set(.isUnreachable)
    await model.loadMore()
    try await model.until { model.problem != nil }
    #expect(model.posts.count == 3 && model.hasMore && model.hasFailed)
    await server.set(nil)
    await model.tryAgain()
    try await model.until { model.posts.count == 6 && model.problem == nil && !model.hasFailed }
  }
}
