#if !canImport(SwiftUI)
  import Apollo
  import ApolloUI
  import Foundation
  import RocketsModel

  /// Shows in a terminal what the app shows on a phone.
  @main @MainActor struct Program {
    static func main() async throws {
      let server = try SampleServer(latency: .milliseconds(200))
      let client = server.client(outbox: LaunchList.outbox(in: Outbox.InMemoryStorage()))
      let list = LaunchList(client: client, pageSize: 5)
      try await until { list.launches.hasNext }
      draw("The first page", list)

      await list.launches.loadNext()
      try await until { !list.launches.hasNext }
      draw("The last item came into view: the next page", list)

      list.search = "titan"
      try await until { list.launches.hasLoaded }
      draw("Looking for “titan”", list)

      let launch = list.launches.items[0], screen = QueryState(LaunchQuery(id: launch.id), client: client)
      try await until { screen.data != nil }
      print("\nA launch\n  \(launch.mission), \(screen.data?.launch?.year ?? 0): \(screen.data?.launch?.details ?? "")")

      server.isReachable = false
      try await list.toggleLike(launch)
      try await until { list.outbox.count == 1 && list.launches.items[0].isLiked && !list.outbox.isOnline }
      draw("Liked without a network: the heart turns at once", list)

      let other = QueryState(LaunchQuery(id: "9"), client: client)
      try await until { other.error != nil }
      print("\nA launch that was not loaded\n  \(other.fetchStatus): it waits for a network")

      server.isReachable = true
      try await until { list.outbox.count == 0 && other.data != nil }
      draw("The network is back: the like is sent", list)
      print("\nThe launch that waited\n  \(other.data?.launch?.launchRow.mission ?? "")")
    }

    /// Prints the screen.
    private static func draw(_ title: String, _ list: LaunchList) {
      print("\n\(title)")
      for launch in list.launches.items {
        print("  \(launch.isLiked ? "♥" : "♡") \(launch.mission)\t(\(launch.rocket))")
      }
      if list.launches.hasNext { print("  …") }
      if list.outbox.count > 0 { print("  ! \(list.outbox.count) wait for a network") }
    }
  }
#endif
