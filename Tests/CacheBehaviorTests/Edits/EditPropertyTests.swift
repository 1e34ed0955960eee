@testable import ApolloAPI
@testable import ApolloCache
import ApolloIR
import Foundation
import GraphQLSyntax
import GraphQLValidation
import RandomDocuments
import Testing

extension CacheBehaviorTests {
  /// Random edits of random documents, compared with ``NaiveRecords``.
  ///
  /// `APOLLO_RANDOM_EDITS` says how many, and `APOLLO_SEED` where they begin.
  @Suite("Every edit")
  struct EditPropertyTests {
    struct Failure: Error, CustomStringConvertible { var description: String }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test("of random data leaves the cache as a naive model says", .timeLimit(.minutes(60)))
    func random() async throws {
      let wanted = Self.number("APOLLO_RANDOM_EDITS") ?? 250
      var seed = UInt64(Self.number("APOLLO_SEED") ?? 1), counts = Counts()
      while counts.edits < wanted {
        let text = RandomSchema.text(seed: seed)
        let maker = try #require(try CaseMaker(schema: [Source(text, name: "schema.graphqls")], seed: seed))
        let documents = RandomDocument(maker.schema.value)
        var previous: PropertyCase?
        for index in 0..<40 {
          let document = documents.text(seed: seed &* 1000 &+ UInt64(index))
          guard let program = try? maker.program([Source(document, name: "Random.graphql")]),
            let operation = program.operations.first,
            let test = try await maker.make(operation, of: program, seed: seed)
          else { continue }
          for turn in 0..<10 {
            do {
              try await check(
                test, beside: previous ?? test, maker, seed &* 1_000_003 &+ UInt64(index * 10 + turn), &counts)
            } catch {
              Issue.record("APOLLO_SEED=\(seed), document \(index), turn \(turn): \(error)\n\(test.description)")
              return
            }
          }
          previous = test
        }
        seed += 1
      }
      #expect(counts.conflicts > 0 && counts.moves > 0 && counts.edits > counts.conflicts, "\(counts)")
      print("edits: \(counts)")
    }

    /// What an edit did.
    struct Outcome: Sendable {
      var old, new: NaiveRecords.Claims
      var log: [String]
      var hasMovedPlaces: Bool
    }

    struct Counts {
      var edits = 0, conflicts = 0, moves = 0
    }

    private func check(
      _ test: PropertyCase, beside other: PropertyCase, _ maker: CaseMaker, _ seed: UInt64, _ counts: inout Counts
    ) async throws {
      First.plan = test.plan
      Second.plan = other.plan
      let query = ModelQuery<First>(variables: test.variables)
      var random = Random(seed, at: "setting"), store = ApolloStore()
      let backend = random.one(in: 4) ? RecordsOnly() : nil
      if let backend { store = ApolloStore(cache: backend) }
      try await store.write(response: other.response, for: ModelQuery<Second>(variables: other.variables))
      let hasErrors = random.one(in: 4)
      try await store.write(response: hasErrors ? test.failed : test.response, for: query)
      // It has to load what it reads, and what it writes.
      if let backend { store = ApolloStore(cache: backend) }
      func state() -> NaiveRecords {
        backend.map { NaiveRecords($0.records, variables: test.variables) }
          ?? NaiveRecords(store.engine.table, variables: test.variables)
      }
      let root = NaivePlace(record: "QUERY_ROOT"), before = state()
      let isWholeQuery = random.one(in: 2)
      let outcome = Locked<Outcome?>(nil)
      let body: @Sendable (inout Model<First>) -> Void = { data in
        let marked = before.marked(data.object, at: root)
        var edit = RandomEdit(schema: maker.schema.value, store: before, seed: seed)
        data.object = edit.apply(to: marked)
        let done = Outcome(
          old: before.claims(of: marked, at: root), new: before.claims(of: data.object, at: root), log: edit.log,
          hasMovedPlaces: edit.hasMovedPlaces)
        outcome.withLock { $0 = done }
      }
      let result: Result<Void, any Error>
      do {
        try await store.withinReadWriteTransaction { transaction in
          if isWholeQuery {
            try transaction.update(query: query, body)
          } else {
            try transaction.updateObject(
              ofType: Model<First>.self, withKey: "QUERY_ROOT", variables: query.variables, body)
          }
        }
        result = .success(())
      } catch { result = .failure(error) }
      guard let edit = outcome.withLock({ $0 }) else {
        // A value that was there counts more than an error, and may lack what is wanted.
        if hasErrors { return }
        throw Failure(description: "nothing was read: \(result)")
      }
      guard !edit.log.isEmpty else { return }
      counts.edits += 1
      let after = state(), what = edit.log.joined(separator: "; ")
      guard let expected = try? before.applying(edit.new, insteadOf: edit.old) else {
        counts.conflicts += 1
        guard case .failure(let error) = result, error is ApolloStore.ReadWriteTransaction.ConflictingCopiesError else {
          throw Failure(description: "a conflict was not seen: \(what)")
        }
        guard after == before else { throw Failure(description: "something was written: \(what)") }
        return
      }
      if case .failure(let error) = result { throw Failure(description: "\(error): \(what)") }
      if edit.hasMovedPlaces { counts.moves += 1 }
      for key in Set(expected.records.keys).union(after.records.keys).sorted() {
        let wanted = expected.records[key].map { Record.Value.object($0) } ?? .null
        let found = after.records[key].map { Record.Value.object($0) } ?? .null
        let isSame = edit.hasMovedPlaces ? found.isPart(of: wanted) : found == wanted
        if !isSame { throw Failure(description: "\(key) after \(what)\nfound  \(found)\nwanted \(wanted)") }
      }
    }
  }
}

/// A backend that keeps records, and nothing else.
final class RecordsOnly: NormalizedCache {
  private let state = Locked(RecordSet())

  var records: RecordSet { state.withLock { $0 } }

  func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    state.withLock { records in records.storage.filter { keys.contains($0.key) } }
  }

  func merge(records: RecordSet) -> Set<CacheKey> { state.withLock { $0.merge(records: records) } }
  func removeRecord(for key: CacheKey) { state.withLock { $0.removeRecord(for: key) } }
  func removeRecords(matching pattern: CacheKey) { state.withLock { $0.removeRecords(matching: pattern) } }
  func clear() { state.withLock { $0.clear() } }
}

extension Record.Value {
  /// True if nothing is in it that is not in the other: an object that has moved may lack what the model did not tell.
  fileprivate func isPart(of other: Record.Value) -> Bool {
    switch (self, other) {
    case (.object(let a), .object(let b)): a.allSatisfy { name, value in b[name].map { value.isPart(of: $0) } ?? false }
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isPart(of: $1) }
    default: self == other
    }
  }
}
