import Apollo
import ApolloMocks
import ApolloUI
import Foundation
import StyledTests
import Testing

@MainActor @Suite("Pages at random", .timeLimit(.minutes(5)))
struct RandomPagerTests {
  /// What a server has: the characters of each page.
  private static let pages = [[], [1, 2], [3], [4, 5, 6], [], [7], [8, 9]]
  private static let all = pages.flatMap { $0 }.map { "\($0)" }

  /// What a request is answered with that has another fate.
  private static let failures: [MockResponse] = [
    .status(500), .json(#"{"errors": [{"message": "refused"}]}"#), .failure(URLError(.networkConnectionLost)),
  ]

  private static func response(to request: MockRequest, _ version: Int) -> MockResponse {
    let page = request.variables["page"]?.int ?? 0
    return .data([
      "list": .list(
        pages[page].map { ["__typename": "Droid", "id": .string("\($0)"), "name": .string("\($0) \(version)")] }),
      "next": page + 1 < pages.count ? .int(page + 1) : .null,
    ])
  }

  /// A list whose server fails and is slow, and whose app writes, asks anew and taps. It tells of each row once, when the row
  /// comes into view, as a list does that is high enough for all of them. Whatever happens, it shows some of the first pages;
  /// and when the server answers, it comes to the end by itself, unless a page has failed.
  @Test("Twenty events end with all pages, although each row comes into view once", arguments: Effort.seeds(20))
  func script(seed: UInt64) async throws {
    var random = SplitMix(state: seed &+ 1)
    let transport = MockNetworkTransport(), client = ApolloClient(networkTransport: transport)
    transport.expect(ListQuery.self)
    let pager = PagerState(
      ListQuery(), client: client, items: \.list, next: { data in data.next.map { ListQuery(page: $0) } })
    var log: [String] = [], version = 0, userRequests = 1, seen: Set<String> = []
    let list = Redraws {
      let items = pager.items
      for item in items where !seen.contains(item.id) { pager.loadNextIfNeeded(at: item, within: 2) }
      seen = Set(items.map(\.id))
    }

    func answer(failing: Bool) -> Bool {
      guard let request = transport.pending.randomElement(using: &random) else { return false }
      version += 1
      return request.resolve(
        failing ? Self.failures.randomElement(using: &random)! : Self.response(to: request, version))
    }
    func check() {
      let ids = pager.items.map(\.id)
      let ends = Self.pages.indices.map { Self.pages[...$0].joined().count }
      #expect(ids == Array(Self.all.prefix(ids.count)), "seed \(seed): \(log)")
      #expect(ids.isEmpty || ends.contains(ids.count), "seed \(seed): \(log)")
      #expect(
        !pager.hasLoaded || pager.hasNext || ids.count == Self.all.count,
        "seed \(seed): it says that it has ended, with \(ids.count) items: \(log)")
    }

    for _ in 0..<20 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        log.append("refetch")
        userRequests += 1
        Task { await pager.refetch() }
      case 1:
        log.append("next")
        userRequests += 1
        let next = Task { await pager.loadNext() }
        guard Bool.random(using: &random) else { break }
        log.append("the view ends its task")
        await Task.yield()
        next.cancel()
      case 2:
        let id = Self.all.randomElement(using: &random)!
        version += 1
        let name = "written \(version)"
        log.append("write \(id)")
        try? await client.store.withinReadWriteTransaction {
          try await $0.updateObject(ofType: Character.self, withKey: "Droid:\(id)") { $0.name = name }
        }
      case 3: for _ in 0..<5 { await Task.yield() }
      default:
        let isFailing = Int.random(in: 0..<4, using: &random) == 0
        log.append(answer(failing: isFailing) ? isFailing ? "fail" : "answer" : "nothing to answer")
        if Bool.random(using: &random) { for _ in 0..<20 { await Task.yield() } }
      }
      check()
    }

    log.append("then all is answered")
    var hasEnded = false
    for _ in 0..<100_000 where !hasEnded {
      if !answer(failing: false) { await Task.yield() }
      // The user tries again what has failed.
      if !pager.hasLoaded, !pager.isLoading {
        userRequests += 1
        Task { await pager.refetch() }
      }
      if pager.errorNext != nil, !pager.isLoadingNext {
        userRequests += 1
        Task { await pager.loadNext() }
      }
      check()
      hasEnded = pager.hasLoaded && !pager.hasNext && !pager.isLoading && !pager.isLoadingNext
    }
    #expect(hasEnded && list.count > 0, "seed \(seed): \(log), and \(pager.items.count) of \(Self.all.count) items")
    try await settle(client)
    // What has failed is not asked for again by itself, and each request of the user leads to all pages at most.
    #expect(transport.requests.count <= userRequests * Self.pages.count, "seed \(seed): \(log)")
    #expect(pager.items.map(\.id) == Self.all, "seed \(seed): \(log)")
    check()
  }
}
