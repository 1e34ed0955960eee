#if canImport(SwiftUI)
  import Apollo
  import ApolloSQLite
  import ApolloUI
  import RocketsModel
  import SwiftUI

  @main struct RocketsApp: App {
    // (An app has a server: ApolloClient(configuration: .init(url: …, outbox: LaunchList.outbox(in: …))).)
    private let client = try? SampleServer(latency: .milliseconds(300)).client(
      likesIn: SQLiteOutboxStorage(fileURL: SQLiteOutboxStorage.defaultURL()))
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
