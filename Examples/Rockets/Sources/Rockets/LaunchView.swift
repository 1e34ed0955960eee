#if canImport(SwiftUI)
  import Apollo
  import ApolloUI
  import Foundation
  import RocketsModel
  import SwiftUI

  /// One launch. Its name is there at once, because the list has it; the rest comes from the server.
  struct LaunchView: View {
    @Watched<LaunchQuery> private var launch: Phase<LaunchQuery.Data>
    @WatchedFragment<LaunchRow> private var row: LaunchRow?

    init(id: String) {
      _launch = Watched(LaunchQuery(id: id))
      _row = WatchedFragment(withKey: "Launch:\(id)")
    }

    var body: some View {
      List {
        switch launch {
        case .none, .loading: ProgressView()
        case .waiting: Label("Waiting for a network", systemImage: "wifi.slash")
        case .failed(let error):
          Text(error.localizedDescription)
          Button("Try again", systemImage: "arrow.clockwise") { Task { try? await $launch.refetch() } }
        case .content(let data):
          if let launch = data.launch {
            LabeledContent("Rocket", value: launch.launchRow.rocket)
            LabeledContent("Year", value: "\(launch.year)")
            LabeledContent("Likes", value: "\(launch.likes)")
            if let details = launch.details { Text(details) }
          } else {
            ContentUnavailableView("No such launch", systemImage: "questionmark", description: Text("It is gone."))
          }
        }
      }
      .navigationTitle(row?.mission ?? "Launch")
      .refreshable { _ = try? await $launch.refetch() }
    }
  }

  struct LaunchView_Previews: PreviewProvider {
    static var previews: some View {
      NavigationStack { LaunchView(id: "2") }.apolloClient(try? SampleServer().client())
      NavigationStack { LaunchView(id: "2") }  // Without a client, the screen says what to do.
    }
  }
#endif
