#if canImport(SwiftUI)
  import SwiftUI

  /// The feed as a list that loads its next page when its end comes into view.
  struct FeedView: View {
    let model: FeedModel

    var body: some View {
      List {
        ForEach(model.posts) { post in
          PostView(post: post) { Task { await model.like(post) } }
        }
        if model.hasFailed {
          Button("Try again", systemImage: "arrow.clockwise") { Task { await model.tryAgain() } }
        } else if model.hasMore {
          // (Another number of posts begins the task anew: the end of a short page is in view at once.)
          ProgressView().task(id: model.posts.count) { await model.loadMore() }
        }
      }
      .overlay(alignment: .bottom) { model.problem.map { Text($0).padding() } }
      .refreshable { await model.load() }
      .task { await model.load() }
    }
  }

  private struct PostView: View {
    let post: PostRow
    let like: () -> Void

    var body: some View {
      VStack(alignment: .leading) {
        Text(post.author).font(.headline)
        Text(post.text)
        Button("\(post.likes)", systemImage: post.isLiked ? "heart.fill" : "heart", action: like)
          .disabled(post.isLiked)
      }
    }
  }
#endif
