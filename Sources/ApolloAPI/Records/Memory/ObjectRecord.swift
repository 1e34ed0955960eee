/// The fields of one object, in the order in which they were first added.
///
/// Only the code that makes a record changes it, and only until another thread can see it.
///
/// **Invariant.** There is memory for `capacity` fields, and the first `count` of them are initialized.
package final class ObjectRecord: ManagedBuffer<ObjectRecord.Header, ObjectRecord.Field> {
  /// What a record knows besides its fields.
  package struct Header {
    fileprivate var count: Int
    fileprivate let capacity: Int32
    fileprivate let type: TypeSymbol
  }

  /// The field key first leaves the room after the value's tag unused, so that a field is three words.
  package struct Field {
    /// The value.
    package var value: RecordValue
    /// The key.
    package var key: FieldKey

    /// Puts a value under a key.
    package init(_ key: FieldKey, _ value: RecordValue) {
      self.key = key
      self.value = value
    }
  }

  /// Makes a record without fields, with room for some.
  package static func make(type: TypeSymbol, capacity: Int) -> ObjectRecord {
    let buffer = ObjectRecord.create(minimumCapacity: capacity) { _ in
      Header(count: 0, capacity: Int32(capacity), type: type)
    }
    return unsafeDowncast(buffer, to: ObjectRecord.self)
  }

  /// A record without fields. It is never changed.
  nonisolated(unsafe) static let empty = make(type: .unknown, capacity: 0)

  deinit {
    withUnsafeMutablePointers { header, fields in fields.deinitializeEach(header.pointee.count) }
  }

  // Not `header`: each access to a stored property of a class is checked for exclusivity.
  /// The type of the object; unknown if it was not asked for.
  package var type: TypeSymbol { withUnsafeMutablePointerToHeader { $0.pointee.type } }
  /// How many fields there are.
  package var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

  /// The fields in memory. The code that uses them must hold the record.
  var places: FieldPlaces {
    withUnsafeMutablePointers { header, fields in FieldPlaces(start: fields, count: header.pointee.count) }
  }

  /// A copy of the fields.
  package var fields: [Field] {
    withUnsafeMutablePointers { header, fields in
      Array(UnsafeBufferPointer(start: fields, count: header.pointee.count))
    }
  }

  /// Gives the keys of the fields, without a copy of them.
  package func forEachKey(_ body: (FieldKey) -> Void) {
    let places = places
    for index in 0..<places.count { body(places[index].key) }
    withExtendedLifetime(self) {}
  }

  /// Gives the fields one after the other, without a copy of the record.
  package func forEachField(_ body: (Field) throws -> Void) rethrows {
    defer { withExtendedLifetime(self) {} }
    let places = places
    for index in 0..<places.count { try body(places[index]) }
  }

  /// The field at a position.
  package func field(at index: Int) -> Field {
    precondition(index >= 0 && index < count)
    return withUnsafeMutablePointerToElements { $0[index] }
  }

  /// The next field that may refer to other records, found without a copy of those before it.
  ///
  /// - Parameters:
  ///   - start: Where the search begins.
  ///   - end: Where it ends.
  /// - Returns: The index of the field; nil if there is none.
  package func indexOfReferences(from start: Int, to end: Int) -> Int? {
    precondition(start >= 0 && end <= count)
    return withUnsafeMutablePointerToElements { fields in
      for index in start..<max(start, end) {
        switch fields[index].value {
        case .reference, .references, .object, .list: return index
        case .null, .bool, .int, .double, .string, .json, .error, .incoming: break
        }
      }
      return nil
    }
  }

  /// The value of a field; nil if the record does not have it.
  package func value(of key: FieldKey) -> RecordValue? {
    defer { withExtendedLifetime(self) {} }
    let places = places
    return places.index(of: key).map { places[$0].value }
  }

  /// The number of the record to which a field refers; nil if it refers to none.
  func reference(in key: FieldKey) -> Int32? {
    withUnsafeMutablePointers { header, fields in
      for index in 0..<header.pointee.count where fields[index].key == key {
        if case .reference(let number) = fields[index].value { return number }
      }
      return nil
    }
  }

  // MARK: While it is not shared

  /// Adds a field to a record that has room for it.
  package func append(_ field: Field) {
    withUnsafeMutablePointers { header, fields in
      precondition(header.pointee.count < header.pointee.capacity, "The record has no room for another field.")
      (fields + header.pointee.count).initialize(to: field)
      header.pointee.count += 1
    }
  }

  /// Moves fields to the end of a record that has room for them.
  func append(_ fields: consuming PendingFields) {
    let (header, room) = withUnsafeMutablePointers { ($0, $1) }
    let count = header.pointee.count
    precondition(count + fields.count <= header.pointee.capacity, "The record has no room for more fields.")
    header.pointee.count = count + fields.move(to: room + count)
  }

  func changeValues(_ body: (inout RecordValue) -> Void) {
    withUnsafeMutablePointers { header, fields in
      for index in 0..<header.pointee.count { body(&fields[index].value) }
    }
  }

  func changeKeys(_ body: (FieldKey) -> FieldKey) {
    withUnsafeMutablePointers { header, fields in
      for index in 0..<header.pointee.count { fields[index].key = body(fields[index].key) }
    }
  }

  func setValue(at index: Int, _ value: RecordValue) {
    precondition(index >= 0 && index < count)
    withUnsafeMutablePointerToElements { $0[index].value = value }
  }

  func copy(capacity: Int, type: TypeSymbol? = nil) -> ObjectRecord {
    let copy = ObjectRecord.make(type: type ?? self.type, capacity: max(capacity, count))
    withUnsafeMutablePointers { header, fields in
      copy.withUnsafeMutablePointers { copiedHeader, copied in
        copied.initialize(from: fields, count: header.pointee.count)
        copiedHeader.pointee.count = header.pointee.count
      }
    }
    return copy
  }
}
