@testable import ApolloAPI
@testable import ApolloCache
import Testing

/// `mutation Add { add { id } }`
private struct AddMutation: GraphQLMutation {
  static let operationName = "Add"
  static let operationDocument = OperationDocument("mutation Add { add { __typename } }")

  struct Data: SelectionSet, Hashable {
    var add: Item?

    static let __fields = __FieldTable(version: 1, "add")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { add = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, add) }
  }

  struct Item: SelectionSet, Hashable {
    var id: String

    static let __fields = __FieldTable(version: 1, "__typename id")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { id = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Item")
      writer.write(1, id)
    }
  }
}

@Suite("Collecting the answers of mutations")
struct CollectedAnswerTests {
  enum Use: CaseIterable { case nothing, retention, watcher, guess }

  @Test(
    "An answer stays with the objects that it leads to while something depends on it", arguments: Use.allCases,
    CollectionTests.all)
  func uses(use: Use, place: Collected.Place) async throws {
    let collected = try await Collected(
      place,
      .received([
        "MUTATION_ROOT": ["add": .reference("Item:1"), "other(n:1)": .reference("Item:2")],
        "Item:1": ["__typename": "Item", "id": "1"], "Item:2": ["__typename": "Item", "id": "2"],
      ]))
    let store = collected.store
    store.releaseBufferSize = 0
    // A file has no answers.
    let hasAnswer = place != .reopenedDisk
    let retention = use == .retention ? store.retain(AddMutation()) : nil
    let observer = await use == .watcher ? watch(AddMutation.Data.self, "MUTATION_ROOT", in: store) : nil
    if use == .guess, hasAnswer {
      try await store.applyOptimisticUpdate(id: "guess") {
        _ = try $0.readObject(ofType: AddMutation.Data.self, withKey: "MUTATION_ROOT")
      }
    }
    let stays = use != .nothing && hasAnswer
    #expect(try await store.removeUnreachable() == (stays ? 1 : 2))
    #expect(collected.records.keys.contains("Item:1") == stays)
    retention?.release()
    if let observer { store.removeObserver(observer) }
    if use == .guess, hasAnswer { try await store.revertOptimisticUpdate(id: "guess") }
    #expect(try await store.removeUnreachable() == (stays ? 1 : 0))
  }

  @Test("Many answers are removed in steps", arguments: [Collected.Place.memory, .backend])
  func many(place: Collected.Place) async throws {
    let count = 3 * Collector.valueCount
    let answers = (0..<count).map { ("add(n:\($0))", Record.Value.reference("Item:\($0 % 10)")) }
    var records: [CacheKey: Record.Fields] = ["MUTATION_ROOT": Record.Fields(uniqueKeysWithValues: answers)]
    for index in 0..<10 { records["Item:\(index)"] = ["id": 1] }
    let collected = try await Collected(place, .received(records))
    let found = try await collected.store.engine.collect("unreachable") { collector in
      (try await collector.removeUnreachable(), collector.stepCount)
    }
    #expect(found.0.removedFields.count == count && found.0.removedRecords.count == 10)
    #expect(found.1 > 3)
    #expect(collected.records.keys.allSatisfy { $0 == "MUTATION_ROOT" })
  }
}
