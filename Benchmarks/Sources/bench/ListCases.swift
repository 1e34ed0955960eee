import Apollo
import People

/// Pages that become one list: what one more page costs.
///
/// A "byte" is a thousandth of one page, of twenty users. Each run is of a list of its own.
func pages() -> [Benchmark] {
  [2, 50].map { number in
    let rounds = Rounds()
    lazy var store = {
      let store = ApolloStore()
      // In one write for each list: the instructions of thousands vary more than those that are counted.
      for list in 0..<lists { write(Page(users: 0..<(number - 1) * 20, of: list), to: store) }
      return store
    }()
    lazy var next = (0..<lists).map { Page(users: (number - 1) * 20..<number * 20, of: $0) }
    // So many "bytes" that some runs are prepared for, and not thousands.
    return Benchmark("page \(number) of a list", 40 * 1000, isConcurrent: true) {
      let (store, next) = (store, next)
      wait { write(next[await rounds.next() % lists], to: store) }
    }
  }
}

private let lists = 40

/// Writes below ten guesses, each for a record of its own, beside few other records and beside many.
///
/// A "byte" is a thousandth of one write.
func guesses() -> [Benchmark] {
  [1000, 100_000].map { count in
    let rounds = Rounds()
    lazy var store = {
      let store = ApolloStore()
      wait {
        do {
          try await store.publish(records: userRecords(count: count))
          for number in 1...10 {
            try await store.applyOptimisticUpdate(id: "\(number)") { transaction in
              try transaction.updateObject(ofType: UserStatus.self, withKey: "User:\(number)") { $0.bio = "guessed" }
            }
          }
        } catch { fatalError("\(error)") }
      }
      return store
    }()
    return Benchmark("100 writes below 10 guesses, \(count) records", 100 * 1000, isConcurrent: true) {
      let store = store
      wait {
        for _ in 0..<100 {
          let number = await rounds.next()
          do {
            try await store.withinReadWriteTransaction { transaction in
              try transaction.updateObject(ofType: UserStatus.self, withKey: "User:0") { $0.bio = "number \(number)" }
            }
          } catch { fatalError("\(error)") }
        }
      }
    }
  }
}

/// Users with keys from `User:0` on.
func userRecords(count: Int) -> RecordSet {
  RecordSet(
    records: (0..<count).map { number in
      Record(
        key: "User:\(number)",
        [
          "__typename": "User", "id": .string("\(number)"), "score": 1, "isActive": true, "role": "ADMIN", "bio": "",
          "tags": [],
        ])
    })
}

/// A page of users.
private struct Page {
  let query: MembersQuery
  let response: ResponseBytes

  init(users: Range<Int>, of list: Int) {
    let isFirst = users.lowerBound == 0
    let edges = users.map { number in
      """
      {"__typename":"UserEdge","cursor":"\(number)","node":\
      {"__typename":"User","id":"\(list)-\(number)","name":"number \(number)"}}
      """
    }
    let text = """
      {"data":{"members":{"__typename":"UserConnection","edges":[\(edges.joined(separator: ","))],"pageInfo":\
      {"__typename":"PageInfo","hasPreviousPage":\(!isFirst),"hasNextPage":true,"startCursor":"\(users.lowerBound)",\
      "endCursor":"\(users.upperBound - 1)"}}}}
      """
    response = ResponseBytes(text.utf8)
    query = MembersQuery(of: "\(list)", after: isFirst ? nil : .some("\(users.lowerBound - 1)"))
  }
}

private func write(_ page: Page, to store: ApolloStore) {
  wait {
    do { try await store.write(response: page.response, for: page.query) } catch { fatalError("\(error)") }
  }
}
