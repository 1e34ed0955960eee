import ApolloAPI
import Foundation

/// Identifies an observer of a store.
package struct ObserverID: Hashable, Sendable {
  let rawValue: UInt64
}

/// The observers, which can be found by the fields that they read. So the cost of a write depends on the observers it
/// concerns, and not on how many there are.
///
/// Only the task that delivers changes what they have read. So the numbers of records are those of the table that this
/// task has reached.
struct Observers {
  typealias OnChange = @Sendable (WrittenState) async -> Void

  private struct Observer {
    private(set) var dependencies = Dependencies()
    /// The places of what it has read of each record, if that is much. A few are looked through.
    private var places: [Int32: Places] = [:]
    /// The version of the table that it read last.
    var version: UInt64 = 0
    var writes: ObserverWrites
    var onChange: OnChange
    /// Called when the first of the fields that it has read is older than it may be; nil if it does not wait for that.
    let onExpiry: (@Sendable () -> Void)?

    init(writes: ObserverWrites, onChange: @escaping OnChange, onExpiry: (@Sendable () -> Void)?) {
      (self.writes, self.onChange, self.onExpiry) = (writes, onChange, onExpiry)
    }

    mutating func setDependencies(_ new: Dependencies) {
      dependencies = new
      places.removeAll(keepingCapacity: true)
      guard new.reads.count + new.fields.count > Self.few else { return }
      for (index, read) in new.reads.enumerated() { places[read.record, default: Places()].reads.append(index) }
      for (index, field) in new.fields.enumerated() { places[field.record, default: Places()].fields.append(index) }
    }

    /// The records that it has read. One may be there several times.
    var records: [Int32] {
      places.isEmpty ? dependencies.reads.map(\.record) + dependencies.fields.map(\.record) : Array(places.keys)
    }

    func depends(on record: Int32) -> Bool { anyRead(of: record) { _ in true } || anyField(of: record) { _ in true } }

    func depends(on key: FieldKey, of record: Int32) -> Bool {
      anyField(of: record) { $0 == key || $0 == .unresolved }
        || anyRead(of: record) { dependencies.includes(key, of: $0) }
    }

    func keys(of record: Int32) -> [FieldKey] {
      var keys: [FieldKey] = []
      _ = anyField(of: record) {
        keys.append($0)
        return false
      }
      _ = anyRead(of: record) {
        keys += dependencies.keys(of: $0)
        return false
      }
      return keys
    }

    private func anyRead(of record: Int32, _ body: (Dependencies.Read) -> Bool) -> Bool {
      if places.isEmpty { return dependencies.reads.contains { $0.record == record && body($0) } }
      return places[record]?.reads.contains { body(dependencies.reads[$0]) } ?? false
    }

    private func anyField(of record: Int32, _ body: (FieldKey) -> Bool) -> Bool {
      if places.isEmpty { return dependencies.fields.contains { $0.record == record && body($0.key) } }
      return places[record]?.fields.contains { body(dependencies.fields[$0].key) } ?? false
    }

    private static let few = 8

    /// The indices of what was read of one record, in the dependencies.
    private struct Places {
      var reads: [Int] = []
      /// Of fields that were read one by one.
      var fields: [Int] = []
    }
  }

  /// What the last write of an observer has made of the records.
  enum OwnState {
    /// All of it was written, and these are the records after it.
    case whole(RecordTable)
    /// All of it was there already, in these records.
    case equal(RecordTable)
    /// A part was left out, because operations that were sent later have written or removed it.
    case part
  }

  /// The observers of one record.
  private struct Readers {
    var ids: Set<ObserverID> = []
    /// The observers by field, for records with many observers, from the first change on.
    var byField: [FieldKey: Set<ObserverID>]?

    static let few = 8
  }

  private var observers: [ObserverID: Observer] = [:]
  private var byRecord: [Int32: Readers] = [:]
  private var nextID: UInt64 = 0
  /// The names of observers by the identifiers of what they write by themselves.
  private var automaticWriters: [UUID: String] = [:]
  /// The observers by the identifiers of their writes.
  private var writers: [UUID: ObserverID] = [:]
  /// Those that write under the identifiers of a later one.
  private var earlierWriters: [UUID: Set<ObserverID>] = [:]
  /// The states that the last writes of observers have made, until they read.
  private var ownStates: [ObserverID: OwnState] = [:]
  /// Those whose last reading lacked something because of layers only. What they lack may go from the base as well, and
  /// no caller sees that. So they are told of each write over layers.
  private var missesOfLayers: Set<ObserverID> = []
  /// Pairs of names of which a warning was logged.
  private var feuds: Set<Set<String>> = []
  /// The keys that the numbers of records stand for; nil until something was read.
  private(set) var keys: Locked<StoreKeys>?

  /// How often it has changed what observers depend on.
  private(set) var changeCount = 0

  /// Whether an observer depends on a field of a record.
  func contains(_ key: FieldKey, of record: Int32) -> Bool {
    byRecord[record]?.ids.contains { observers[$0]?.depends(on: key, of: record) == true } == true
  }

