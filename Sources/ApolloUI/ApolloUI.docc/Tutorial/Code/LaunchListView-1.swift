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
        }
        .refreshable { await list.launches.refetch() }
        .navigationTitle("Launches")
      }
    }
  }
#endif
