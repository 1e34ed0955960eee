/// A value in memory of its own.
///
/// A class that has one changes it without the checks that Swift makes, while a program runs, for each access to a
/// property of a class.
///
/// **Invariant.** The memory is initialized and belongs to this alone. Only one access to the value happens at a time:
/// what has it is used by one reader, and no access calls code that makes another one.
struct Owned<Value: ~Copyable>: ~Copyable {
  fileprivate let start: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    start = .fromSystem(capacity: 1)
    start.initialize(to: value)
  }

  deinit {
    start.deinitialize(count: 1)
    start.returnToSystem()
  }

  var value: Value {
    @_transparent unsafeAddress { UnsafePointer(start) }
    @_transparent nonmutating unsafeMutableAddress { start }
  }
}

/// A place for values of a store that are in no record by themselves.
typealias OwnedValue = Owned<RecordValue>

extension Owned<RecordValue> {
  var place: ValuePlace { ValuePlace(UnsafePointer(start)) }

  func isAt(_ place: ValuePlace) -> Bool { place.isSame(as: self.place) }

  /// Puts another value into the place.
  func set(_ new: RecordValue) -> ValuePlace {
    value = new
    return place
  }

  /// A null that stands in no record.
  static var null: ValuePlace { nullValue.place }
}

// Any thread may read it: it is never written, as it is private and a ``ValuePlace`` only reads; and a null counts no
// references that reading it would change.
private nonisolated(unsafe) let nullValue = OwnedValue(.null)
