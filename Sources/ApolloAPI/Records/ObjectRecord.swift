/// The fields of one object, in the order in which they first came.
///
/// A record is filled by whoever makes it and never changes once another thread can see it.
package final class ObjectRecord: ManagedBuffer<ObjectRecord.Header, ObjectRecord.Field> {
  package struct Header {
    package var count: Int
    package var type: TypeSymbol
  }

  /// The field key first leaves the room after the value's tag unused, so that a field is three words.
  package struct Field {
    package var value: RecordValue
    package var key: FieldKey

    package init(_ key: FieldKey, _ value: RecordValue) {
      self.key = key
      self.value = value
    }
  }

  package static func make(type: TypeSymbol, capacity: Int) -> ObjectRecord {
    let buffer = ObjectRecord.create(minimumCapacity: capacity) { _ in Header(count: 0, type: type) }
    return unsafeDowncast(buffer, to: ObjectRecord.self)
  }

  /// Makes a record of fields that are moved out of where they are.
  package static func moving(_ fields: UnsafeMutablePointer<Field>, count: Int, type: TypeSymbol) -> ObjectRecord {
    let record = make(type: type, capacity: count)
    record.withUnsafeMutablePointers { header, room in
      room.moveInitialize(from: fields, count: count)
      header.pointee.count = count
    }
    return record
  }

  /// A record without fields, which nobody changes.
  nonisolated(unsafe) static let empty = make(type: .unknown, capacity: 0)

  deinit {
    _ = withUnsafeMutablePointers { header, fields in fields.deinitialize(count: header.pointee.count) }
  }

  package var type: TypeSymbol { header.type }
  package var count: Int { header.count }

  package var fields: [Field] {
    withUnsafeMutablePointers { header, fields in
      Array(UnsafeBufferPointer(start: fields, count: header.pointee.count))
    }
  }

  package func forEachKey(_ body: (FieldKey) -> Void) {
    withUnsafeMutablePointers { header, fields in
      for index in 0..<header.pointee.count { body(fields[index].key) }
    }
  }

  package func value(of key: FieldKey) -> RecordValue? {
    withUnsafeMutablePointers { header, fields in
      for index in 0..<header.pointee.count where fields[index].key == key { return fields[index].value }
      return nil
    }
  }
}

/// What a field of a record holds.
///
/// Sendable because a record does not change once it is shared; `ManagedBuffer` cannot be declared so.
package enum RecordValue: @unchecked Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  /// JSON text, for values of custom scalars that are none of the above.
  case json(String)
  /// Another record that has a key of its own, by its number in the batch or the store.
  case reference(Int32)
  /// A list of such records; -1 stands for null.
  case references([Int32])
  /// An object without a key of its own, which belongs to this field.
  case object(ObjectRecord)
  case list([RecordValue])
  /// No value, but an error that a server reported.
  case error(CachedError)
}
