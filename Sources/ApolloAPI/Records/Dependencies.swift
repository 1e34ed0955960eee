/// What a read from a store depended on: records, and the fields that were read from each.
///
/// A reader notes one pair per object instead of one key per field.
package struct Dependencies: Sendable {
  /// The objects that were read, in their order.
  package private(set) var reads: [Read] = []
  /// Single fields, for objects inside of a record that were read without it. `unresolved` stands for any field of a
  /// record that was not there.
  package private(set) var fields: [(record: Int32, key: FieldKey)] = []
  /// The field keys of tables with arguments, under the variables of the read.
  private var resolvedKeys: [ObjectIdentifier: [FieldKey]] = [:]

  /// An object that was read through a table, which is not retained.
  package struct Read: @unchecked Sendable {
    // Tables are immutable.
    /// The number of the record.
    package let record: Int32
    private let unowned: UnownedTable

    var table: __FieldTable.Storage { unowned.table }

    init(_ record: Int32, _ table: __FieldTable.Storage) {
      self.record = record
      unowned = UnownedTable(table)
    }
  }

  /// Those of a read that has read nothing.
  package init() {}

  mutating func add(_ record: Int32, field: FieldKey) { fields.append((record, field)) }

  /// The dependencies, on records and keys that have new numbers.
  package func renumbered(_ numbers: [Int32: Int32], _ fieldKey: (FieldKey) -> FieldKey) -> Dependencies {
    func renumbered(_ key: FieldKey) -> FieldKey { key.hasArguments ? fieldKey(key) : key }
    var result = self
    result.reads = reads.map { Read(numbers[$0.record] ?? -1, $0.table) }
    result.fields = fields.map { (numbers[$0.record] ?? -1, renumbered($0.key)) }
    result.resolvedKeys = resolvedKeys.mapValues { $0.map(renumbered) }
    return result
  }

  @inline(__always) mutating func add(_ record: Int32, _ table: __FieldTable.Storage) {
    if reads.count == reads.capacity { makeRoom() }
    reads.append(Read(record, table))
  }

  /// Makes room for four times as many objects: that copies fewer of them than doubling does. (Observers keep it, and most
  /// of them have read few objects.)
  @inline(never) private mutating func makeRoom() { reads.reserveCapacity(max(4, 4 * reads.count)) }

  /// Adds what another read with equal variables depended on.
  package mutating func add(_ other: Dependencies) {
    reads += other.reads
    fields += other.fields
    resolvedKeys.merge(other.resolvedKeys) { first, _ in first }
  }

  mutating func resolve(_ table: __FieldTable.Storage, _ keys: [FieldKey]) {
    resolvedKeys[ObjectIdentifier(table)] = keys
  }

  /// The keys of fields with arguments.
  package var keysWithArguments: [FieldKey] {
    (fields.map(\.key) + resolvedKeys.values.joined()).filter(\.hasArguments)
  }

  /// True if a read of a record used this field of it.
  package func includes(_ key: FieldKey, of read: Read) -> Bool {
    let table = read.table
    if table.arguments.isEmpty {
      return table.staticKeys.contains { $0 == key }
    }
    return resolvedKeys[ObjectIdentifier(table)]?.contains(key) ?? false
  }

  /// True if equal records were read, and equal fields of each.
  package func isSame(as other: Dependencies) -> Bool {
    reads.elementsEqual(other.reads) { $0.record == $1.record && $0.table === $1.table }
      && fields.elementsEqual(other.fields) { $0 == $1 } && resolvedKeys == other.resolvedKeys
  }

  /// The fields of a record that were read.
  package func keys(of read: Read) -> [FieldKey] {
    let table = read.table
    return table.arguments.isEmpty ? table.staticKeys.array : resolvedKeys[ObjectIdentifier(table)] ?? []
  }
}
