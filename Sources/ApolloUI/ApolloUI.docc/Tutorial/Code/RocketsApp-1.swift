#if canImport(SwiftUI)
  import Apollo
  import ApolloUI
  import RocketsModel
  import SwiftUI

  @main struct RocketsApp: App {
    private let client: ApolloClient?
    private let list: LaunchList?
    private var outbox = Outbox.Configuration()

    init() {
      // (An app has a server: ApolloClient(configuration: .init(url: …, outbox: outbox)).)
      client = try? SampleServer(latency: .milliseconds(300)).client(outbox: outbox)
      list = client.map { LaunchList(client: $0) }
    }

    var body: some Scene {
      WindowGroup {
        if let list {
          LaunchListView(list: list).apolloClient(client)
        }
      }
    }
  }
#endif
