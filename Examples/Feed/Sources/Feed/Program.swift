import FeedServer
import Foundation

/// Shows in a terminal what the app shows on a phone.
@main @MainActor struct Program {
  static func main() async throws {
    let server = try FeedServer(latency: .milliseconds(200))
    let model = FeedModel(client: server.client(), pageSize: 3)

    await model.load()
    await draw("The first page", model)

    await model.loadMore()
    await draw("The next page, behind it", model)

    await server.likeAsSomebodyElse("2")
    async let liked: Void = model.like(model.posts[1])
    try await Task.sleep(for: .milliseconds(50))
    await draw("Grace is liked. The server has not answered yet", model)
    await liked
    await draw("The server has answered: somebody else likes her as well", model)

    await server.set(.refusesLikes)
    async let refused: Void = model.like(model.posts[2])
    try await Task.sleep(for: .milliseconds(50))
    await draw("Alan is liked. The server has not answered yet", model)
    await refused
    await draw("The server refuses, and the heart turns back", model)

    await server.set(.isUnreachable)
    await model.loadMore()
    await draw("The network is gone: what was loaded stays", model)

    await server.set(nil)
    await model.loadMore()
    await draw("The network is back", model)
  }

  /// Prints the screen.
  private static func draw(_ title: String, _ model: FeedModel) async {
    // What the pager delivers reaches the model on the main queue.
    try? await Task.sleep(for: .milliseconds(20))
    print("\n\(title)")
    for post in model.posts {
      print("  \(post.isLiked ? "♥" : "♡") \(post.likes)\t\(post.author): \(post.text)")
    }
    if model.hasMore { print("  …") }
    if let problem = model.problem { print("  ! \(problem)") }
  }
}
