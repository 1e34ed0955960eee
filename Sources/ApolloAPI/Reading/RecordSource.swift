/// The records that a reader reads from, and what it notes about them.
struct RecordSource: ~Copyable {
  /// The records; nil while a response is read.
  let snapshot: RecordSnapshot?
  /// The value that is read next.
  var current: ValuePlace
  private let scratch = OwnedValue(.null)
  /// What was read.
  var dependencies = Dependencies()
  /// The errors that were found in place of values.
  private(set) var errors: [GraphQLError] = []
  /// Whether an optional field that the store does not have is nil, rather than an error.
  var allowsMissingFields = false
  /// Compares the age of what is read with what it may be.
  var ages: AgeCheck
  /// The field that the outermost object is in, if that is an object inside of a record.
  var embeddedRoot: RecordField?

  init(_ snapshot: RecordSnapshot?, ages: AgeRules? = nil) {
    self.snapshot = snapshot
    self.ages = AgeCheck(ages, hasExpiries: ages != nil && snapshot?.hasExpiries == true)
    current = scratch.place
  }

  /// Makes a value current that is in no record by itself, such as an element of a list.
  mutating func setCurrent(_ value: RecordValue) {
    scratch.set(value)
    current = scratch.place
  }

  /// The place of a value that is in no record by itself.
  func place(of value: RecordValue) -> ValuePlace {
    scratch.set(value)
    return scratch.place
  }

  /// Notes an error that the cache has in place of the value that is being read.
  @inline(never) mutating func note(_ error: CachedError, at path: [PathComponent]) {
    errors.append(error.error(at: path))
  }
}
