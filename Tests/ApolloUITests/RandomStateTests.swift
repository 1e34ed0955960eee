import Apollo
import ApolloMocks
import ApolloUI
import Foundation
import StyledTests
import Testing

@MainActor @Suite("States at random", .timeLimit(.minutes(5)))
struct RandomStateTests {
  private static let episodes = ["NEWHOPE", "EMPIRE", "JEDI"]

  private static func query(_ random: inout SplitMix) -> HeroQuery {
    HeroQuery(episode: .some(episodes.randomElement(using: &random)!))
  }

  /// Three states of one client, whose server changes, fails and is slow. Whatever happens, a state never shows data of
  /// another query, and in the end each shows what the cache has.
  @Test("Twenty events for three states end with what the cache has", arguments: Effort.seeds(10))
  func script(seed: UInt64) async throws {
    var random = SplitMix(state: seed &+ 1)
    let transport = MockNetworkTransport(), client = ApolloClient(networkTransport: transport)
    transport.expect(HeroQuery.self)
    let states = (0..<3).map { _ in QueryState(Self.query(&random), client: client) }
    var log: [String] = [], version = 0

    // The name of a hero has the episode in it, so that it tells which query it answers.
    func name(_ query: HeroQuery) -> String { "\(query.episode.unwrapped ?? "") \(version)" }
    func answer() -> Bool {
      guard let request = transport.pending.randomElement(using: &random) else { return false }
      version += 1
      let episode = request.variables["episode"]?.string ?? "", isFailure = Int.random(in: 0..<5, using: &random) == 0
      return request.resolve(isFailure ? .status(500) : hero("\(episode) \(version)", id: episode))
    }
    func check() {
      for state in states {
        guard let shown = state.data?.hero?.name else { continue }
        #expect(shown.hasPrefix(state.query.episode.unwrapped ?? "-"), "seed \(seed): \(log)")
        #expect(!state.isSkipped, "seed \(seed): \(log)")
      }
    }

    for _ in 0..<20 {
      let place = Int.random(in: 0..<3, using: &random), state = states[place]
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        log.append("query \(place)")
        state.query = Self.query(&random)
      case 1:
        log.append("refetch \(place)")
        Task { _ = try? await state.refetch() }
      case 2:
        log.append("skip \(place)")
        state.isSkipped.toggle()
      case 3:
        let query = Self.query(&random)
        version += 1
        log.append("write \(name(query))")
        let character = Character(id: query.episode.unwrapped ?? "", name: name(query))
        try await client.store.withinReadWriteTransaction {
          try await $0.write(data: HeroQuery.Data(hero: character), for: query)
        }
      case 4:
        let id = Self.episodes.randomElement(using: &random)!
        log.append("remove \(id)")
        try await client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:\(id)") }
      case 5: for _ in 0..<5 { await Task.yield() }
      default:
        let isAnswered = answer()
        log.append("answer \(isAnswered)")
      }
      check()
    }

    for state in states { state.isSkipped = false }
    // A failure leaves a state as it is. So each asks once more, of a server that answers.
    let refetches = states.map { state in Task { try await state.refetch() } }
    transport.expect(HeroQuery.self).respond { request in
      hero("\(request.variables["episode"]?.string ?? "") last", id: request.variables["episode"]?.string ?? "")
    }
    let answering = Task {
      while !Task.isCancelled {
        for request in transport.pending {
          let episode = request.variables["episode"]?.string ?? ""
          request.resolve(hero("\(episode) last", id: episode))
        }
        await Task.yield()
      }
    }
    for refetch in refetches { _ = try? await refetch.value }
    // (It may have joined a request that has failed.)
    for state in states {
      while state.data == nil, !Task.isCancelled { _ = try? await state.refetch() }
    }
    await until { states.allSatisfy { $0.fetchStatus == .idle && $0.data != nil } }
    try await settle(client)
    for state in states {
      check()
      #expect(state.data == (try await client.store.load(state.query)), "seed \(seed): \(log)")
      #expect(state.dataState == .complete, "seed \(seed): \(log)")
    }
    answering.cancel()
  }
}
