/// A place for values of a store that are in no record by themselves.
///
/// **Invariant.** That of ``Owned``: a ``ValuePlace`` of it is used only as long as this lives.
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
