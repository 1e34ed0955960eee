/// The records that a reader reads from, and what it notes about them.
struct RecordSource: ~Copyable {
  /// The records; nil while a response is read.
  let snapshot: RecordSnapshot?
  /// The value that is read next.
  var current: ValuePlace
  /// Where a value stands that is in no record by itself; nil while a response is read.
  private let scratch: OwnedValue?
  /// Objects that functions of the app have made. They are kept, because no record has them, and what is read of one
  /// points into it while other values take its place.
  private var computedObjects: [ObjectRecord] = []
  /// What was read.
  var dependencies = Dependencies()
  /// When the last one and the oldest one of the records were sent that were read.
  private var lastDate = OnlyDate.unknown, oldestDate = OnlyDate.several
  /// Whether the dates of all fields have to be looked at: those of one record were sent at several times, or another
  /// reader has read a part.
  private var hasSeveralDates = false
  /// The errors that were found in place of values.
  private(set) var errors: [GraphQLError] = []
  /// What happens where the store has no value.
  var missingValues = MissingValues.areErrors
  /// The first of the values that were missing and are reported; empty if there was none.
  private(set) var firstMiss: [ResponseDecodingError] = []
  /// Whether a value was missing and is reported.
  var hasMisses: Bool { !firstMiss.isEmpty }
  /// The innermost list that is being read, and those around it, from the outermost on.
  private var list = StoredList()
  private var outerLists: [StoredList] = []
  /// Whether the current value is an element of a list that stands in a record. A list that a field policy makes of
  /// arguments may have references to objects that were never there.
  var isElementInRecord = false
  /// The app's functions that compute fields; nil if it has none.
  var readers: FieldFunctions<any FieldPolicy.Reader>?
  private let ageRules: AgeRules?
  /// Compares the age of what is read with what it may be; nil as long as no ages have been met.
  private(set) var ages: AgeCheck?
  /// The field that the outermost object is in, if that is an object inside of a record.
  var embeddedRoot: RecordField?

  @inline(__always) init(_ snapshot: RecordSnapshot?, ages: AgeRules? = nil) {
    self.snapshot = snapshot
    ageRules = ages
    if let ages, let snapshot, ages.areAlwaysActive(in: snapshot) { self.ages = AgeCheck(ages, isAlwaysActive: true) }
    scratch = snapshot == nil ? nil : OwnedValue(.null)
    current = OwnedValue.null
  }

  /// Notes that an object was read through a table.
  ///
  /// - Parameters:
  ///   - record: The number of its record.
  ///   - table: The table.
  ///   - date: When all fields of the record were sent.
  @inline(__always) mutating func depend(on record: Int32, _ table: __FieldTable.Storage, sentAt date: OnlyDate) {
    dependencies.add(record, table)
    // Most records have the date of the one before.
    if date != lastDate { note(date, table) }
  }

  @inline(never) private mutating func note(_ date: OnlyDate, _ table: __FieldTable.Storage) {
    guard table.hasFields else { return }
    lastDate = date
    if date == .several { hasSeveralDates = true } else if date.isKnown { oldestDate = min(oldestDate, date) }
  }

  /// Adds what another reader depended on, which has noted its own dates.
  mutating func add(_ other: Dependencies) {
    dependencies.add(other)
    if !other.reads.isEmpty { hasSeveralDates = true }
  }

  /// When the oldest part of what was read was sent, in seconds since 1970; 0 if that is not known, nil if
  /// ``RecordSnapshot/oldestSeconds(of:)`` has to find out.
  func oldestSecondsOfRecords(_ dependencies: Dependencies) -> UInt32? {
    if hasSeveralDates || !dependencies.fields.isEmpty { return nil }
    return oldestDate == .several ? 0 : oldestDate.seconds
  }

  /// Whether ages have to be looked at from here on, because there are some in a table.
  @inline(__always) mutating func hasAges(_ table: __FieldTable.Storage) -> Bool {
    if ages != nil { return true }
    guard table.ages != nil, let ageRules else { return false }
    ages = AgeCheck(ageRules, isAlwaysActive: false)
    return true
  }

