#if canImport(SwiftUI)
  import Apollo
  import ApolloUI
  import Foundation
  import RocketsModel
  import SwiftUI

  /// All launches, with a field to search them.
  struct LaunchListView: View {
    // (Made once, above all views: a state begins at once, and SwiftUI makes views again and again.)
    @Bindable var list: LaunchList

    var body: some View {
      NavigationStack {
        List {
          ForEach(list.launches.items) { launch in
            NavigationLink(value: launch.id) {
              LaunchRowView(launch: launch) { Task { try? await list.toggleLike(launch) } }
            }
            .onAppear { list.launches.loadNextIfNeeded(at: launch) }
          }
          PagesFooter(launches: list.launches)
        }
        .overlay {
          if list.launches.hasLoaded, list.launches.items.isEmpty {
            ContentUnavailableView(
              "No launches", systemImage: "moon.stars", description: Text("Look for something else."))
          }
        }
        .searchable(text: $list.search, prompt: "Missions and rockets")
        .refreshable { await list.launches.refetch() }
        .navigationTitle("Launches")
      }
    }
  }
#endif
