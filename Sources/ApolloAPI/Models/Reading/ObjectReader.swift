/// Reads the fields of one selection set after another, from the bytes of a response or from cache records.
///
/// Generated initializers call it in the order of the document, which is the order in which servers answer:
///
///     init(__reading object: inout __ObjectReader) throws(__ReadError) {
///       id = try object.read(1)
///       name = try object.read(2)
///       characterCard = try object.fragment()
///     }
///
/// The wanted field is also the prediction of what comes next: `read` compares the member at the cursor with it,
/// and searches only if it is another one.
///
/// It has three parts: a ``JSONCursor`` in the text of a response, a ``RecordSink`` that makes records of what is read,
/// and a ``RecordSource`` for reading from records instead of a text.
public struct __ObjectReader: ~Copyable {
  enum Mode: UInt8 {
    /// Bytes to values.
    case json
    /// Bytes to values, and to records as well.
    case normalize
    /// Records to values.
    case store
  }

  /// The place in the text. While reading from a store it stays at zero bytes, which no field matches.
  var cursor: JSONCursor
  /// The objects that are being read.
  var frames: FrameStack
  let mode: Mode
  /// The records that are made, in normalize mode.
  var sink = RecordSink()
  /// The records that are read, in store mode.
  var source: RecordSource
  var variables: Variables
  /// Asked for keys of objects, and for what fields lead to.
  var identity = ObjectIdentity()
  /// What the variables make of tables that depend on them, by dynamic index.
  var resolved: [ResolvedTable?] = []
  /// The other variables of this execution: outside of a fragment with arguments, and inside of such fragments.
  var scopes = VariableScopes()
  var typeNames = TypeNameCache()
  var listSizes = ListSizes()
  /// Members that were passed and may be asked for.
  var log = Stack<LogEntry>()
  /// Decoded copies of keys that contain escapes.
  private var decodedKeys: [ResponseBytes] = []
  /// The indices in the lists around the innermost one, where a field's lists are nested.
  var outerIndices: [(frame: Int, index: Int)] = []
  /// The field that was asked for and is not in the table.
  var wrongPosition: Int?
  /// What a custom scalar's type threw.
  var scalarError: (any Error)?
  /// What became of deferred fragments that the response neither has nor mentions; nil if there are none.
  var undelivered: DeferMark?
  /// What stands for values without a form in JSON, where a test makes a model; nil for everything else.
  var standIns: StandIns?
  /// What the data tells of conditions, where no variables tell them, as in a model that is made of its own data. A field
  /// is there, then, if the data has it, and a fragment if the data has all of its fields. nil: the variables tell all
  /// conditions.
  @usableFromInline var assumedConditions: AssumedConditions?
  /// A field that the server left out is an error even where null is allowed.
  var needsEveryField = false
  /// Some object may have two members with the same name, of which the earlier one was taken.
  var hasRepeatedMembers = false
  /// Where the values began that are being read and in whose place something else may stand.
  var waysBack: [WayBack] = []
  /// What is known of nulls with errors.
  var nulls = NullState()

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - bytes: The text of the response; zeros for reading from records.
  ///   - mode: What is read, and what is made.
  ///   - variables: The variables of the operation.
  ///   - snapshot: The records to read from.
  ///   - ages: The rules by which their values are too old. nil, the default: they may have any age.
  ///   - maximumDepth: How many objects and lists may be nested, at most 2,048.
  init(
    _ bytes: ResponseBytes, mode: Mode, variables: Variables = .none, snapshot: RecordSnapshot? = nil,
    ages: AgeRules? = nil, maximumDepth: Int = ResponseReader.defaultMaximumDepth
  ) {
    cursor = JSONCursor(bytes, maximumDepth: maximumDepth)
    frames = FrameStack(bytes.start)
    self.mode = mode
    self.variables = variables
    source = RecordSource(snapshot, ages: ages)
  }

  deinit {
    for table in resolved { table?.keys?.free() }
    scopes.free()
  }

  mutating func keepDecoded(_ text: String) -> (Bytes, Int) {
    let copy = ResponseBytes(text.utf8)
    decodedKeys.append(copy)
    return (copy.start, copy.count)
  }
}

/// One object that is being read.
///
/// Frames are not removed when an error is thrown: they tell its path.
struct Frame {
  var table: UnownedTable
  /// The fields that make the object's cache key: those of the first table that has key fields. The table of a union
  /// has none, but those of the fragments on its types do.
  var keyFields: UnownedList<FieldKey>
  var fields: UnownedList<FieldInfo>
  var keys: UnownedList<FieldKey>
  /// The `{` of the object.
  var start: Bytes
  /// Where to go on after a member was read again.
  var resume: Bytes
  /// The members seen so far that may be asked for later, in the reader's log.
  var logBase = 0, logNext = 0
  /// The ``Bytes/keyBit(_:)`` of all logged members: one whose bit is not here has not come yet.
  var keyBits: UInt64 = 0
  var logsAllMembers = false
  var outerIsRepeated = false
  /// Some record field may have been written twice.
  var hasDuplicates = false
  /// The bytes of the value of `__typename`.
  var typeStart: Bytes?, typeLength = 0
  var type = TypeSymbol.unknown
  /// For the path: the field being read, and the index in its list, or -1.
  var field = 0, index = -1
  /// The first of its fields that wait for the end of the object to become a record.
  var pendingBase = 0
  /// In store mode: the fields of the record, its number, and where the next field is expected.
  var entries: FieldPlaces?, hint = 0
  /// Whether the app computes some fields of the object. Then the hint leads nowhere, and each field is searched for.
  var hasComputedFields: Bool { hint == .max }
  /// -1 for an object inside of a record.
  var record: Int32 = -1
}

/// A member of the object that was passed.
struct LogEntry {
  var key: Bytes, keyLength: Int
  var value: Bytes
  /// Its record field was written.
  var isEmitted: Bool
}

/// The field keys and conditions of a table under the variables of one execution.
struct ResolvedTable {
  var keys: UnownedList<FieldKey>?
  var conditions: [Bool] = []
}
