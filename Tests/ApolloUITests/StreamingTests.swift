import Apollo
import ApolloMocks
import Foundation
import Testing

@testable import ApolloUI

/// A hero whose name comes later, as the generator writes it.
struct SlowHeroQuery: GraphQLQuery {
  static let operationName = "SlowHero"
  static let operationDocument = OperationDocument(
    "query SlowHero { hero { __typename id ... @defer(label: \"name\") { name } } }")
  static let hasDeferredFragments = true

  struct Data: SelectionSet, Hashable {
    var hero: Hero?
    static let __fields = __FieldTable(version: 1, "hero")
    init(hero: Hero?) { self.hero = hero }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }

    struct Hero: SelectionSet, Hashable {
      var __typename: String
      var id: String
      var late: DeferredFragment<Late>
      static var schema: (any SchemaMetadata.Type)? { CharacterSchema.self }
      static let __fields = __FieldTable(version: 3, "__typename id!# @defer")

      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        __typename = try object.typename()
        id = try object.read(1)
        late = try object.deferred(2, "name")
      }

      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, __typename)
        writer.write(1, id)
        writer.write(2, deferred: "name", late)
      }
    }

    struct Late: SelectionSet, Hashable {
      var name: String?
      static let __fields = __FieldTable(version: 3, "name")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
    }
  }
}

/// What comes in parts. What they are named after: `dataState` of Apollo Client 4.3, and its `useQuery` with `@defer`.
@MainActor @Suite("States of data that comes in parts", .timeLimit(.minutes(10)))
struct StreamingTests {
  let screen = Screen()

  private static let first =
    #"{"data":{"hero":{"__typename":"Droid","id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"name"}],"hasNext":true}"#
  private static let name =
    #"{"incremental":[{"id":"0","data":{"name":"R2-D2"}}],"completed":[{"id":"0"}],"hasNext":false}"#
  private static let failure =
    #"{"completed":[{"id":"0","errors":[{"message":"no name"}]}],"hasNext":false}"#

  private func begin() async throws -> (QueryState<SlowHeroQuery>, AsyncStream<String>.Continuation) {
    screen.transport.expect(SlowHeroQuery.self)
    let state = QueryState(SlowHeroQuery(), client: screen.client)
    #expect(state.dataState == .empty && state.fetchStatus == .fetching)
    let (texts, parts) = AsyncStream<String>.makeStream()
    try await screen.answer(.parts(texts))
    parts.yield(Self.first)
    await until { state.data != nil }
    return (state, parts)
  }

  @Test("streaming while a deferred fragment is on its way, then complete")
  func deferred() async throws {
    let (state, parts) = try await begin()
    #expect(state.dataState == .streaming && state.fetchStatus == .fetching && state.data?.hero?.late == .pending)
    parts.yield(Self.name)
    parts.finish()
    await until { state.fetchStatus == .idle }
    #expect(state.dataState == .complete && state.data?.hero?.late.name == "R2-D2")
  }

  @Test("A deferred fragment that fails leaves a part, and its error")
  func failed() async throws {
    let (state, parts) = try await begin()
    parts.yield(Self.failure)
    parts.finish()
    await until { state.fetchStatus == .idle }
    #expect(state.dataState == .partial && state.errors.map(\.message) == ["no name"] && state.error == nil)
  }

  @Test("A response that ends without a deferred fragment leaves a part")
  func broken() async throws {
    let (state, parts) = try await begin()
    parts.finish()
    await until { state.fetchStatus == .idle && state.dataState == .partial }
    #expect(state.data?.hero?.id == "1")
  }

  @Test("A cache that has no deferred fragment has a part; one that has it has all")
  func cached() async throws {
    screen.transport.expect(SlowHeroQuery.self)
    try await screen.client.store.publish(
      records: ["QUERY_ROOT": ["hero": .reference("Droid:1")], "Droid:1": ["__typename": "Droid", "id": "1"]])
    let state = QueryState(SlowHeroQuery(), client: screen.client, cachePolicy: CachePolicy.returnCacheDataDontFetch)
    #expect(state.dataState == .partial && state.data?.hero?.late == .pending)
    try await screen.client.store.publish(records: ["Droid:1": ["name": "Artoo"]])
    await until { state.dataState == .complete }
    #expect(state.data?.hero?.late.name == "Artoo")
  }
}
