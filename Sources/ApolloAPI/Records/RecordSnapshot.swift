/// The records of a store at one moment, by their numbers.
///
/// Chunks are shared with the store until it changes them, so taking a snapshot costs a few references.
package struct RecordSnapshot: Sendable {
  package static let chunkSize = 256

  package var chunks: [Chunk]
  package var count: Int
  /// What the numbers stand for. Keys are only added, so a number means the same in all snapshots that share them.
  package let keys: Locked<RecordKeys>

  package init() {
    chunks = []
    count = 0
    var roots = RecordKeys()
    for type in GraphQLOperationType.allCases { _ = roots.insert(type.rootKey) }
    keys = Locked(roots)
  }

  package final class Chunk: @unchecked Sendable {
    // Changed only while one store holds the only reference to it.
    package var records: [ObjectRecord?]

    package init(records: [ObjectRecord?] = Array(repeating: nil, count: RecordSnapshot.chunkSize)) {
      self.records = records
    }
  }

  package subscript(number: Int32) -> ObjectRecord? {
    let number = Int(number)
    guard number >= 0, number < count else { return nil }
    return chunks[number / Self.chunkSize].records[number % Self.chunkSize]
  }

  /// The number of a key, if it has one.
  package func number(of key: String) -> Int32? { keys.withLock { $0.find(key) } }

  package func key(of number: Int32) -> String? {
    keys.withLock { number >= 0 && Int(number) < $0.count ? $0[number] : nil }
  }
}

extension GraphQLOperationType {
  /// The key of the record that holds the fields of the root object.
  package var rootKey: String {
    switch self {
    case .query: "QUERY_ROOT"
    case .mutation: "MUTATION_ROOT"
    case .subscription: "SUBSCRIPTION_ROOT"
    }
  }

  /// The number of that record, which is the same in every store. It is there even while it has no fields.
  package var rootNumber: Int32 {
    switch self {
    case .query: 0
    case .mutation: 1
    case .subscription: 2
    }
  }

  static let rootCount: Int32 = 3
}
