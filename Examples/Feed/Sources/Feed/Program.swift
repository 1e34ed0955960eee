import FeedServer
import Foundation

/// Shows in a terminal what the app shows on a phone.
@main @MainActor struct Program {
  static func main() async throws {
    let server = try FeedServer(latency: .milliseconds(200))
    let model = FeedModel(client: server.client(), pageSize: 3)

    await model.load()
    try await model.until { model.posts.count == 3 }
    draw("The first page", model)

    await model.loadMore()
    try await model.until { model.posts.count == 6 }
    draw("The next page, behind it", model)

    let likes = model.posts[1].likes
    await server.likeAsSomebodyElse("2")
    await server.hold()
    async let liked: Void = model.like(model.posts[1])
    try await model.until { model.posts[1].isLiked }
    draw("Grace is liked. The server has not answered yet", model)
    await server.letGo()
    await liked
    try await model.until { model.posts[1].likes == likes + 2 }
    draw("The server has answered: another user likes her as well", model)

    await server.set(.refusesLikes)
    await server.hold()
    async let refused: Void = model.like(model.posts[2])
    try await model.until { model.posts[2].isLiked }
    draw("Alan is liked. The server has not answered yet", model)
    await server.letGo()
    await refused
    try await model.until { !model.posts[2].isLiked }
    draw("The server refuses, and the heart turns back", model)

    await server.set(.isUnreachable)
    await model.loadMore()
    try await model.until { model.problem != nil }
    draw("The network is gone: what was loaded stays", model)

    await server.set(nil)
    await model.loadMore()
    try await model.until { model.posts.count == 7 }
    draw("The network is back", model)
  }

  /// Prints the screen.
  private static func draw(_ title: String, _ model: FeedModel) {
    print("\n\(title)")
    for post in model.posts {
      print("  \(post.isLiked ? "♥" : "♡") \(post.likes)\t\(post.author): \(post.text)")
    }
    if model.hasMore { print("  …") }
    if let problem = model.problem { print("  ! \(problem)") }
  }
}