  /// Looks at ages from here on, whether a table that was met has some or not.
  ///
  /// - Returns: nil if values may have any age.
  mutating func startAges() -> AgeCheck? {
    if ages == nil, let ageRules { ages = AgeCheck(ageRules, isAlwaysActive: false) }
    return ages
  }

  /// Compares ages as another reader does.
  mutating func setAges(_ ages: AgeCheck?) { self.ages = ages }

  /// Makes a value current that is in no record by itself, such as an element of a list.
  mutating func setCurrent(_ value: RecordValue) {
    current = place(of: value)
  }

  // MARK: Lists

  /// A list of references to objects, or of values. The other one is empty: elements of an enum's payload would be
  /// copied with all of it.
  private struct StoredList {
    var references: [Int32] = []
    var values: [RecordValue] = []
    /// Whether there are objects in it, with a key or without; nil until it is asked for.
    var hasObjects: Bool?
  }

  /// How many lists are being read.
  var listCount: Int { outerLists.count }

  /// Begins to read a list.
  ///
  /// - Returns: How many elements it has; nil if the value is not a list.
  mutating func beginList(_ value: RecordValue) -> Int? {
    var begun = StoredList()
    switch value {
    case .references(let references): begun.references = references
    case .list(let values): begun.values = values
    default: return nil
    }
    swap(&begun, &list)
    outerLists.append(begun)
    return list.references.count + list.values.count
  }

  /// Makes an element of the innermost list current.
  @inline(__always) mutating func setCurrent(toElement index: Int) {
    guard !list.references.isEmpty else { return setCurrent(list.values[index]) }
    let number = list.references[index]
    setCurrent(number < 0 ? .null : .reference(number))
  }

  /// Whether the innermost list is one of objects, and perhaps of nulls. It is found out once for each list.
  var isInListOfObjects: Bool {
    mutating get {
      if let known = list.hasObjects { return known }
      let hasObjects = !list.references.isEmpty || list.values.contains(where: \.isObject)
      list.hasObjects = hasObjects
      return hasObjects
    }
  }

  mutating func endList() { list = outerLists.removeLast() }

  /// Ends the lists that were begun after there were so many.
  mutating func endLists(from count: Int) {
    while outerLists.count > count { endList() }
  }

  /// Whether the current value stands in a record itself.
  var currentIsInRecord: Bool { !(scratch?.isAt(current) ?? true) }

  /// The place of a value that is in no record by itself.
  func place(of value: RecordValue) -> ValuePlace {
    scratch?.set(value) ?? OwnedValue.null
  }

  /// The place of a value that a function of the app has made.
  mutating func place(ofComputed value: RecordValue) -> ValuePlace {
    if case .object(let record) = value { computedObjects.append(record) }
    return place(of: value)
  }

  /// Whether something was read, or asked for, that a backend may have and was not asked for yet.
  var lacksRecords: Bool {
    guard let snapshot, snapshot.hasBackend else { return false }
    func isLacking(_ record: Int32) -> Bool { record >= 0 && !snapshot.isLoaded(record) }
    return dependencies.reads.contains { isLacking($0.record) }
      || dependencies.fields.contains { isLacking($0.record) }
  }

  /// Notes that the cache has no value for a field.
  mutating func noteMiss(_ error: ResponseDecodingError) {
    if firstMiss.isEmpty { firstMiss = [error] }
    let reported = GraphQLError([
      "message": error.message, "path": error.path.map(\.jsonValue), "extensions": ["code": "CACHE_MISS"] as JSONObject,
    ])
    if errors.last?.path != error.path { errors.append(reported) }
  }

  /// Adds the errors that another reader found.
  mutating func add(errors other: [GraphQLError]) { errors += other }

  /// Notes an error that the cache has in place of the value that is being read.
  @inline(never) mutating func note(_ error: CachedError, at path: [PathComponent]) {
    errors.append(error.error(at: path))
  }
}
