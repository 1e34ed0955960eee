/// Fields in memory that another object owns: those of a record, or fields that will become one.
///
/// **Invariant.** They stay where they are, unchanged, while this is in use: the code that uses it holds the record. A
/// reader holds the snapshot that has the record, or the record that has it as a value.
struct FieldPlaces {
  private let start: UnsafeMutablePointer<ObjectRecord.Field>
  let count: Int

  init(start: UnsafeMutablePointer<ObjectRecord.Field>, count: Int) {
    self.start = start
    self.count = count
  }

  subscript(index: Int) -> ObjectRecord.Field {
    @_transparent unsafeAddress {
      assert(index >= 0 && index < count)
      return UnsafePointer(start + index)
    }
  }

  /// The place of the value of a field. (The value is the field's first member, so it has the field's address.)
  @inline(__always) func value(at index: Int) -> ValuePlace {
    assert(index >= 0 && index < count)
    return ValuePlace(UnsafeRawPointer(start + index).assumingMemoryBound(to: RecordValue.self))
  }

  /// Where the field is; most fields come in the same order as before, so the search begins at `hint`.
  func index(of key: FieldKey, from hint: Int = 0) -> Int? {
    for index in hint..<max(hint, count) where start[index].key == key { return index }
    for index in 0..<min(hint, count) where start[index].key == key { return index }
    return nil
  }
}

/// The place of a value in memory that another object owns. The invariant of ``FieldPlaces`` holds for it.
struct ValuePlace {
  private let start: UnsafePointer<RecordValue>

  init(_ start: UnsafePointer<RecordValue>) { self.start = start }

  var value: RecordValue { @_transparent unsafeAddress { start } }

  /// Whether both are one place in memory.
  func isSame(as other: ValuePlace) -> Bool { start == other.start }

  /// True if both have the same bits, and so are the same value. Values that are equal may have other bits: what a case
  /// does not use of its room is anything.
  @inline(__always) func isIdentical(to other: ValuePlace) -> Bool {
    let a = UnsafeRawPointer(start), b = UnsafeRawPointer(other.start)
    var offset = 0
    while offset + 8 <= MemoryLayout<RecordValue>.size {
      if a.load(fromByteOffset: offset, as: UInt64.self) != b.load(fromByteOffset: offset, as: UInt64.self) {
        return false
      }
      offset += 8
    }
    while offset < MemoryLayout<RecordValue>.size {
      if a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
        return false
      }
      offset += 1
    }
    return true
  }
}

/// The fields of an object that was read, taken out of the ``Stack`` where they waited.
///
/// **Invariant.** They are initialized, and the stack does not grow until this is consumed: every call that consumes it
/// is made before the next field is added.
struct PendingFields: ~Copyable {
  private let start: UnsafeMutablePointer<ObjectRecord.Field>
  private(set) var count: Int

  init(start: UnsafeMutablePointer<ObjectRecord.Field>, count: Int) {
    self.start = start
    self.count = count
  }

  deinit { start.deinitializeEach(count) }

  var places: FieldPlaces { FieldPlaces(start: start, count: count) }

  /// Moves the fields to memory that has room for them; returns the number of fields.
  consuming func move(to room: UnsafeMutablePointer<ObjectRecord.Field>) -> Int {
    let moved = count
    room.moveInitialize(from: start, count: moved)
    discard self
    return moved
  }

  /// Merges fields that have the same key.
  mutating func removeDuplicates(_ merge: inout Merge) {
    var kept = 0
    for i in 0..<count {
      if let earlier = FieldPlaces(start: start, count: kept).index(of: start[i].key) {
        if let merged = start[earlier].value.merging(start[i].value, &merge) { start[earlier].value = merged }
        (start + i).deinitialize(count: 1)
      } else {
        if kept != i { (start + kept).moveInitialize(from: start + i, count: 1) }
        kept += 1
      }
    }
    count = kept
  }

  /// The values as a list.
  consuming func list() -> RecordValue {
    let places = places
    if let references { return .references(references) }
    return .list((0..<places.count).map { places[$0].value })
  }

  /// The numbers of the records, if there are only references to records, and nulls; -1 stands for null.
  private var references: [Int32]? {
    guard count > 0 else { return nil }
    for i in 0..<count {
      switch start[i].value {
      case .reference, .null: break
      default: return nil
      }
    }
    var numbers: [Int32] = []
    numbers.reserveCapacity(count)
    for i in 0..<count {
      if case .reference(let number) = start[i].value { numbers.append(number) } else { numbers.append(-1) }
    }
    return numbers
  }
}

extension UnsafeMutablePointer<ObjectRecord.Field> {
  /// Deinitializes fields one by one, those that own something: for all at once, the compiler calls the runtime, which
  /// takes three times as many instructions.
  func deinitializeEach(_ count: Int) {
    for index in 0..<count {
      switch self[index].value {
      case .null, .bool, .int, .double, .reference: break
      case .string, .json, .references, .object, .list, .error, .incoming: _ = (self + index).move()
      }
    }
  }
}

extension Stack where Element == ObjectRecord.Field {
  @inline(__always) mutating func takeFields(from index: Int) -> PendingFields {
    take(from: index) { PendingFields(start: $0, count: $1) }
  }
}
