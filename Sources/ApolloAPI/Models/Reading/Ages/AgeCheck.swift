/// Compares the dates of what is read from a store with the ages that it may have.
///
/// Objects to which no age applies are not seen here, and cost one comparison. Where all fields of an object came
/// together, and the lowest of their ages is kept, that is one comparison as well. Only otherwise the fields are compared
/// one by one.
final class AgeCheck {
  /// An object that is being read, or a fragment on it, to which ages apply.
  struct Object {
    /// The position of its frame.
    var frame: Int
    /// How many seconds old the fields may be that lead to no objects, unless they have an age of their own.
    let maxAge: UInt32?
    /// The age comes from the field that leads to the object. Then it goes before the ages of types.
    let isOfField: Bool
    let isLowestOnPath: Bool
    /// The record that has the object.
    let record: Int32
    /// The field of the record that the object is in; nil if the object is the record.
    let embeddedIn: FieldKey?
    /// The date of all its fields; nil if they have several.
    let date: FieldDate?
    /// The fields of the record.
    let entries: FieldPlaces?
    /// Whether the fields are compared one by one.
    var comparesFields = false
  }

  private struct State: ~Copyable {
    /// The time, in seconds since 1970; 0 until it is needed.
    var time: UInt32 = 0
    var objects = Stack<Object>()
    var findings = AgeFindings()
    var answers: AgeAnswers
    /// A date that is not too old, and for which age; 0 for a date that is not known.
    var freshDate = FieldDate(), freshAge: UInt32?
  }

  /// Whether ages may apply although no field table has any.
  let isAlwaysActive: Bool
  private let rules: AgeRules
  private let state: Owned<State>

  init(_ rules: AgeRules, isAlwaysActive: Bool) {
    self.rules = rules
    self.isAlwaysActive = isAlwaysActive
    state = Owned(State(answers: AgeAnswers(rules.settings)))
  }

  // MARK: Objects

  /// How many objects, and fragments on them, are being read to which ages apply.
  @inline(__always) var count: Int { state.value.objects.count }

  /// The innermost object. There must be one.
  @inline(__always) var innermost: Object { _read { yield state.value.objects[state.value.objects.count - 1] } }

  /// Whether ages apply to the object of a frame, and it is the innermost one.
  @inline(__always) func applies(in frame: Int) -> Bool { count > 0 && innermost.frame == frame }

  /// Makes a check for a reader of its own, which reads a part of the innermost object.
  func forPart(in frame: Int) -> AgeCheck {
    let check = AgeCheck(rules, isAlwaysActive: isAlwaysActive)
    check.take(findings)
    var object = innermost
    object.frame = frame
    check.push(object)
    return check
  }

  @inline(__always) func push(_ object: consuming Object) { state.value.objects.append(object) }

  func removeObjects(from count: Int) { state.value.objects.removeAll(from: count) }

  /// Forgets what applied to the object that has been read.
  @inline(__always) func end(_ frame: Int) {
    while applies(in: frame) { removeObjects(from: count - 1) }
  }

  // MARK: Ages

  var defaultMaxAge: UInt32? { rules.settings.defaultMaxAge }

  /// Whether fields of an object that say nothing themselves have two ages: those that lead to objects have the default,
  /// and all others that of their object.
  @inline(__always) func isAmbiguous(_ ofObject: UInt32?) -> Bool {
    guard let ofObject, let defaultMaxAge else { return false }
    return ofObject != defaultMaxAge
  }

  /// Whether the app says something of some ages.
  var asksApp: Bool { rules.settings.maxAge != nil }

  /// How old a field may be, in seconds, as the app says; nil if it says nothing.
  @inline(__always) func maxAge(of key: FieldKey, on type: TypeSymbol, in records: RecordSnapshot) -> UInt32? {
    asksApp ? state.value.answers.maxAge(of: key, on: type, in: records) : nil
  }

  /// How old the objects of a type may be, in seconds, as the app says; nil if it says nothing.
  @inline(__always) func maxAge(of type: TypeSymbol) -> UInt32? { asksApp ? state.value.answers.maxAge(of: type) : nil }

  // MARK: Dates

  var findings: AgeFindings { state.value.findings }

  func take(_ other: AgeFindings) { state.value.findings = other }

  private func now() -> UInt32 {
    if state.value.time == 0 { state.value.time = max(1, rules.settings.now) }
    return state.value.time
  }

  /// Whether a value of this date is not too old; then the end of its time is noted.
  @inline(__always) func isFresh(_ date: FieldDate, maxAge: UInt32?) -> Bool {
    // Most objects have come together.
    if date.seconds > 0, state.value.freshDate == date, state.value.freshAge == maxAge { return true }
    return compare(date, maxAge)
  }

  @inline(never) private func compare(_ date: FieldDate, _ maxAge: UInt32?) -> Bool {
    if let end = date.end(maxAge: maxAge, now: now()) {
      guard now() < end else { return false }
      note(end)
    }
    (state.value.freshDate, state.value.freshAge) = (date, maxAge)
    return true
  }

  private func note(_ end: UInt32) {
    state.value.findings.earliestExpiry = min(end, state.value.findings.earliestExpiry ?? .max)
  }

  /// Compares the age of one field with what it may be.
  ///
  /// - Returns: False if the value must not be used.
  func allows(_ field: RecordField, _ date: FieldDate, maxAge: UInt32?) -> Bool {
    if let guesses = rules.guesses, guesses.contains(field) { return true }
    guard let end = date.end(maxAge: maxAge, now: now()) else { return true }
    // What may have no age is always too old, so its end is no news.
    if maxAge != 0, end > date.seconds { note(end) }
    guard now() >= end else { return true }
    let maxStale = rules.maxStale
    guard FieldDate.isUsable(after: end, maxStale: maxStale, now: now()) else {
      let limit = maxAge.map { date.serverExpiry != nil ? min($0, end - min(end, date.seconds)) : $0 }
      state.value.findings.expired = AgeFindings.Expired(
        age: date.seconds == 0 ? nil : now() - min(now(), date.seconds),
        maxAge: limit ?? end - min(end, date.seconds))
      return false
    }
    state.value.findings.staleFields.insert(field)
    return true
  }
}
