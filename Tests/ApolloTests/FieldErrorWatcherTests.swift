@testable import Apollo
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

/// What is shown of an answer in which a field has an error, where the cache has something else by then.
@Suite("Watchers of answers with errors of fields", .everyStyle, .timeLimit(.minutes(5)))
struct FieldErrorWatcherTests {
  /// A mutation that has the name only.
  struct NameMutation: GraphQLMutation {
    static let operationName = "Name"
    static let operationDocument = OperationDocument("mutation Name { rename { __typename id name } }")

    struct Named: SelectionSet, Hashable {
      var __typename: String
      var id: String
      var name: String
      static let __fields = __FieldTable(version: 3, "__typename id!# name ^Character")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        __typename = try object.typename()
        id = try object.read(1)
        name = try object.read(2)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, __typename)
        writer.write(1, id)
        writer.write(2, name)
      }
    }

    struct Data: SelectionSet, Hashable {
      var rename: Named
      static let __fields = __FieldTable(version: 1, "rename")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { rename = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rename) }
    }
  }

  struct HeroesQuery: GraphQLQuery {
    static let operationName = "Heroes"
    static let operationDocument = OperationDocument("query Heroes { heroes { __typename id name height } }")

    struct Data: SelectionSet, Hashable {
      var heroes: [Hero]
      static let __fields = __FieldTable(version: 1, "heroes")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { heroes = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, heroes) }
    }
  }

  private static func answer(height: String = "null", errors: String = "[]") -> String {
    """
    {"data":{"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","height":\(height)}},"errors":\(errors)}
    """
  }

  private static let tooTall = #"[{"message":"too tall","path":["hero","height"]}]"#

  /// A watcher that has had its first answer. By default it has null in the place where the next one has an error.
  private static func start(
    _ way: HeldServer.Way, height: String = "null", hasError: Bool = false, _ policy: ErrorPolicy = .all
  ) async throws -> (server: HeldServer, shown: Received<String>, watcher: GraphQLQueryWatcher<HeroQuery>) {
    let server = HeldServer(way), shown = Received<String>()
    let watcher = server.client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
      requestConfiguration: RequestConfiguration(errorPolicy: policy), callbackQueue: .callbacks
    ) { result in
      let value = try? result.get(), hero = value?.data?.hero
      let height = hero?.height.map { "\($0)" } ?? "nil"
      shown.add("\(hero?.name ?? "nil") \(height) \((value?.errors ?? []).compactMap(\.message))")
    }
    try await server.answer("Hero", answer(height: height, errors: hasError ? tooTall : "[]"))
    let errors = hasError && policy == .all ? #"["too tall"]"# : "[]"
    #expect(await shown.next() == "R2-D2 \(height == "null" ? "nil" : height) \(errors)")
    return (server, shown, watcher)
  }

  private static func guess(_ server: HeldServer) async throws {
    try await server.client.store.applyOptimisticUpdate(id: "a") { transaction in
      try transaction.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = "guess" }
    }
  }

  @Test(
    "A late answer does not undo on screen what a mutation has brought meanwhile",
    arguments: [HeldServer.Way.chain, .responseTransport], [false, true])
  func lateAnswer(way: HeldServer.Way, hasError: Bool) async throws {
    let (server, shown, watcher) = try await Self.start(way, hasError: hasError)
    watcher.refetch()
    let late = try await server.request("Hero")
    let rename = Task { try await server.client.perform(mutation: NameMutation()) }
    try await server.answer("Name", #"{"data":{"rename":{"__typename":"Droid","id":"2001","name":"new"}}}"#)
    _ = try await rename.value
    #expect(await shown.next() == (hasError ? #"new nil ["too tall"]"# : "new nil []"))
    late.resume(returning: Self.answer(errors: Self.tooTall))
    #expect(await shown.next() == #"new nil ["too tall"]"#)
    #expect(await shown.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test(
    "An answer is shown with the guesses on top, also where errors are ignored",
    arguments: [ErrorPolicy.all, .ignore], [false, true])
  func guess(policy: ErrorPolicy, hasError: Bool) async throws {
    let (server, shown, watcher) = try await Self.start(.chain, hasError: hasError, policy)
    try await Self.guess(server)
    #expect(await shown.next() == (hasError && policy == .all ? #"guess nil ["too tall"]"# : "guess nil []"))
    watcher.refetch()
    try await server.answer("Hero", Self.answer(errors: Self.tooTall))
    #expect(await shown.next() == (policy == .all ? #"guess nil ["too tall"]"# : "guess nil []"))
    watcher.cancel()
  }

  @Test("An answer of which a guess hides a part is shown when the guess is over")
  func hidden() async throws {
    let (server, shown, watcher) = try await Self.start(.chain, hasError: true)
    try await server.client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Droid:2001") }
    watcher.refetch()
    try await server.answer("Hero", Self.answer(errors: Self.tooTall))
    #expect(await shown.isQuiet(after: server.client))
    #expect(watcher.hiddenAnswer?.errors?.count == 1)
    try await server.client.store.revertOptimisticUpdate(id: "a")
    #expect(await shown.next() == #"R2-D2 nil ["too tall"]"#)
    watcher.cancel()
  }

  @Test("Where the cache keeps a value that the answer has an error for, the answer is shown as it is")
  func keptValue() async throws {
    for errors in [Self.tooTall, #"[{"message":"too tall"}]"#] {
      let (server, shown, watcher) = try await Self.start(.chain, height: "0.5")
      watcher.refetch()
      try await server.answer("Hero", Self.answer(errors: errors))
      #expect(await shown.next() == #"R2-D2 nil ["too tall"]"#)
      #expect(try await server.client.store.load(HeroQuery()).hero?.height == 0.5)
      watcher.cancel()
    }
  }

  @Test("So it is when a guess that hides a part of it is over, whatever another one shows", arguments: [false, true])
  func hiddenKeptValue(hasOtherGuess: Bool) async throws {
    let (server, shown, watcher) = try await Self.start(.chain, height: "0.5")
    if hasOtherGuess {
      try await server.client.store.applyOptimisticUpdate(id: "b") { transaction in
        try transaction.updateObject(ofType: Hero.self, withKey: "Droid:2001") { $0.name = "guess" }
      }
      #expect(await shown.next() == "guess 0.5 []")
    }
    try await server.client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Droid:2001") }
    watcher.refetch()
    try await server.answer("Hero", Self.answer(errors: Self.tooTall))
    #expect(await shown.isQuiet(after: server.client))
    try await server.client.store.revertOptimisticUpdate(id: "a")
    #expect(await shown.next() == #"R2-D2 nil ["too tall"]"#)
    watcher.cancel()
  }

  @Test("A whole result of the cache that a guess has overtaken is not shown before the guess is over")
  func overtakenResult() async throws {
    let (server, shown, watcher) = try await Self.start(.chain, height: "0.5")
    let result = try #require(try await server.client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly))
    try await server.client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Droid:2001") }
    await watcher.receive(result, of: watcher.lastRequest)
    #expect(await shown.isQuiet(after: server.client))
    try await server.client.store.revertOptimisticUpdate(id: "a")
    #expect(await shown.next() == "R2-D2 0.5 []")
    watcher.cancel()
  }

  @Test(
    "If the cache has something else by then, that is shown, with the errors that it has no value for",
    arguments: [ErrorPolicy.all, .ignore], [false, true])
  func hiddenAndLate(policy: ErrorPolicy, hasValue: Bool) async throws {
    let (server, shown, watcher) = try await Self.start(.chain, height: hasValue ? "0.5" : "null", policy)
    try await server.client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("id", of: "Droid:2001") }
    watcher.refetch()
    try await server.answer("Hero", Self.answer(errors: Self.tooTall))
    #expect(await shown.isQuiet(after: server.client))
    let rename = Task { try await server.client.perform(mutation: NameMutation()) }
    try await server.answer("Name", #"{"data":{"rename":{"__typename":"Droid","id":"2001","name":"new"}}}"#)
    _ = try await rename.value
    try await server.client.store.revertOptimisticUpdate(id: "a")
    let errors = hasValue || policy == .ignore ? "[]" : #"["too tall"]"#
    #expect(await shown.next() == "new \(hasValue ? "0.5" : "nil") \(errors)")
    watcher.cancel()
  }

  @Test("So it is where another element of a list is null in the cache, which has more elements than the answer")
  func otherElement() async throws {
    let server = HeldServer(.chain), shown = Received<String>()
    let watcher = server.client.watch(
      query: HeroesQuery(), cachePolicy: .fetchIgnoringCacheData, callbackQueue: .callbacks
    ) { result in
      let value = try? result.get(), heroes = value?.data?.heroes ?? []
      shown.add("\(heroes.map { "\($0.id) \($0.height.map { "\($0)" } ?? "nil")" }) \(value?.errors?.count ?? 0)")
    }
    func answer(_ height: String, _ errors: String) -> String {
      """
      {"data":{"heroes":[{"__typename":"Droid","id":"1","name":"C-3PO","height":\(height)}]},"errors":\(errors)}
      """
    }
    try await server.answer("Heroes", answer("0.5", "[]"))
    #expect(await shown.next() == #"["1 0.5"] 0"#)
    try await server.client.store.applyOptimisticUpdate(id: "a") { transaction in
      try transaction.update(query: HeroesQuery()) { data in
        var other = data.heroes[0]
        (other.id, other.height) = ("2", nil)
        data.heroes.insert(other, at: 0)
      }
    }
    #expect(await shown.next() == #"["2 nil", "1 0.5"] 0"#)
    watcher.refetch()
    try await server.answer("Heroes", answer("null", #"[{"message":"too tall","path":["heroes",0,"height"]}]"#))
    #expect(await shown.next() == #"["1 nil"] 1"#)
    watcher.cancel()
  }
}