  /// Whether one observer depends on a record.
  func depends(_ id: ObserverID, on record: Int32) -> Bool { observers[id]?.depends(on: record) == true }

  /// The records that observers depend on.
  var records: some Collection<Int32> { byRecord.keys }

  /// The version of the table that an observer read last.
  func version(of id: ObserverID) -> UInt64? { observers[id]?.version }

  /// What an observer waits for; see ``ExpiryTimer``.
  func onExpiry(of id: ObserverID) -> (@Sendable () -> Void)? { observers[id]?.onExpiry }

  mutating func add(
    ignoring writes: ObserverWrites, onExpiry: (@Sendable () -> Void)?, _ onChange: @escaping OnChange
  ) -> ObserverID {
    nextID += 1
    let id = ObserverID(rawValue: nextID)
    observers[id] = Observer(writes: writes, onChange: onChange, onExpiry: onExpiry)
    note(writes, of: id)
    return id
  }

  private mutating func note(_ writes: ObserverWrites, of id: ObserverID) {
    if let automatic = writes.automatic { automaticWriters[automatic] = writes.name }
    for origin in writes.identifiers {
      if let earlier = writers.updateValue(id, forKey: origin) { earlierWriters[origin, default: []].insert(earlier) }
    }
  }

  private mutating func forget(_ writes: ObserverWrites, of id: ObserverID) {
    if !earlierWriters.isEmpty, isShared(writes, by: id) { return }
    if let automatic = writes.automatic { automaticWriters[automatic] = nil }
    for origin in writes.identifiers { writers[origin] = nil }
  }

  /// Takes an observer from those that write under some identifiers.
  ///
  /// - Returns: Whether others do.
  private mutating func isShared(_ writes: ObserverWrites, by id: ObserverID) -> Bool {
    var isShared = false
    for origin in writes.identifiers {
      guard var others = earlierWriters[origin] else { continue }
      isShared = true
      if others.remove(id) == nil { writers[origin] = others.popFirst() }
      earlierWriters[origin] = others.isEmpty ? nil : others
    }
    return isShared
  }

  /// Has an observer write under other identifiers. It is told of later writes under the former ones like the writes of
  /// others.
  ///
  /// - Returns: The closure to call if the observer has not read since it wrote under the former ones.
  mutating func setWrites(_ writes: ObserverWrites, of id: ObserverID) -> OnChange? {
    guard let observer = observers[id] else { return nil }
    forget(observer.writes, of: id)
    observers[id]?.writes = writes
    note(writes, of: id)
    switch ownStates.removeValue(forKey: id) {
    case .whole, .part: return observer.onChange
    case .equal, nil: return nil
    }
  }

  /// Notes the state that a write of an observer has made. The observer is not told of it, and reads later by itself.
  mutating func noteOwnWrite(by origin: UUID, _ state: OwnState) {
    guard let id = writers[origin] else { return }
    noteOwnWrite(of: id, state)
    if !earlierWriters.isEmpty { for other in earlierWriters[origin] ?? [] { noteOwnWrite(of: other, state) } }
  }

  private mutating func noteOwnWrite(of id: ObserverID, _ state: OwnState) {
    switch (ownStates[id], state) {
    // (What it has not read yet, it does not know.)
    case (.part, .equal): break
    case (.whole, .equal(let table)): ownStates[id] = .whole(table)
    default: ownStates[id] = state
    }
  }

  /// The state that the last write of an observer has made, if it has not read since then, and the records may have
  /// something else: something was written since then, or a part was left out.
  func ownState(of id: ObserverID, before table: RecordTable) -> OwnState? {
    let state = ownStates[id]
    switch state {
    case .whole(let own), .equal(let own): return own.version >= table.version ? nil : state
    case .part, nil: return state
    }
  }

  /// Notes that an observer lacks something because of layers only.
  ///
  /// - Returns: Whether it is told of each write over layers until it reads again. One that never asks for what it
  ///   lacks need not be.
  mutating func noteMissOfLayers(of id: ObserverID) -> Bool {
    guard observers[id]?.writes.automatic != nil else { return false }
    missesOfLayers.insert(id)
    return true
  }

  /// Why a write happened, by the identifier of its writer.
  func cause(of origin: UUID?) -> ChangeCause {
    origin.flatMap { automaticWriters[$0] }.map { .observer(name: $0) } ?? .outside
  }

  /// Whether it is the first time that these two are named.
  mutating func isFirstFeud(_ a: String, _ b: String) -> Bool { feuds.insert([a, b]).inserted }

  /// A field that an observer depends on among some changes.
  func field(in changes: ChangeSet, of id: ObserverID) -> RecordField? {
    guard let observer = observers[id] else { return nil }
    return changes.fields.first { observer.depends(on: $1, of: $0) }.map { RecordField(record: $0, key: $1) }
  }

  /// Whether an observer depends on something that has changed. (Some are told of other writes as well.)
  func isConcerned(_ id: ObserverID, by changes: ChangeSet) -> Bool {
    guard let observer = observers[id] else { return false }
    return changes.removedRecords.contains { observer.depends(on: $0) } || field(in: changes, of: id) != nil
  }

