import Apollo
import ApolloSQLite
import ApolloWebSocket
import Foundation
import StarWarsServer

/// Everything a client does, against a server in this process: `make demo` in the root of the package.
@main @MainActor struct Program {
  let server: StarWarsServer
  let client: ApolloClient
  let cache: SQLiteNormalizedCache
  let demo = Demo(steps: 20)
  /// The folder with the files of the cache and of the outbox.
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("starwars-\(UUID().uuidString)")
  var file: URL { folder.appendingPathComponent("cache.sqlite") }

  static func main() async throws {
    let program = try await Program()
    await program.queries()
    await program.shapes()
    await program.writing()
    await program.subscription()
    await program.failures()
    await program.server.stop()
    await program.serverDown()
    await program.nextLaunch()
    await program.launchWithServer()
    try? FileManager.default.removeItem(at: program.folder)
    exit(program.demo.finish() ? 0 : 1)
  }

  /// One cache for both transports, which is kept in a file: subscriptions go over the WebSocket, everything else over
  /// HTTP.
  init() async throws {
    server = try await StarWarsServer.start()
    cache = try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("cache.sqlite"))
    client = ApolloClient(
      configuration: .init(url: server.url, cache: .store(ApolloStore(cache: cache))),
      webSocketURL: server.webSocketURL)
    demo.say("A Star Wars server listens at \(server.url). The types below were generated when this was built.")
  }

  /// Reading, in both styles.
  func queries() async {
    await demo.step("A query", asked: "query HeroName { hero { id name } }") { answer in
      let result = try await client.fetch(query: HeroNameQuery())
      answer.show("hero.name is \(quoted(result.data?.hero?.name)), from the \(result.source)")
      answer.check(result.data?.hero?.name == "R2-D2", "the hero of the saga is R2-D2")
      answer.check(result.source == .server, "it came from the server")
    }

    await demo.step("The same, with a callback", asked: "query HeroName { hero { id name } }") { answer in
      let name = try await withCheckedThrowingContinuation { continuation in
        client.fetch(query: HeroNameQuery(), cachePolicy: .fetchIgnoringCacheData) { result in
          continuation.resume(with: result.map { $0.data?.hero?.name })
        }
      }
      answer.show("hero.name is \(quoted(name))")
      answer.check(name == "R2-D2", "a callback gets the same answer")
    }

    await demo.step("Variables and an enum", asked: "HeroNameQuery(episode: .empire)") { answer in
      let result = try await client.fetch(query: HeroNameQuery(episode: .empire))
      answer.show("hero.name is \(quoted(result.data?.hero?.name))")
      answer.check(result.data?.hero?.name == "Luke Skywalker", "the hero of The Empire Strikes Back is Luke")
    }
  }

  /// Fragments, conditions, unions and nested lists.
  func shapes() async {
    await demo.step(
      "Fragments, and fields of one type",
      asked: "hero { ...CharacterCard ...HumanDetails ... on Droid { primaryFunction } }"
    ) { answer in
      let droid = try await client.fetch(query: HeroDetailsQuery()).data?.hero
      answer.show("hero.characterCard.appearsIn is \(droid?.characterCard.appearsIn.map(\.rawValue) ?? [])")
      answer.show("hero.asDroid?.primaryFunction is \(quoted(droid?.asDroid?.primaryFunction))")
      answer.check(droid?.characterCard.name == "R2-D2", "the fragment has the name")
      answer.check(droid?.name == droid?.characterCard.name, "the name is there without naming the fragment")
      answer.check(droid?.characterCard.appearsIn.contains(.case(.jedi)) == true, "enum values are typed")
      answer.check(droid?.asDroid?.primaryFunction == "Astromech", "R2-D2 is a droid")
      answer.check(droid?.humanDetails == nil, "R2-D2 is not a human")
      let human = try await client.fetch(query: HeroDetailsQuery(episode: .empire, unit: .init(.foot))).data?.hero
      answer.show("of the other hero, hero.humanDetails?.homePlanet is \(quoted(human?.humanDetails?.homePlanet))")
      answer.check(human?.humanDetails?.homePlanet == "Tatooine", "Luke is a human from Tatooine")
      answer.check(human?.asDroid == nil, "Luke is not a droid")
    }

    await demo.step(
      "Parts that variables leave out", asked: "friends @include(if: $withFriends), appearsIn @skip(if: $nameOnly)"
    ) { answer in
      let all = try await client.fetch(query: HeroAndFriendsQuery()).data?.hero
      let friends = all?.friends?.compactMap { $0?.characterCard.name } ?? []
      answer.show("with friends: \(friends.joined(separator: ", "))")
      answer.check(friends.contains("Han Solo"), "R2-D2 has friends")
      let alone = try await client.fetch(query: HeroAndFriendsQuery(withFriends: false, nameOnly: true)).data?.hero
      answer.show(
        "without: friends is \(String(describing: alone?.friends)), appearsIn is \(String(describing: alone?.appearsIn))"
      )
      answer.check(alone?.name == "R2-D2" && alone?.friends == nil && alone?.appearsIn == nil, "only the name is there")
    }

    await demo.step(
      "A union", asked: "search(text: \"an\") { ...HumanDetails ...DroidDetails ... on Starship { name length } }"
    ) { answer in
      let results = try await client.fetch(query: SearchQuery(text: "an")).data?.search ?? []
      for result in results {
        if let human = result.humanDetails {
          answer.show("a human: \(human.name), of \(human.homePlanet ?? "an unknown planet")")
        } else if let droid = result.droidDetails {
          answer.show("a droid: \(droid.name)")
        } else if let starship = result.asStarship {
          answer.show("a starship: \(starship.name), \(starship.length.map { "\($0) m" } ?? "of unknown length")")
        }
      }
      answer.check(results.contains { $0.humanDetails?.name == "Han Solo" }, "Han Solo is found")
      answer.check(results.contains { $0.asStarship != nil }, "a starship is found")
    }

    await demo.step("Lists of lists", asked: "starship(id: 3000) { coordinates }") { answer in
      let starship = try await client.fetch(query: StarshipRouteQuery(id: "3000")).data?.starship
      answer.show("\(starship?.name ?? "?") has been at \(starship?.coordinates ?? [])")
      answer.check(starship?.coordinates?.first?.count == 2, "a point has two numbers")
    }
  }

  /// What mutations do, to the server and to the cache.
  func writing() async {
    await demo.step(
      "A mutation with an input",
      asked: "createReview(episode: JEDI, review: {stars: 5, favoriteColor: {…}}) { ...ReviewDetails }"
    ) { answer in
      let input = ReviewInput(stars: 5, commentary: "A great finish.", favoriteColor: .some(ColorInput(green: 255)))
      let result = try await client.perform(mutation: CreateReviewMutation(episode: .init(.jedi), review: input))
      let review = result.data?.createReview
      answer.show(
        "review \(review?.id ?? "?"): \(review?.stars ?? 0) stars, \(quoted(review?.commentary)), at \(review?.createdAt ?? "?")"
      )
      answer.check(review?.stars == 5 && review?.commentary == "A great finish.", "the review is what was sent")
      answer.check(review?.favoriteColor?.green == 255, "the color is what was sent")
    }

    await demo.step("A cache hit", asked: "HeroDetailsQuery(), which was asked before") { answer in
      let before = await server.requestCount
      let result = try await client.fetch(query: HeroDetailsQuery())
      let after = await server.requestCount
      answer.show(
        "hero.name is \(quoted(result.data?.hero?.name)), from the \(result.source), after \(after - before) requests")
      answer.check(result.source == .cache, "it came from the cache")
      answer.check(after == before, "the server was not asked")
    }

    await demo.step(
      "Data expires, and is refreshed", asked: "starship(id: 3000) { coordinates }, which may be 60 seconds old"
    ) { answer in
      client.store.clock = { Date(timeIntervalSinceNow: 61) }
      defer { client.store.clock = { Date() } }
      var sources: [String] = []
      for try await result in try client.fetch(query: StarshipRouteQuery(id: "3000"), cachePolicy: .revalidateCache) {
        sources.append(result.cacheInfo.isStale ? "the \(result.source), stale" : "the \(result.source)")
      }
      answer.show("after 61 seconds: from " + sources.joined(separator: "; then from "))
      answer.check(sources == ["the cache, stale", "the server"], "old data comes at once, and new data after it")
      let again = try await client.fetch(query: StarshipRouteQuery(id: "3000"))
      answer.show("asked again: from the \(again.source)")
      answer.check(again.source == .cache, "the new data is fresh")
    }

    await demo.step("A watcher hears what another operation changes", asked: "watch HeroName; mutation RenameCharacter")
    { answer in
      var names: [String] = []
      for try await result in client.watch(query: HeroNameQuery()) {
        names.append(result.data?.hero?.name ?? "nobody")
        if names.count == 1 {
          try await client.perform(mutation: RenameCharacterMutation(id: "2001", name: "Artoo"))
        } else {
          break
        }
      }
      answer.show("hero.name was \(quoted(names.first)), then \(quoted(names.last))")
      answer.check(names == ["R2-D2", "Artoo"], "the watcher saw both names")
    }

    await demo.step(
      "Pages become one list", asked: "watch FriendsPage(first: 2); then after: its end cursor, and again"
    ) {
      answer in
      var loaded: [Int] = []
      for try await result in client.watch(query: FriendsPageQuery(id: "1000")) {
        let friends = result.data?.character?.friendsConnection
        loaded.append(friends?.edges.count ?? 0)
        guard let info = friends?.pageInfo, info.hasNextPage else { break }
        let cursor = GraphQLNullable(absentIfNil: info.endCursor)
        // The cache would answer with the list that it has.
        try await client.fetch(
          query: FriendsPageQuery(id: "1000", after: cursor), cachePolicy: .fetchIgnoringCacheData)
      }
      answer.show("the watcher of the first page saw \(loaded.map(String.init).joined(separator: ", then ")) friends")
      answer.check(loaded == [2, 4], "the second page came behind the first")
    }

    await demo.step("A guess that the server refuses", asked: "watch HeroName; mutation RenameCharacter(name: \"\")") {
      answer in
      var names: [String] = [], sent: Task<String?, any Error>?
      for try await result in client.watch(query: HeroNameQuery()) {
        names.append(result.data?.hero?.name ?? "nobody")
        if names.count > 1, names.last == "Artoo" { break }
        guard sent == nil else { continue }
        let guess = RenameCharacterMutation.Data.RenameCharacter(__typename: "Droid", id: "2001", name: "nameless")
        sent = Task {
          let mutation = RenameCharacterMutation(id: "2001", name: "")
          return try await client.perform(mutation: mutation, optimisticData: .init(renameCharacter: guess))
            .errors?.first?.message
        }
      }
      answer.show(try await sent?.value ?? "no error")
      answer.show("hero.name was \(names.map { quoted($0) }.joined(separator: ", then "))")
      answer.check(names.first == "Artoo" && names.last == "Artoo", "the guess was taken back")
    }
  }

  /// Events over the WebSocket.
  func subscription() async {
    await demo.step("A subscription", asked: "subscription ReviewAdded($episode: EMPIRE); mutation CreateReview") {
      answer in
      let writer = Task {
        await server.waitForSubscriptions(1)
        let input = ReviewInput(stars: 4, commentary: "Dark.")
        try await client.perform(mutation: CreateReviewMutation(episode: .init(.empire), review: input))
      }
      for try await event in client.subscribe(to: ReviewAddedSubscription(episode: .empire)) {
        let review = event.data?.reviewAdded
        answer.show(
          "an event: \(review?.reviewDetails.stars ?? 0) stars for \(review?.episode.rawValue ?? "?"), \(quoted(review?.commentary))"
        )
        answer.check(review?.commentary == "Dark.", "the event is the new review")
        break
      }
      try await writer.value
    }
  }

  /// What goes wrong is an error that says what and where.
  func failures() async {
    await demo.step("An error of one field", asked: "character(id: 1000) { name secretBackstory }") { answer in
      let result = try await client.fetch(query: CharacterBackstoryQuery(id: "1000"))
      let path = result.errors?.first?.path?.map(\.description).joined(separator: ".")
      answer.show(
        "name is \(quoted(result.data?.character?.name)), and an error at \(path ?? "?"): \(result.errors?.first?.message ?? "?")"
      )
      answer.check(result.data?.character?.name == "Luke Skywalker", "the rest of the data is there")
      answer.check(path == "character.secretBackstory", "the error names its field")
    }

    await demo.step(
      "Data that is not in the cache, and may not be fetched", asked: "EpisodeReviewsQuery(…), returnCacheDataDontFetch"
    ) { answer in
      do {
        _ = try await client.fetch(
          query: EpisodeReviewsQuery(episode: .init(.newhope)), cachePolicy: .returnCacheDataDontFetch)
        answer.check(false, "there is an error")
      } catch let error as OperationError {
        answer.show("\(error)")
        answer.check(error.code == .cacheMiss, "it is a cache miss")
      }
    }
  }

  /// The same, without any server.
  func serverDown() async {
    await demo.step("A server that is down", asked: "EpisodeReviewsQuery(episode: .newhope)") { answer in
      do {
        _ = try await client.fetch(query: EpisodeReviewsQuery(episode: .init(.newhope)))
        answer.check(false, "there is an error")
      } catch let error as OperationError {
        answer.show("\(error)")
        answer.check(error.code == .network, "it is an error of the network")
        answer.check(error.operationName == "EpisodeReviews", "it names the operation")
      }
    }
  }

  /// A client as an app makes it when it starts: its cache and its outbox are in files.
  func launch(_ url: URL) throws -> (client: ApolloClient, cache: SQLiteNormalizedCache) {
    let cache = try SQLiteNormalizedCache(fileURL: file)
    let storage = try SQLiteOutboxStorage(fileURL: folder.appendingPathComponent("outbox.sqlite"))
    return (
      ApolloClient(
        configuration: .init(
          url: url, cache: .store(ApolloStore(cache: cache)), outbox: Outbox.Configuration(storage: storage))), cache
    )
  }

  func end(_ client: ApolloClient, _ cache: SQLiteNormalizedCache) async throws {
    await client.outbox.close()
    try await client.store.flush()
    try await cache.close()
  }

  /// What an app shows when it starts without a network, and what its user does then.
  func nextLaunch() async {
    await demo.step("The next launch, still without a server", asked: "HeroDetailsQuery(), from the file of the cache")
    {
      answer in
      try await end(client, cache)
      let (next, cache) = try launch(server.url)
      let result = try await next.fetch(query: HeroDetailsQuery())
      answer.show("hero.name is \(quoted(result.data?.hero?.name)), from the \(result.source)")
      answer.check(result.data?.hero?.name == "Artoo" && result.source == .cache, "what was there last is there")
      try await end(next, cache)
    }

    await demo.step("A mutation without a server", asked: "enqueue RenameCharacter(name: \"Artoo Detoo\")") { answer in
      let (next, cache) = try launch(server.url)
      let guess = RenameCharacterMutation.Data.RenameCharacter(__typename: "Droid", id: "2001", name: "Artoo Detoo")
      try await next.enqueue(
        RenameCharacterMutation(id: "2001", name: "Artoo Detoo"), optimisticData: .init(renameCharacter: guess))
      let result = try await next.fetch(query: HeroNameQuery())
      answer.show("hero.name is \(quoted(result.data?.hero?.name)); mutations that wait: \(next.outbox.count)")
      answer.check(result.data?.hero?.name == "Artoo Detoo" && next.outbox.count == 1, "it is shown, and waits")
      try await end(next, cache)
    }
  }

  /// What waits is sent when there is a server again.
  func launchWithServer() async {
    await demo.step("One more launch, with a server", asked: "what the outbox has in its file") { answer in
      let server = try await StarWarsServer.start()
      let (next, cache) = try launch(server.url)
      let first = try await next.fetch(query: HeroNameQuery(), cachePolicy: .cacheFirst)
      try await next.outbox.flush()
      let result = try await next.fetch(query: HeroNameQuery(), cachePolicy: .networkOnly)
      answer.show("hero.name was \(quoted(first.data?.hero?.name)) from the first moment on, from the \(first.source)")
      answer.show("the server has \(quoted(result.data?.hero?.name)); mutations that wait: \(next.outbox.count)")
      answer.check(first.data?.hero?.name == "Artoo Detoo", "what is expected is shown before anything is sent")
      answer.check(result.data?.hero?.name == "Artoo Detoo" && next.outbox.count == 0, "the mutation was sent")
      try await end(next, cache)
      await server.stop()
    }
  }
}

func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "nil" }
