import Apollo
import Foundation

extension NetworkTransportConformance {
  static let responses: [NetworkTransportConformance] = [
    NetworkTransportConformance("A response becomes typed data") { trial in
      try await trial.run({ _ in .response(Responses.hero()) }) { caller in
        try expect(try await caller.fetch(), is: [Outcome.result(name: "R2-D2", from: .server)], "outcomes")
      }
    },
    NetworkTransportConformance("Errors of fields come with the data of the others") { trial in
      for path in [true, false] {
        try await trial.run({ _ in .response(Responses.unnamed(path: path)) }) { caller in
          try expect(
            try await caller.fetch(), is: [Outcome.result(name: nil, from: .server, errors: 1)], "with a path: \(path)")
        }
      }
    },
    NetworkTransportConformance(
      "A response without data is a result with errors, and leaves the cache alone", needs: [.cache]
    ) {
      trial in
      try await trial.run({ $0 == 1 ? .response(Responses.hero()) : .response(Responses.nothing) }) { caller in
        _ = try await caller.fetch()
        try expect(
          try await caller.last(), is: Outcome.result(name: nil, from: .server, errors: 1) as Outcome?, "outcome")
        try expect(await trial.cachedName(), is: "R2-D2" as String?, "the cached name")
      }
    },
    NetworkTransportConformance("Errors fail an operation that may have none, and nothing of it is in the cache") {
      trial in
      for path in [true, false] {
        let configuration = RequestConfiguration(errorPolicy: .none)
        try await trial.run({ _ in .response(Responses.unnamed(path: path)) }) { caller in
          let outcomes = try await caller.fetch(1, .fetchIgnoringCacheData, configuration)
          try expect(outcomes, is: [Outcome.failure("operationRefused")], "with a path: \(path)")
          try expect(await trial.cachedName(), is: nil as String?, "the cached name")
          let isEmpty = (try? await trial.store.withinReadTransaction { try $0.read(query: HeroQuery()) }) == nil
          try expect(isEmpty, is: true, "whether the cache has nothing")
        }
      }
    },
    NetworkTransportConformance("Errors that are ignored are not in the result, but for one without data") { trial in
      let configuration = RequestConfiguration(errorPolicy: .ignore)
      try await trial.run({ .response($0 == 1 ? Responses.unnamed(path: true) : Responses.nothing) }) { caller in
        try expect(
          try await caller.fetch(1, .fetchIgnoringCacheData, configuration),
          is: [Outcome.result(name: nil, from: .server)], "with data")
        try expect(
          try await caller.fetch(1, .fetchIgnoringCacheData, configuration),
          is: [Outcome.result(name: nil, from: .server, errors: 1)], "without data")
      }
    },
    NetworkTransportConformance("The errors of the cache are given by the same policy", needs: [.cache]) { trial in
      try await trial.run({ _ in .response(Responses.unnamed(path: true)) }) { caller in
        _ = try await caller.fetch()
        let policies: [(ErrorPolicy, Outcome)] = [
          (.all, .result(name: nil, from: .cache, errors: 1)), (.ignore, .result(name: nil, from: .cache)),
          (.none, .failure("operationRefused")),
        ]
        for (policy, wanted) in policies {
          let outcome = try await caller.last(
            1, .returnCacheDataDontFetch, RequestConfiguration(errorPolicy: policy))
          try expect(outcome, is: wanted as Outcome?, "with the policy \(policy)")
        }
        // The whole answer follows a part that may not be given.
        let outcomes = try await caller.fetch(1, .returnCacheDataAndFetch, RequestConfiguration(errorPolicy: .none))
        try expect(outcomes, is: [Outcome.failure("operationRefused")], "with an answer after the cache")
      }
    },
    NetworkTransportConformance("An error with a path is kept in place of the field", needs: [.cache]) { trial in
      try await trial.run({ _ in .response(Responses.unnamed(path: true)) }) { caller in
        _ = try await caller.fetch()
        try expect(
          try await caller.last(1, .returnCacheDataDontFetch),
          is: Outcome.result(name: nil, from: .cache, errors: 1) as Outcome?,
          "what the cache has")
      }
    },
    NetworkTransportConformance("An error without a path hides nothing that the cache has", needs: [.cache]) { trial in
      try await trial.run({ .response($0 == 1 ? Responses.hero() : Responses.unnamed(path: false)) }) { caller in
        _ = try await caller.fetch()
        _ = try await caller.fetch()
        try expect(await trial.cachedName(), is: "R2-D2" as String?, "the cached name")
      }
    },
    NetworkTransportConformance("The parts of a response are joined, and the last one says that it is", needs: [.parts])
    { trial in
      let parts = [
        #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":null}},"hasNext":true}"#,
        #"{"incremental":[{"path":["hero"],"data":{"name":"R2-D2"}}],"hasNext":false}"#,
      ]
      let wanted = [
        Outcome.result(name: nil, from: .server, hasNext: true), .result(name: "R2-D2", from: .server),
      ]
      guard trial.style == .sequence || trial.style == .callback || trial.style == .awaited else { return }
      try await trial.run({ _ in .parts(parts) }) { caller in
        let outcomes = try await caller.fetchDeferred()
        try expect(outcomes, is: caller.style == .awaited ? [wanted[1]] : wanted, "outcomes")
      }
    },
    NetworkTransportConformance("Events of a subscription come in their order", needs: [.subscriptions]) {
      trial in
      let names = ["one", "two", "three"]
      try await trial.run({ _ in .parts(names.map { Responses.hero($0) }) }) { caller in
        let outcomes = try await caller.subscribe(3)
        try expect(outcomes, is: names.map { Outcome.result(name: $0, from: .server) }, "outcomes")
      }
    },
    NetworkTransportConformance("A mutation is sent whatever the cache has, and written unless the app says otherwise")
    { trial in
      let hasCache = trial.subject.inabilities[.cache] == nil
      try await trial.run({ .response(Responses.hero("answer \($0)")) }) { caller in
        // The cache then has the hero. From the second mutation on, it has the answer to a mutation as well.
        _ = try await caller.fetch()
        for (number, publishes) in [(2, true), (3, true), (4, false)] {
          let outcomes = try await caller.mutate(publishes)
          try expect(outcomes, is: [Outcome.result(name: "answer \(number)", from: .server)], "outcomes")
          guard hasCache else { continue }
          let written: String? = "answer \(publishes ? number : number - 1)"
          try expect(await trial.cachedName(), is: written, "the cached name after mutation \(number - 1)")
        }
      }
    },
  ]

