import Apollo
import ApolloUI
import RocketsModel
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor struct LaunchListTests {
  let server: SampleServer
  let client: ApolloClient

  init() throws {
    server = try SampleServer()
    client = server.client(outbox: LaunchList.outbox(in: Outbox.InMemoryStorage()))
  }

  private func missions(_ list: LaunchList) -> [String] { list.launches.items.map(\.mission) }

  @Test func pagesFollowEachOther() async throws {
    let list = LaunchList(client: client, pageSize: 4)
    #expect(list.launches.isLoading && !list.launches.hasLoaded)
    try await until { list.launches.hasNext }
    #expect(missions(list).count == 4)
    list.launches.loadNextIfNeeded(at: list.launches.items[3])
    try await until { list.launches.items.count == 8 }
    await list.launches.loadNext()
    try await until { !list.launches.hasNext }
    #expect(missions(list).last == "Sputnik 1")
  }

  @Test func searchingMakesAnotherListAndTheFirstOneIsThereAtOnceAgain() async throws {
    let list = LaunchList(client: client)
    try await until { list.launches.items.count == 9 }
    list.search = "titan"
    try await until { list.launches.hasLoaded }
    #expect(missions(list) == ["Cassini", "Voyager 2"])
    list.search = "nothing at all"
    try await until { list.launches.hasLoaded }
    #expect(missions(list).isEmpty)
    list.search = ""
    #expect(list.launches.items.count == 9)
  }

  @Test func aLikeWithoutANetworkIsShownAtOnceAndSentLater() async throws {
    let list = LaunchList(client: client)
    try await until { list.launches.hasLoaded }
    server.isReachable = false
    try await list.toggleLike(list.launches.items[0])
    try await until { list.launches.items[0].isLiked && list.outbox.count == 1 }
    server.isReachable = true
    try await until { list.outbox.count == 0 }
    #expect(list.launches.items[0].isLiked)
    let launch = QueryState(LaunchQuery(id: "9"), client: client, cachePolicy: .networkOnly)
    try await until { launch.fetchStatus == .idle && launch.data != nil }
    #expect(launch.data?.launch?.launchRow.isLiked == true)
  }

  @Test func aLikeIsShownAndSentByALaterLaunch() async throws {
    // (In the app it is a file.)
    let outbox = LaunchList.outbox(in: Outbox.InMemoryStorage()), query = LaunchQuery(id: "9")
    let client = server.client(outbox: outbox), list = LaunchList(client: client)
    let screen = QueryState(query, client: client)
    try await until { list.launches.hasLoaded && screen.fetchStatus == .idle && screen.data != nil }
    let data = try #require(screen.data)
    server.isReachable = false
    try await list.toggleLike(list.launches.items[0])
    try await until { list.outbox.count == 1 }
    await client.outbox.close()

    let later = server.client(outbox: outbox)
    try await later.store.withinReadWriteTransaction { try await $0.write(data: data, for: query) }
    try await later.outbox.ready()
    let row = FragmentState(LaunchRow.self, withKey: "Launch:9", client: later)
    #expect(data.launch?.launchRow.isLiked == false && row.data?.isLiked == true)

    server.isReachable = true
    try await later.outbox.flush()
    let launch = QueryState(query, client: later, cachePolicy: .networkOnly)
    try await until { launch.fetchStatus == .idle && launch.data != nil }
    #expect(launch.data?.launch?.launchRow.isLiked == true)
  }

  @Test func aScreenWaitsForANetworkAndGoesOnByItself() async throws {
    server.isReachable = false
    let launch = QueryState(LaunchQuery(id: "2"), client: client)
    try await until { launch.error != nil }
    #expect(launch.fetchStatus == .paused && launch.data == nil)
    server.isReachable = true
    try await until { launch.data != nil }
    #expect(launch.data?.launch?.launchRow.mission == "Apollo 11" && launch.error == nil)
  }

  @Test func theNameOfALaunchIsThereBeforeTheRest() async throws {
    let list = LaunchList(client: client)
    try await until { list.launches.hasLoaded }
    let row = FragmentState(LaunchRow.self, withKey: "Launch:2", client: client)
    #expect(row.data?.mission == "Apollo 11")
  }
}
