import Apollo
@testable import ApolloAPI
@testable import ApolloCache
import GraphQLExecution
import RandomDocuments

/// Two operations that share a cache, beside a naive cache.
struct StoreCheck<First: GraphQLOperation, Second: GraphQLOperation> {
  private let one: Exchange<First>
  private let two: Exchange<Second>

  init(_ one: Exchange<First>, _ two: Exchange<Second>) { (self.one, self.two) = (one, two) }

  func run() async throws {
    let store = ApolloStore()
    // With everything that was sent, and with what is written at least.
    var most = NaiveStore(), least = NaiveStore()
    func write<Operation>(_ response: [UInt8], _ exchange: Exchange<Operation>) async throws {
      try await store.write(response: ResponseBytes(response), for: exchange.query)
      let data = try GraphQLValue(json: response)["data"] ?? .null
      most.write(data, exchange.naive)
      least.write(data, exchange.naive, only: exchange.written)
    }
    func expectation<Operation>(_ exchange: Exchange<Operation>) -> Exchange<Operation>.Expectation {
      let kept = least.read(exchange.written)
      return .init(
        sent: most.read(exchange.naive), written: most.read(exchange.written), mayBeMissing: kept == nil, kept: kept)
    }
    func compare(_ step: String) async throws {
      do {
        try one.same(await load(one, store), expectation(one), "The first operation reads otherwise \(step)")
        try two.same(await load(two, store), expectation(two), "The second operation reads otherwise \(step)")
      } catch let error as Mismatch {
        throw Mismatch(
          "\(error)\n\(store.dump())\nThe second operation:\n\(two.description)\nother data \(String(decoding: two.changed, as: UTF8.self))\n"
            + "The first operation:")
      }
    }
    try await write(one.response, one)
    try one.same(await load(one, store), one.expected, "An operation does not read back its own response")
    // (What an error does to a value that is there is checked with models that are made at run time.)
    if one.hasErrors || two.hasErrors { return }
    try await write(two.response, two)
    try await compare("after one response to each")
    try await write(two.changed, two)
    try await compare("after other data for the second")
    try await write(one.changed, one)
    try await compare("after other data for both")

    let written = ApolloStore(), query = one.query
    // Handed to the transaction, and used there only.
    nonisolated(unsafe) let model = try one.read(one.response)
    try await written.withinReadWriteTransaction { try $0.write(data: model, for: query) }
    try one.same(await load(one, written), one.expected, "What was written as a model reads otherwise")
  }

  private func load<Operation>(_ exchange: Exchange<Operation>, _ store: ApolloStore) async throws -> GraphQLValue? {
    guard case .success(let data) = await store.read(exchange.query).data else { return nil }
    return try exchange.json(data)
  }
}