  typealias Outcome = TransportTrial.Outcome
}

extension TransportTrial.Caller {
  func fetchDeferred() async throws -> [Outcome] {
    let query = DeferredHeroQuery()
    switch style {
    case .awaited:
      return await lastOutcome { try await client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData) }
    case .callback, .watcher:
      return try await collect(2) {
        client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData, queue: .global(), resultHandler: $0)
      }
    case .sequence, .watchedSequence:
      return await collect(client.results(of: query, cachePolicy: .fetchIgnoringCacheData))
    }
  }

  func mutate(_ publishes: Bool) async throws -> [Outcome] {
    let mutation = RenameMutation()
    switch style {
    case .awaited, .sequence, .watchedSequence:
      return await lastOutcome { try await client.perform(mutation: mutation, publishResultToStore: publishes) }
    case .callback, .watcher:
      return try await collect(1) {
        client.perform(mutation: mutation, publishResultToStore: publishes, queue: .global(), resultHandler: $0)
      }
    }
  }

  func subscribe(_ count: Int) async throws -> [Outcome] {
    switch style {
    case .awaited, .sequence, .watchedSequence:
      return await collect(client.subscribe(to: HeroChangedSubscription()), count)
    case .callback, .watcher:
      return try await collect(count) {
        client.subscribe(subscription: HeroChangedSubscription(), queue: .global(), resultHandler: $0)
      }
    }
  }

  private func lastOutcome<Data: HeroData>(_ body: () async throws -> GraphQLResult<Data>) async -> [Outcome] {
    do { return [Outcome(try await body())] } catch { return [Outcome(error)] }
  }
}
