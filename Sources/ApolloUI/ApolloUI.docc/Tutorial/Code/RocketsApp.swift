#if canImport(SwiftUI)
  import Apollo
  import ApolloUI
  import RocketsModel
  import SwiftUI

  @main struct RocketsApp: App {
    // (An app has the address of its server here: ApolloClient(url:).)
    private let client = try? SampleServer(latency: .milliseconds(300)).client()
    private let list: LaunchList?

    init() { list = client.map { LaunchList(client: $0) } }

    var body: some Scene {
      WindowGroup {
        if let list {
          LaunchListView(list: list).apolloClient(client)
        }
      }
    }
  }
#endif
