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
        .navigationDestination(for: String.self) { id in LaunchView(id: id).queryObservation(.onRender) }
        .safeAreaInset(edge: .bottom) { OutboxBar(outbox: list.outbox) }
      }
    }
  }

  /// One launch of the list.
  private struct LaunchRowView: View {
    let launch: LaunchRow
    let like: () -> Void

    var body: some View {
      HStack {
        VStack(alignment: .leading) {
          Text(launch.mission).font(.headline)
          Text(launch.rocket).font(.subheadline).foregroundStyle(.secondary)
        }
        Spacer()
        Button("Like", systemImage: launch.isLiked ? "heart.fill" : "heart", action: like)
          .labelStyle(.iconOnly)
          .buttonStyle(.borderless)
      }
    }
  }

  /// What stands below the last launch.
  private struct PagesFooter: View {
    let launches: PagerState<LaunchRow>

    var body: some View {
      if launches.isLoadingNext || launches.isLoading && !launches.hasLoaded {
        ProgressView()
      }
      if launches.errorNext != nil {
        Button("Try again", systemImage: "arrow.clockwise") { Task { await launches.loadNext() } }
      }
      if let error = launches.error {
        Text(error.localizedDescription).foregroundStyle(.secondary)
      }
    }
  }

  /// Tells what waits for a network.
  private struct OutboxBar: View {
    let outbox: OutboxState

    var body: some View {
      if !outbox.isOnline || outbox.count > 0 || !outbox.failed.isEmpty {
        HStack {
          Label(text, systemImage: outbox.isOnline ? "paperplane" : "wifi.slash")
          Spacer()
          if !outbox.failed.isEmpty {
            Button("Send again", systemImage: "arrow.clockwise") { Task { await outbox.retryAll() } }
          }
        }
        .padding()
        .background(.bar)
      }
    }

    private var text: String {
      if !outbox.failed.isEmpty { return "\(outbox.failed.count) not sent" }
      if outbox.count > 0 { return outbox.isOnline ? "Sending…" : "\(outbox.count) wait for a network" }
      return "No network"
    }
  }

  struct LaunchListView_Previews: PreviewProvider {
    static var previews: some View {
      if let client = try? SampleServer().client() {
        LaunchListView(list: LaunchList(client: client)).apolloClient(client)
      }
    }
  }
#endif
