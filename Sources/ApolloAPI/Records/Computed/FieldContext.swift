extension FieldPolicy {
  /// The object that has a field, while a ``FieldPolicy/Reader`` computes it. It is valid until the reader returns.
  public struct Context {
    /// The arguments of the field.
    public let arguments: FieldPolicy.InputData
    /// The name of the object's type; nil if the cache does not know it.
    public let typename: String?
    /// The key of the object's record; nil if the object is inside of another one's record.
    public let key: String?
    private let object: ObjectRecord
    private let records: RecordSnapshot
    /// What was read; the caller has it too.
    private let reads: FieldReads

    init(
      arguments: FieldPolicy.InputData, typename: String?, key: String?, object: ObjectRecord, records: RecordSnapshot,
      reads: FieldReads
    ) {
      self.arguments = arguments
      self.typename = typename
      self.key = key
      self.object = object
      self.records = records
      self.reads = reads
    }

    /// A field of the object; nil if the cache does not have it.
    ///
    /// - Parameter field: The name of the field, with its arguments if it has any: `friends(first:10)`.
    public subscript(_ field: String) -> CachedValue? {
      if let key { return value(of: field, in: key) }
      return Self.value(of: field, in: object, records)
    }

    /// A field of another object; nil if the cache does not have it.
    ///
    /// - Parameters:
    ///   - field: The name of the field, with its arguments if it has any.
    ///   - key: The key of the object's record, from a ``CachedValue/reference(_:)``.
    /// - Returns: The value.
    public func value(of field: String, in key: String) -> CachedValue? {
      let number = records.insert(key)
      reads.fields.append((number, records.keys.withLock { $0.fieldKey(field) }))
      guard let record = records[number] else {
        if records.hasBackend, !records.isLoaded(number) { reads.lacksRecords = true }
        return nil
      }
      return Self.value(of: field, in: record, records)
    }

    private static func value(of field: String, in object: ObjectRecord, _ records: RecordSnapshot) -> CachedValue? {
      if field == "__typename", let name = object.type.name { return .string(name) }
      return records.fieldKey(of: field).flatMap(object.value(of:)).map(records.exported)
    }
  }
}

/// What a ``FieldPolicy/Reader`` has read.
final class FieldReads {
  var fields: [(record: Int32, key: FieldKey)] = []
  /// Whether it has asked for a record that a backend was not asked for yet.
  var lacksRecords = false
}
