package import ApolloAPI

/// A backend that takes and gives the records of the engine as they are, without a ``Record`` for each.
///
/// The store hands over what has changed, and the backend writes it when it likes to. Until then, the backend answers as
/// if it were written.
package protocol RecordBackend: EnumerableNormalizedCache, Sendable {
  /// Loads records.
  ///
  /// - Parameters:
  ///   - keys: The keys of the records.
  ///   - numbers: The keys of the store. What the records refer to gets numbers of these.
  /// - Returns: The record for each key, in the order of the keys; ``StoredRecord/removed`` where it is known that there is
  ///   none; nil where that is not known, as after a limit of the size, or for one that cannot be read.
  /// - Throws: Any error.
  func load(_ keys: [CacheKey], numberedBy numbers: Locked<StoreKeys>) throws -> [StoredRecord?]

  /// Takes a write of the store. A backend that writes later does not suspend.
  ///
  /// - Parameter write: What has changed.
  /// - Throws: Any error. Then the write counts as not taken.
  func take(_ write: RecordWrite) async throws

  /// Writes everything that waits to be written.
  func flush() async throws

  /// Takes a write, and returns when it is written.
  ///
  /// - Parameter write: What has changed.
  /// - Throws: Why something was not written.
  func writeAtOnce(_ write: RecordWrite) async throws

  /// Which records must stay in memory, because they wait to be written.
  ///
  /// - Parameter numbers: The keys of the store.
  /// - Returns: The numbers of the records.
  func waitingRecords(numberedBy numbers: Locked<StoreKeys>) -> Set<Int32>

  /// Whether records of a type are kept here. A record of another type is in memory only.
  func keepsRecords(of type: TypeSymbol) -> Bool

  /// Sets what is called when something else, such as another process, has changed what is kept here. If it throws, it is
  /// called again later.
  func onForeignChange(_ body: @escaping @Sendable () async throws -> Void)

  /// Sets what is called when all is lost that was kept here: it writes again what the store has in memory. If it
  /// throws, it is called again later.
  func onLoss(_ body: @escaping @Sendable () async throws -> Void)

  /// Sets what is called before the app may be suspended or ended: it writes what the backend does not have yet.
  func onSuspension(_ body: @escaping @Sendable () async throws -> Void)

  /// How often something else has changed what is kept here, as far as it is known.
  var foreignChangeCount: Int { get }

  /// How often all was lost that was kept here.
  var lossCount: Int { get }

  /// Looks whether something else has changed what is kept here, and waits until the store has read it again.
  ///
  /// - Returns: ``foreignChangeCount``.
  func readForeignChanges() async throws -> Int

  /// Forgets which records were removed: nothing leads to them any more.
  func forgetRemovals() async throws
}

extension RecordBackend {
  /// Does nothing: a backend that loses nothing has nothing to tell.
  package func onLoss(_ body: @escaping @Sendable () async throws -> Void) {}

  /// 0: it loses nothing.
  package var lossCount: Int { 0 }
}

/// A backend that another one does the work of.
package protocol RecordBackendHolding {
  var recordBackend: any RecordBackend { get }
}

/// What a write of the store has changed. The records are those behind the write.
package struct RecordWrite: Sendable {
  /// All records, of which only those named here have to be looked at.
  package let records: RecordSnapshot
  /// Fields that are new, have another value, or were removed.
  package var fields: [(record: Int32, key: FieldKey)] = []
  /// Records that were removed. One that is there again is new.
  package var removed: [Int32] = []
  /// Records to which nothing leads, with the ``RecordBackend/foreignChangeCount`` at which that was found. If the count is
  /// another one by now, they stay.
  package var unreachable: [(record: Int32, count: Int)] = []
  /// Records of which other fields are to be kept than before.
  package var rewritten: [Int32] = []
  /// Records whose fields have newer dates.
  package var dated: [Int32] = []
  /// Patterns of keys that were removed, before all else. There may be more such records than those in memory.
  package var removedPatterns: [String] = []

  /// A write that has changed nothing.
  package init(_ records: RecordSnapshot) { self.records = records }

  init(_ records: RecordSnapshot, _ changes: ChangeSet, dated: [Int32], unreachableSince count: Int? = nil) {
    self.records = records
    fields = changes.fields
    if let count {
      unreachable = changes.removedRecords.map { ($0, count) }
    } else {
      removed = changes.removedRecords
    }
    rewritten = changes.rewrittenRecords
    self.dated = dated
    removedPatterns = changes.removedPatterns
  }

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    fields.isEmpty && removed.isEmpty && unreachable.isEmpty && rewritten.isEmpty && dated.isEmpty
      && removedPatterns.isEmpty
  }
}
