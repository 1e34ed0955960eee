/// Makes records of the values that a reader finds in a response.
///
/// Values wait until their object or list ends. Then an object becomes a record, or a value of the object around it.
struct RecordSink: ~Copyable {
  /// The field whose value comes next.
  var fieldKey = FieldKey.unresolved
  /// A value is being read again whose field was written before.
  var isRepeated = false
  /// Fields, and elements of lists, that wait for the end of their object or list.
  private var pending = Stack<ObjectRecord.Field>()
  private(set) var batch = RecordBatch()
  /// The errors of the response, where it is known that some of its nulls stand for them.
  var reportedErrors: [GraphQLError] = []

  init() {}

  mutating func reserveRoot(_ key: String) { batch.reserveRoot(key) }

  /// The key of a field with arguments.
  mutating func fieldKey(_ text: String) -> FieldKey { batch.fieldKey(text) }

  /// The records that were made. Afterwards there are none.
  mutating func takeBatch() -> RecordBatchTransfer {
    var taken = RecordBatch()
    swap(&taken, &batch)
    return RecordBatchTransfer(taken)
  }

  // MARK: Values

  var pendingCount: Int { pending.count }

  @inline(__always) mutating func push(_ value: consuming RecordValue) {
    pending.append(ObjectRecord.Field(fieldKey, value))
  }

  /// What stands for a null: the error that the server reported for it, if it did.
  @inline(never) mutating func valueOfNull(at path: [PathComponent]) -> RecordValue {
    guard let error = reportedErrors.first(where: { $0.path?.starts(with: path) ?? false }) else { return .null }
    batch.hasErrors = true
    return .error(CachedError(error, suffix: Array((error.path ?? []).dropFirst(path.count))))
  }

  // MARK: Lists and objects

  /// Makes one value of the elements that wait since a list began.
  @inline(never) mutating func endList(from pendingBase: Int, as key: FieldKey) {
    let list = pending.takeFields(from: pendingBase).list()
    fieldKey = key
    push(list)
  }

  /// The object of the fields that wait since it began.
  @inline(__always) mutating func takeObject(
    from pendingBase: Int, type: TypeSymbol, typename: (start: Bytes, length: Int)?, hasDuplicates: Bool
  ) -> FinishedObject {
    FinishedObject(
      fields: pending.takeFields(from: pendingBase), type: type, typename: typename, hasDuplicates: hasDuplicates)
  }

  mutating func addRoot(_ object: consuming FinishedObject) { batch.addRoot(object) }

  /// Adds an object that has the key of its key fields, if it has any.
  mutating func add(_ object: consuming FinishedObject, keyFields: UnownedList<FieldKey>) -> RecordValue {
    batch.add(object, keyFields: keyFields)
  }

  /// The key that the key fields of an object make; nil if there are none, or one is null or missing.
  mutating func declaredKey(of object: borrowing FinishedObject, keyFields: UnownedList<FieldKey>) -> String? {
    batch.key(of: object, keyFields: keyFields)
  }

  /// The record of an object, which is a value of the object around it unless it is added under a key.
  mutating func makeRecord(_ object: consuming FinishedObject) -> ObjectRecord { batch.makeRecord(object) }

  mutating func add(_ record: ObjectRecord, key: String) -> RecordValue { batch.add(record, key: key) }
}
