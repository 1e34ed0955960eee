import ApolloAPI
import Foundation

package struct ObserverID: Hashable, Sendable {
  let rawValue: UInt64
}

/// Who wants to know of changes, found by the records they read: a write costs what its own observers cost.
struct Observers {
  private struct Observer {
    var dependencies = Dependencies()
    /// For each record, the positions in the dependencies' reads.
    var reads: [Int32: [Int]] = [:]
    let origin: UUID
    var onChange: @Sendable () -> Void
  }

  private var observers: [ObserverID: Observer] = [:]
  private var byRecord: [Int32: Set<ObserverID>] = [:]
  private var nextID: UInt64 = 0

  /// The records that somebody depends on.
  var records: some Collection<Int32> { byRecord.keys }

  func isObserved(_ record: Int32) -> Bool { byRecord[record] != nil }

  mutating func add(ignoring origin: UUID, _ onChange: @escaping @Sendable () -> Void) -> ObserverID {
    nextID += 1
    let id = ObserverID(rawValue: nextID)
    observers[id] = Observer(origin: origin, onChange: onChange)
    return id
  }

  mutating func update(_ id: ObserverID, _ dependencies: Dependencies) {
    guard var observer = observers[id] else { return }
    forget(id, observer)
    observer.dependencies = dependencies
    observer.reads.removeAll(keepingCapacity: true)
    for (index, read) in dependencies.reads.enumerated() {
      observer.reads[read.record, default: []].append(index)
      byRecord[read.record, default: []].insert(id)
    }
    for field in dependencies.fields {
      observer.reads[field.record, default: []] += []
      byRecord[field.record, default: []].insert(id)
    }
    observers[id] = observer
  }

  mutating func remove(_ id: ObserverID) {
    guard let observer = observers.removeValue(forKey: id) else { return }
    forget(id, observer)
  }

  private mutating func forget(_ id: ObserverID, _ observer: Observer) {
    for record in observer.reads.keys {
      byRecord[record]?.remove(id)
      if byRecord[record]?.isEmpty == true { byRecord[record] = nil }
    }
  }

  /// The same observers, of records that have new numbers.
  mutating func renumber(_ numbers: [Int32: Int32]) {
    for id in observers.keys {
      guard let dependencies = observers[id]?.dependencies.renumbered(numbers) else { continue }
      update(id, dependencies)
    }
  }

  /// What to call for these changes: each observer once.
  func affected(by changes: ChangeSet, except origin: UUID?) -> [@Sendable () -> Void] {
    guard !byRecord.isEmpty else { return [] }
    var ids: Set<ObserverID> = []
    for record in changes.removedRecords { ids.formUnion(byRecord[record] ?? []) }
    var readers: (record: Int32, ids: Set<ObserverID>?) = (-1, nil)
    for (record, key) in changes.fields {
      // The fields of a record come one after the other.
      if record != readers.record { readers = (record, byRecord[record]) }
      for id in readers.ids ?? [] where !ids.contains(id) {
        if let observer = observers[id], depends(observer, record, key) { ids.insert(id) }
      }
    }
    return ids.sorted { $0.rawValue < $1.rawValue }
      .compactMap { observers[$0] }.filter { $0.origin != origin }.map(\.onChange)
  }

  private func depends(_ observer: Observer, _ record: Int32, _ key: FieldKey) -> Bool {
    (observer.reads[record] ?? []).contains { index in
      observer.dependencies.includes(key, of: observer.dependencies.reads[index].table)
    } || observer.dependencies.fields.contains { $0.record == record && $0.key == key }
  }
}
