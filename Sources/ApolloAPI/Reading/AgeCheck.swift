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
    var maxAge: UInt32?
    /// The age comes from the field that leads to the object. Then it goes before the ages of types.
    let isOfField: Bool
    let isLowestOnPath: Bool
    /// The record that has the object.
    let record: Int32
    /// The field of the record that the object is in, and its date; nil if the object is the record.
    let embeddedIn: (key: FieldKey, date: FieldDate)?
    /// The fields of the record.
    let entries: FieldPlaces?
    /// Whether the fields are compared one by one.
    var comparesFields = false
  }

  private let rules: AgeRules
  private let isAlwaysActive: Bool
  /// The time, in seconds since 1970; 0 until it is needed.
  private var time: UInt32 = 0
  private(set) var objects: [Object] = []
  private(set) var findings = AgeFindings()
  var answers: AgeAnswers

  init(_ rules: AgeRules, isAlwaysActive: Bool) {
    self.rules = rules
    self.isAlwaysActive = isAlwaysActive
    answers = AgeAnswers(rules.settings)
  }

  /// Whether ages may apply to an object.
  ///
  /// - Parameters:
  ///   - table: What is read of it.
  ///   - frame: The position of the frame of the object, or of the fragment on it, around it; -1 if there is none.
  /// - Returns: False if nothing has to be compared.
  func applies(to table: __FieldTable.Storage, in frame: Int) -> Bool {
    isAlwaysActive || table.ages != nil || objects.last?.frame == frame
  }

  /// The object of a frame, if it is the innermost one and ages apply to it.
  func object(of frame: Int) -> Object? {
    guard let last = objects.last, last.frame == frame else { return nil }
    return last
  }

  /// Makes a check for a reader of its own, which reads a part of an object.
  func forPart(in frame: Int) -> AgeCheck {
    let check = AgeCheck(rules, isAlwaysActive: isAlwaysActive)
    check.findings = findings
    check.objects = objects.suffix(1).map { object in
      var object = object
      object.frame = frame
      return object
    }
    return check
  }

  func take(_ other: AgeFindings) { findings = other }

  func push(_ object: Object) { objects.append(object) }

  func removeObjects(from count: Int) { objects.removeSubrange(count...) }

  /// Forgets what applied to the object that has been read.
  func end(_ frame: Int) {
    while objects.last?.frame == frame { objects.removeLast() }
  }

  // MARK: Ages

  var defaultMaxAge: UInt32? { rules.settings.defaultMaxAge }

  // MARK: Dates

  private func now() -> UInt32 {
    if time == 0 { time = max(1, rules.settings.now) }
    return time
  }

  /// Whether a value of this date is not too old; then the end of its time is noted.
  func isFresh(_ date: FieldDate, maxAge: UInt32?) -> Bool {
    guard let end = date.end(maxAge: maxAge, now: now()) else { return true }
    guard now() < end else { return false }
    note(end)
    return true
  }

  private func note(_ end: UInt32) {
    findings.earliestExpiry = min(end, findings.earliestExpiry ?? .max)
  }

  /// Compares the age of one field with what it may be.
  ///
  /// - Returns: False if the value must not be used.
  func allows(_ field: RecordField, _ date: FieldDate, maxAge: UInt32?) -> Bool {
    guard let end = date.end(maxAge: maxAge, now: now()) else { return true }
    // What may have no age is always too old, so its end is no news.
    if maxAge != 0, end > date.seconds { note(end) }
    guard now() >= end else { return true }
    let maxStale = rules.maxStale
    guard FieldDate.isUsable(after: end, maxStale: maxStale, now: now()) else {
      let limit = maxAge.map { date.serverExpiry != nil ? min($0, end - min(end, date.seconds)) : $0 }
      findings.expired = AgeFindings.Expired(
        age: date.seconds == 0 ? nil : now() - min(now(), date.seconds),
        maxAge: limit ?? end - min(end, date.seconds))
      return false
    }
    findings.staleFields.insert(field)
    return true
  }
}
