import Apollo
import Foundation

extension NetworkTransportConformance {
  static let failures: [NetworkTransportConformance] = [
    NetworkTransportConformance("A status that is not a success is an error that tells it", needs: [.statuses]) {
      trial in
      try await trial.run({ _ in .status(500, body: "no") }) { caller in
        try expect(try await caller.last(), is: Outcome.failure("httpStatus") as Outcome?, "outcome")
      }
    },
    NetworkTransportConformance("What does not fit the operation is an error, and nothing of it is cached") { trial in
      let odd = [
        #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":{}}}}"#,
        #"{"data":{"hero":{"__typename":"Droid"}}}"#,
        #"{"data":{"hero":[]}}"#, "[]", "no JSON", "",
      ]
      for body in odd {
        try await trial.run({ _ in .response(body) }) { caller in
          try expect(try await caller.last(), is: Outcome.failure("invalidResponse") as Outcome?, body)
          try expect(await trial.cachedName(), is: nil as String?, "the cached name")
        }
      }
    },
    NetworkTransportConformance(
      "A body that breaks off at any tenth of its bytes is an error, and nothing of it is cached"
    ) { trial in
      let body = Responses.hero()
      for part in 0..<10 {
        try await trial.run({ _ in .brokenOff(body, after: body.utf8.count * part / 10) }) { caller in
          let outcome = try await caller.last()
          guard case .failure(let code)? = outcome, code == "network" || code == "invalidResponse" else {
            throw Failure(
              description: "after \(part) tenths: expected a failure, found \(outcome.map { "\($0)" } ?? "none")")
          }
          try expect(await trial.cachedName(), is: nil as String?, "the cached name after \(part) tenths")
        }
      }
    },
    NetworkTransportConformance("An error names the operation") { trial in
      guard trial.style == .awaited || trial.style == .sequence || trial.style == .watchedSequence else { return }
      try await trial.run({ _ in .response(#"{"data":{"hero":[]}}"#) }) { caller in
        do {
          switch trial.style {
          case .awaited: _ = try await caller.client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
          case .sequence:
            for try await _ in caller.client.results(of: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) {}
          default: for try await _ in caller.client.watch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) {}
          }
          throw Failure(description: "There was no error.")
        } catch let error as OperationError {
          try expect(error.operationName, is: "Hero" as String?, "the operation's name")
        }
      }
    },
    NetworkTransportConformance("An operation that takes longer than its deadline ends with an error") { trial in
      try await trial.run({ _ in .never }) { caller in
        let outcome = try await caller.last(context: Deadline(requestDeadline: 0.3))
        try expect(outcome, is: Outcome.failure("network") as Outcome?, "outcome")
      }
    },
    NetworkTransportConformance("The cache stands in for a server that does not answer", needs: [.cache]) { trial in
      guard trial.style == .awaited else { return }
      try await trial.run({ $0 == 1 ? .response(Responses.hero()) : .brokenOff("{", after: 1) }) { caller in
        _ = try await caller.fetch()
        let result = try await caller.client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
        try expect(Outcome(result), is: Outcome.result(name: "R2-D2", from: .cache), "the result")
        try expect(result.cacheInfo.fetchError == nil, is: false, "whether there is no reason")
      }
    },
  ]

  struct Deadline: RequestContextDeadlineConfigurable {
    let requestDeadline: TimeInterval?
  }

  /// The cache of a hit has the hero, that of a partial one has an error in place of the name.
  private enum Contents: CaseIterable { case miss, hit, partial }

  static let policies: [NetworkTransportConformance] = [
    NetworkTransportConformance("Each cache policy does what it says, whatever the cache has", needs: [.cache]) {
      trial in
      for contents in Contents.allCases {
        for policy in [
          CachePolicy.returnCacheDataElseFetch, .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely,
          .returnCacheDataDontFetch, .returnCacheDataAndFetch,
        ] {
          try await trial.store.clearCache()
          try await check(policy, with: contents, in: trial)
        }
      }
    }
  ]

  private static func check(_ policy: CachePolicy, with contents: Contents, in trial: TransportTrial) async throws {
    let cached: Outcome? =
      switch contents {
      case .miss: nil
      case .hit: .result(name: "old", from: .cache)
      case .partial: .result(name: nil, from: .cache, errors: 1)
      }
    let server = Outcome.result(name: "new", from: .server)
    var wanted: [Outcome]
    switch (policy, contents) {
    case (.returnCacheDataElseFetch, .hit): wanted = [.result(name: "old", from: .cache)]
    case (.returnCacheDataDontFetch, _): wanted = [cached ?? .failure("cacheMiss")]
    case (.returnCacheDataAndFetch, _): wanted = [cached, server].compactMap(\.self)
    default: wanted = [server]
    }
    let asksServer = wanted.last == server
    let first = contents == .partial ? Responses.unnamed(path: true) : Responses.hero("old")
    let skipped = contents == .miss ? 0 : 1
    try await trial.run({ .response($0 <= skipped ? first : Responses.hero("new")) }) { caller in
      if contents != .miss {
        _ = try await caller.client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
      var outcomes = try await caller.fetch(wanted.count, upTo: wanted.last, policy)
      if caller.style == .awaited { wanted = wanted.suffix(1) }
      if caller.style == .watcher || caller.style == .watchedSequence {
        // Watchers may miss what is replaced at once, never the last one.
        (outcomes, wanted) = (outcomes.suffix(1), wanted.suffix(1))
      }
      let what = "\(policy) with a cache that has a \(contents)"
      try expect(outcomes, is: wanted, what)
      try expect(caller.requests.value, is: skipped + (asksServer ? 1 : 0), "requests of \(what)")
      let isWritten = asksServer && policy != .fetchIgnoringCacheCompletely
      let kept: String? = isWritten ? "new" : contents == .hit ? "old" : nil
      try expect(await trial.cachedName(), is: kept, "the cached name after \(what)")
    }
  }

  static let identity: [NetworkTransportConformance] = [
    NetworkTransportConformance("The store's own rule makes the keys of objects", needs: [.identity]) { trial in
      trial.store.cacheKeyForObject = { object in object["id"].map { "own-\($0)" } }
      try await expectKeys(["own-2001"], after: Responses.hero(), in: trial)
    },
    NetworkTransportConformance("The schema's configuration makes the keys of objects", needs: [.cache]) { trial in
      try await expectKeys(["Person:1"], after: Responses.hero("Luke", type: "Human", id: "1"), in: trial)
    },
    NetworkTransportConformance("The key fields of a type make the keys of its objects", needs: [.cache]) { trial in
      try await expectKeys(["Droid:2001"], after: Responses.hero(), in: trial)
    },
  ]

  private static func expectKeys(_ keys: Set<CacheKey>, after body: String, in trial: TransportTrial) async throws {
    try await trial.run({ _ in .response(body) }) { caller in
      _ = try await caller.fetch()
      let found = try await trial.store.withinReadTransaction { transaction in
        keys.filter { (try? transaction.readObject(ofType: HeroQuery.Hero.self, withKey: $0)) != nil }
      }
      try expect(found.sorted(), is: keys.sorted(), "the records")
    }
  }
}
