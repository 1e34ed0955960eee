import Apollo
@testable import ApolloAPI
import ApolloCache
import GraphQLExecution
import RandomDocuments

/// Two operations that share a cache, beside a naive cache.
struct StoreCheck<First: GraphQLOperation, Second: GraphQLOperation> {
  private let one: Exchange<First>
  private let two: Exchange<Second>

  init(_ one: Exchange<First>, _ two: Exchange<Second>) { (self.one, self.two) = (one, two) }

  func run() async throws {
    let store = ApolloStore()
    var naive = NaiveStore()
    func compare(_ step: String) async throws {
      do {
        try one.same(await load(one, store), naive.read(one.naive), "The first operation reads otherwise \(step)")
        try two.same(await load(two, store), naive.read(two.naive), "The second operation reads otherwise \(step)")
      } catch let error as Mismatch {
        throw Mismatch("\(error)\n\(store.dump())\nThe second operation:\n\(two.description)\nThe first operation:")
      }
    }
    try await store.write(response: ResponseBytes(one.response), for: one.query)
    naive.write(try data(one.response), one.naive)
    try one.same(await load(one, store), one.expected, "An operation does not read back its own response")
    try await store.write(response: ResponseBytes(two.response), for: two.query)
    naive.write(try data(two.response), two.naive)
    try await compare("after one response to each")
    try await store.write(response: ResponseBytes(two.changed), for: two.query)
    naive.write(try data(two.changed), two.naive)
    try await compare("after other data for the second")
    try await store.write(response: ResponseBytes(one.changed), for: one.query)
    naive.write(try data(one.changed), one.naive)
    try await compare("after other data for both")

    let written = ApolloStore(), query = one.query
    // Handed to the transaction, and used there only.
    nonisolated(unsafe) let model = try one.read(one.response)
    try await written.withinReadWriteTransaction { try $0.write(data: model, for: query) }
    try one.same(await load(one, written), one.expected, "What was written as a model reads otherwise")
  }

  private func data(_ response: [UInt8]) throws -> GraphQLValue { try GraphQLValue(json: response)["data"] ?? .null }

  private func load<Operation>(_ exchange: Exchange<Operation>, _ store: ApolloStore) async throws -> GraphQLValue? {
    guard case .success(let data) = await store.read(exchange.query).data else { return nil }
    return try exchange.json(data)
  }
}