  /// Notes what an observer has read from a table.
  ///
  /// - Parameters:
  ///   - id: The observer.
  ///   - dependencies: What it has read.
  ///   - table: The table that it has read from.
  ///   - isComplete: False if a part of it has to be requested from a backend.
  mutating func update(_ id: ObserverID, _ dependencies: Dependencies, in table: RecordTable, isComplete: Bool) {
    keys = table.records.keys
    if isComplete {
      observers[id]?.version = table.version
      if !ownStates.isEmpty { ownStates[id] = nil }
      if !missesOfLayers.isEmpty { missesOfLayers.remove(id) }
    }
    update(id, dependencies)
  }

  private mutating func update(_ id: ObserverID, _ dependencies: Dependencies) {
    guard var observer = observers[id], !observer.dependencies.isSame(as: dependencies) else { return }
    forget(id, observer)
    changeCount += 1
    observer.setDependencies(dependencies)
    for record in observer.records {
      byRecord[record, default: Readers()].ids.insert(id)
      guard byRecord[record]?.byField != nil else { continue }
      for key in observer.keys(of: record) { byRecord[record]?.byField?[key, default: []].insert(id) }
    }
    observers[id] = observer
  }

  /// - Returns: False if there is no such observer.
  mutating func remove(_ id: ObserverID) -> Bool {
    guard let observer = observers.removeValue(forKey: id) else { return false }
    forget(observer.writes, of: id)
    ownStates[id] = nil
    missesOfLayers.remove(id)
    forget(id, observer)
    return true
  }

  private mutating func forget(_ id: ObserverID, _ observer: Observer) {
    for record in observer.records {
      byRecord[record]?.ids.remove(id)
      if byRecord[record]?.ids.isEmpty == true { byRecord[record] = nil }
      guard byRecord[record]?.byField != nil else { continue }
      for key in observer.keys(of: record) {
        byRecord[record]?.byField?[key]?.remove(id)
        if byRecord[record]?.byField?[key]?.isEmpty == true { byRecord[record]?.byField?[key] = nil }
      }
    }
  }

  /// The keys of fields with arguments that observers depend on.
  var keysWithArguments: Set<FieldKey> {
    Set(observers.values.lazy.flatMap(\.dependencies.keysWithArguments))
  }

  /// Replaces the numbers of records, and of keys of fields with arguments, with new ones.
  mutating func renumber(_ numbers: [Int32: Int32], _ fieldKeys: [FieldKey: FieldKey], keys: Locked<StoreKeys>) {
    self.keys = keys
    for id in observers.keys {
      let renumbered = observers[id]?.dependencies.renumbered(numbers) { fieldKeys[$0] ?? .unresolved }
      guard let dependencies = renumbered else { continue }
      update(id, dependencies)
    }
  }

  /// The closures to call for a write. The observer that has written is not told, and reads by itself.
  mutating func affected(by write: Write) -> [OnChange] {
    if let origin = write.origin { noteOwnWrite(by: origin, .whole(write.table)) }
    return affected(
      by: write.changes, and: write.isOverLayers ? missesOfLayers : [], at: write.table.version, except: write.origin)
  }

  /// The closures to call for some changes: one for each observer that they concern, in the order in which the
  /// observers were added.
  ///
  /// - Parameters:
  ///   - changes: What a write changed.
  ///   - others: Observers that are told whatever was changed.
  ///   - version: The version of the table that the write made. Observers that have read it are not told.
  ///   - origin: Identifies the writer, which is not told. nil: all are.
  /// - Returns: The closures to call.
  private mutating func affected(
    by changes: ChangeSet, and others: Set<ObserverID>, at version: UInt64, except origin: UUID?
  ) -> [OnChange] {
    guard !byRecord.isEmpty else { return [] }
    var ids = others
    for record in changes.removedRecords { ids.formUnion(byRecord[record]?.ids ?? []) }
    var readers: (record: Int32, value: Readers?) = (-1, nil)
    for (record, key) in changes.fields {
      // The fields of one record are in sequence.
      if record != readers.record { readers = (record, self.readers(of: record)) }
      guard let value = readers.value else { continue }
      if let byField = value.byField {
        ids.formUnion(byField[key] ?? [])
        ids.formUnion(byField[.unresolved] ?? [])
      } else {
        for id in value.ids where !ids.contains(id) {
          if let observer = observers[id], observer.depends(on: key, of: record) { ids.insert(id) }
        }
      }
    }
    return ids.sorted { $0.rawValue < $1.rawValue }
      .compactMap { observers[$0] }.filter { !$0.writes.contains(origin) && $0.version < version }.map(\.onChange)
  }

  /// The observers of a record, by field if there are many of them.
  private mutating func readers(of record: Int32) -> Readers? {
    guard var readers = byRecord[record] else { return nil }
    guard readers.byField == nil, readers.ids.count > Readers.few else { return readers }
    var byField: [FieldKey: Set<ObserverID>] = [:]
    for id in readers.ids {
      for key in observers[id]?.keys(of: record) ?? [] { byField[key, default: []].insert(id) }
    }
    readers.byField = byField
    byRecord[record] = readers
    return readers
  }
}
