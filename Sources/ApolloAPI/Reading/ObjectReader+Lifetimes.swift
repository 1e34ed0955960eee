// How long the fields of a response may be kept, where that differs from field to field.

/// The lifetimes that are known before their objects end.
final class PendingLifetimes {
  /// A table through which the object of a frame is read.
  struct Table {
    let frame: Int
    let table: UnownedTable
    let keys: UnownedList<FieldKey>
  }

  /// An object without a key, in a field of the object of a frame.
  struct Embedded {
    let frame: Int
    let key: FieldKey
    let lifetime: Lifetime
  }

  /// What the server said of single fields; nil if it said nothing.
  var hints: LifetimeHints?
  var tables: [Table] = []
  var embedded: [Embedded] = []
}

extension __ObjectReader {
  /// Whether lifetimes have to be found for what is read through a table.
  @inline(__always) func notesLifetimes(_ table: __FieldTable.Storage) -> Bool {
    table.hasZeroAge || sink.lifetimes != nil
  }

  /// Notes the table through which the current object is read from here on.
  @inline(never) mutating func noteTableForLifetimes() {
    sink.makeLifetimes().tables.append(
      PendingLifetimes.Table(frame: frames.count - 1, table: frames.top.table, keys: frames.top.keys))
  }

  /// Takes the lifetimes of the fields of the object that ends.
  @inline(never) mutating func takeLifetimes() -> [FieldKey: Lifetime] {
    var lifetimes: [FieldKey: Lifetime] = [:]
    guard let pending = sink.lifetimes else { return lifetimes }
    let frame = frames.count - 1
    let (hints, inherited) = pending.hints?.hints(at: path(of: frame)) ?? (nil, nil)
    while let last = pending.tables.last, last.frame == frame {
      pending.tables.removeLast()
      let table = last.table.table
      for i in 0..<table.count where i < last.keys.count {
        var lifetime = hints?.lifetime(of: table.fields[i].responseKey) ?? inherited
        switch table.ages?.fields[i] {
        case .seconds(0), .ofType(0): lifetime = Lifetime.inMemory.joined(with: lifetime)
        default: break
        }
        let key = last.keys[i]
        if let lifetime { lifetimes[key] = lifetime.joined(with: lifetimes[key]) }
      }
    }
    while let last = pending.embedded.last, last.frame == frame {
      pending.embedded.removeLast()
      lifetimes[last.key] = last.lifetime.joined(with: lifetimes[last.key])
    }
    return lifetimes
  }

  /// Keeps the lifetimes of an object that has ended: with its record, or with the field that it is in.
  mutating func keep(_ lifetimes: [FieldKey: Lifetime], of value: RecordValue) throws(__ReadError) {
    if case .reference(let number) = value { return sink.batch.setLifetimes(lifetimes, of: number) }
    var strictest: Lifetime?
    for lifetime in lifetimes.values { strictest = lifetime.joined(with: strictest) }
    guard let strictest else { return }
    sink.makeLifetimes().embedded.append(
      PendingLifetimes.Embedded(frame: frames.count - 1, key: try currentKey(), lifetime: strictest))
  }
}
