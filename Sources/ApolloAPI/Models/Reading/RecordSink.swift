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
  /// The records that were made so far.
  var batch = RecordBatch()
  /// The errors of the response, where it is known that some of its nulls stand for them; nil if there are none.
  var reportedErrors: ErrorsByPath?
  /// Lifetimes of fields that wait for the end of their object; nil as long as there are none.
  private(set) var lifetimes: PendingLifetimes?

  /// Where the lifetimes are kept.
  mutating func makeLifetimes() -> PendingLifetimes {
    if let lifetimes { return lifetimes }
    let made = PendingLifetimes()
    lifetimes = made
    return made
  }

  @inline(__always) init() {}

  /// The records that were made. Afterwards there are none.
  mutating func takeBatch() -> RecordBatchTransfer {
    var taken = RecordBatch()
    swap(&taken, &batch)
    return RecordBatchTransfer(taken)
  }

  // MARK: Values

  var pendingCount: Int { pending.count }

  /// Forgets values that wait, because what they belong to is not kept.
  mutating func forgetPending(from count: Int) { pending.removeAll(from: count) }

  @inline(__always) mutating func push(_ value: consuming RecordValue) {
    pending.append(ObjectRecord.Field(fieldKey, value))
  }

  /// What stands for a null: the error that the server reported for it, if it did.
  @inline(never) mutating func valueOfNull(at path: [PathComponent]) -> RecordValue {
    guard let error = reportedErrors?.error(at: path) else { return .null }
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
}
