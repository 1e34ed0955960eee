/// The pending fields of an object that has just been read, which become a record.
struct ObjectFields {
  let start: UnsafeMutablePointer<ObjectRecord.Field>
  var count: Int
  let type: TypeSymbol
  /// The value of `__typename`, if it was selected.
  let typename: (start: Bytes, length: Int)?
  /// Some field may be there twice: fragments or aliases selected it again.
  let hasDuplicates: Bool
}

/// The records of one response, or of one write.
///
/// References are numbers of this batch; a store gives them its own numbers when it merges the batch. Until then
/// nothing has changed: a response that turns out to be broken leaves the cache as it was.
package struct RecordBatch: ~Copyable {
  package private(set) var records: [ObjectRecord] = []
  package private(set) var keys = RecordKeys()
  private var key: [UInt8] = []

  init() {}

  /// The number of the root object, which has the key ``rootKey``.
  package static let root: Int32 = 0

  mutating func addRoot(_ object: ObjectFields) {
    // The root ends last, but has number 0 from the start.
    records[0] = record(of: object)
  }

  mutating func reserveRoot(_ key: String) {
    _ = keys.insert(key)
    records.append(ObjectRecord.make(type: .unknown, capacity: 0))
  }

  /// Adds an object: as a record of its own if it has a key, else as a value of its parent.
  mutating func add(_ object: ObjectFields, keyFields: [Int], keys fieldKeys: UnsafeMutablePointer<FieldKey>)
    -> RecordValue
  {
    guard !keyFields.isEmpty, makeKey(object, keyFields, fieldKeys) else { return .object(record(of: object)) }
    let (number, isNew) = key.withUnsafeBufferPointer { keys.insert($0) }
    if isNew {
      records.append(record(of: object))
    } else if let merged = records[Int(number)].merging(object.start, count: object.count, onChange: { _ in }) {
      object.start.deinitialize(count: object.count)
      records[Int(number)] = merged
    } else {
      object.start.deinitialize(count: object.count)
    }
    return .reference(number)
  }

  /// Adds a record under a key, or merges it with the one that is there.
  mutating func add(_ record: ObjectRecord, key: String) -> RecordValue {
    let number = keys.insert(key)
    if Int(number) == records.count {
      records.append(record)
    } else if let merged = records[Int(number)].merging(record) {
      records[Int(number)] = merged
    }
    return .reference(number)
  }

  /// The key that the key fields make; nil if there are none, or one is null or missing.
  mutating func key(of object: ObjectFields, keyFields: [Int], keys fieldKeys: UnsafeMutablePointer<FieldKey>)
    -> String?
  {
    guard !keyFields.isEmpty, makeKey(object, keyFields, fieldKeys) else { return nil }
    return String(decoding: key, as: UTF8.self)
  }

  func record(of object: ObjectFields) -> ObjectRecord {
    var count = object.count
    if object.hasDuplicates { count = removeDuplicates(object) }
    let record: ObjectRecord
    if object.type == .unknown, let typename = object.typename {
      record = ObjectRecord.make(type: .unknown, capacity: count + 1)
      let name = String(decoding: UnsafeBufferPointer(start: typename.start, count: typename.length), as: UTF8.self)
      record.withUnsafeMutablePointers { header, room in
        room.initialize(to: ObjectRecord.Field(.typename, .string(name)))
        (room + 1).moveInitialize(from: object.start, count: count)
        header.pointee.count = count + 1
      }
    } else {
      record = .moving(object.start, count: count, type: object.type)
    }
    return record
  }

  private func removeDuplicates(_ object: ObjectFields) -> Int {
    let fields = object.start
    var kept = 0
    for i in 0..<object.count {
      if let earlier = (0..<kept).first(where: { fields[$0].key == fields[i].key }) {
        if let merged = fields[earlier].value.merging(fields[i].value) { fields[earlier].value = merged }
        (fields + i).deinitialize(count: 1)
      } else {
        if kept != i { (fields + kept).moveInitialize(from: fields + i, count: 1) }
        kept += 1
      }
    }
    return kept
  }

  // MARK: Keys

  /// `Typename:value+value`, with `+` and `\` escaped in the values. False if a key field is null or missing.
  private mutating func makeKey(_ object: ObjectFields, _ keyFields: [Int], _ fieldKeys: UnsafeMutablePointer<FieldKey>)
    -> Bool
  {
    guard let typename = object.typename else { return false }
    key.removeAll(keepingCapacity: true)
    key.append(contentsOf: UnsafeBufferPointer(start: typename.start, count: typename.length))
    var separator = UInt8(ascii: ":")
    for index in keyFields {
      let wanted = fieldKeys[index]
      guard let field = (0..<object.count).first(where: { object.start[$0].key == wanted }) else { return false }
      key.append(separator)
      separator = UInt8(ascii: "+")
      switch object.start[field].value {
      case .string(var value):
        value.withUTF8 { for byte in $0 { CacheKeyEscaping.append(byte, to: &key) } }
      case .int(let value): key.append(contentsOf: String(value).utf8)
      case .bool(let value): key.append(contentsOf: String(value).utf8)
      case .double(let value): key.append(contentsOf: String(value).utf8)
      default: return false
      }
    }
    return true
  }
}

/// A batch on its way from a reader to a store, which takes it once.
package final class RecordBatchTransfer: @unchecked Sendable {
  // Made by one thread, taken by the next.
  private var batch: RecordBatch?

  init(_ batch: consuming RecordBatch) { self.batch = consume batch }

  package func take() -> RecordBatch? { batch.take() }
}
