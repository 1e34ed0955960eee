// How long the fields of a response may be kept, where that differs from field to field.

/// The lifetimes that are known before their objects end.
struct PendingLifetimes {
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
    table.hasZeroAge || sink.hasHints
  }

  /// Notes the table through which the current object is read from here on.
  @inline(never) mutating func noteTableForLifetimes() {
    sink.lifetimes.tables.append(
      PendingLifetimes.Table(frame: frames.count - 1, table: frames.top.table, keys: frames.top.keys))
  }

  /// Takes the lifetimes of the fields of the object that ends.
  @inline(never) mutating func takeLifetimes() -> [FieldKey: Lifetime] {
    let frame = frames.count - 1, path = path(of: frame)
    let (hints, inherited) = sink.lifetimes.hints?.hints(at: path) ?? (nil, nil)
    var lifetimes: [FieldKey: Lifetime] = [:]
    while let last = sink.lifetimes.tables.last, last.frame == frame {
      sink.lifetimes.tables.removeLast()
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
    while let last = sink.lifetimes.embedded.last, last.frame == frame {
      sink.lifetimes.embedded.removeLast()
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
    sink.lifetimes.embedded.append(
      PendingLifetimes.Embedded(frame: frames.count - 1, key: try currentKey(), lifetime: strictest))
  }
}
