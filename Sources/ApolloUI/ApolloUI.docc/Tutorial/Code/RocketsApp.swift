#if canImport(SwiftUI)
  import Apollo
  import ApolloUI
  import RocketsModel
  import SwiftUI

  @main struct RocketsApp: App {
    // (An app has the address of its server here: ApolloClient(url:).)
    private let client = try? SampleServer(latency: .milliseconds(300)).client()

    var body: some Scene {
      WindowGroup {
        if let client {
          LaunchListView(client: client).apolloClient(client)
        }
      }
    }
  }
#endif
