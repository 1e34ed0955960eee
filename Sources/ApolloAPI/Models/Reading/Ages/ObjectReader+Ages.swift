// Ages of objects and fields that are read from records.
//
// What is called for each object is `mutating` even where it changes nothing: the compiler copies the whole reader for
// a call that is not.

extension __ObjectReader {
  /// The fields of the record that is being read.
  var storedFields: FieldPlaces? {
    if let entries = frames.top.entries { return entries }
    guard let ages = source.ages, ages.applies(in: frames.count - 1) else { return nil }
    return ages.innermost.entries
  }

  /// Looks at the ages of an object whose frame has just been pushed.
  @inline(never) mutating func beginAges() {
    guard let ages = source.ages, !isSimplyFresh(ages) else { return }
    guard ages.isAlwaysActive || frames.top.table.table.ages != nil || ages.applies(in: frames.count - 2) else {
      return
    }
    noteAges(ages)
  }

  /// Whether one age applies to all fields of the current object, none of them is too old, and nothing inside of it
  /// depends on its age.
  @inline(__always) private mutating func isSimplyFresh(_ ages: AgeCheck) -> Bool {
    let record = frames.top.record, frame = frames.count - 1
    guard !ages.asksApp, record >= 0, frames.top.table.table.hasOneAge,
      frame == 0 || !frames[frame - 1].table.table.hasFieldAges, ages.count == 0 || !ages.innermost.isLowestOnPath,
      let date = onlyDate(of: record)
    else { return false }
    let ofType = frames.top.table.table.ages?.type
    return !ages.isAmbiguous(ofType) && ages.isFresh(date, maxAge: ofType ?? ages.defaultMaxAge)
  }

  /// Notes what ages apply to the current object.
  @inline(never) private mutating func noteAges(_ ages: AgeCheck) {
    let frame = frames.count - 1, table = frames.top.table.table, isInside = ages.applies(in: frame - 1)
    var maxAge = table.ages?.type, isOfField = false
    if frame > 0 {
      switch ageOfCurrentField(in: frame - 1, ages) {
      case .seconds(let seconds): (maxAge, isOfField) = (seconds, true)
      case .inherited: (maxAge, isOfField) = (isInside ? ages.innermost.maxAge : nil, true)
      case .ofType(let seconds): maxAge = maxAge ?? seconds
      case .none: break
      }
    }
    if !isOfField, ages.asksApp, let answer = ages.maxAge(of: Self.typeForApp(frames.top)) { maxAge = answer }
    let isLowest = table.ages?.isLowestOnPath ?? (isInside && ages.innermost.isLowestOnPath)
    if isLowest, isInside, let outerAge = ages.innermost.maxAge { maxAge = min(maxAge ?? outerAge, outerAge) }
    var record = frames.top.record, embeddedIn: FieldKey?, date: FieldDate?
    if record >= 0 {
      date = onlyDate(of: record)
    } else if isInside, ages.innermost.embeddedIn != nil {
      (record, embeddedIn, date) = (ages.innermost.record, ages.innermost.embeddedIn, ages.innermost.date)
    } else if let field = fieldAround() {
      (record, embeddedIn, date) = (field.record, field.key, self.date(of: field))
    }
    push(
      AgeCheck.Object(
        frame: frame, maxAge: maxAge, isOfField: isOfField, isLowestOnPath: isLowest, record: record,
        embeddedIn: embeddedIn, date: date, entries: frames.top.entries), ages)
  }

  /// Forgets what applied to the object that has been read.
  @inline(__always) mutating func endAges() { source.ages?.end(frames.count - 1) }

  /// Notes what ages apply to the current object before a fragment on it is entered, if they are not noted yet.
  @inline(never) mutating func noteAges(before fragment: __FieldTable.Storage) {
    guard let ages = source.ages, ages.isAlwaysActive || fragment.ages != nil else { return }
    if !ages.applies(in: frames.count - 1) { noteAges(ages) }
  }

  /// The check for a reader of its own, which reads a part of the current object; nil if ages are not looked at.
  mutating func agesForPart() -> AgeCheck? {
    guard let ages = source.startAges() else { return nil }
    if !ages.applies(in: frames.count - 1) { noteAges(ages) }
    return ages.forPart(in: 0)
  }

  /// Notes what ages apply to a fragment on the current object, whose table has just been entered.
  @inline(never) mutating func enterAges() {
    guard let ages = source.ages, ages.applies(in: frames.count - 1) else { return }
    let ofTable = frames.top.table.table.ages, outer = ages.innermost
    var maxAge = outer.maxAge
    if !outer.isOfField, let type = ofTable?.type, !ages.asksApp || maxAge == nil { maxAge = type }
    push(
      AgeCheck.Object(
        frame: outer.frame, maxAge: maxAge, isOfField: outer.isOfField,
        isLowestOnPath: ofTable?.isLowestOnPath ?? outer.isLowestOnPath, record: outer.record,
        embeddedIn: outer.embeddedIn, date: outer.date, entries: outer.entries), ages)
  }

  /// Returns to what applied to the object before a fragment was entered.
  @inline(never) mutating func leaveAges(_ count: Int) {
    guard let ages = source.ages, ages.count > count else { return }
    let entries = ages.innermost.entries
    ages.removeObjects(from: count)
    if !ages.applies(in: frames.count - 1) || !ages.innermost.comparesFields { frames.top.entries = entries }
  }

  /// Compares all fields of the object at once, if that is possible. Otherwise they are compared when they are read.
  @inline(__always) private mutating func push(_ object: consuming AgeCheck.Object, _ ages: AgeCheck) {
    object.comparesFields = !isFresh(object, ages)
    // Without them, each field is searched for with ``lookUpWithAge(_:_:)``.
    frames.top.entries = object.comparesFields ? nil : object.entries
    ages.push(object)
  }

  @inline(__always) private mutating func isFresh(_ object: borrowing AgeCheck.Object, _ ages: AgeCheck) -> Bool {
    let table = frames.top.table.table
    guard table.hasFields else { return true }
    // With conditions, it is not known which fields are read.
    guard table.conditions.isEmpty, !ages.asksApp, let date = object.date else { return false }
    var maxAge: UInt32?
    if table.ages?.saysAll == true {
      maxAge = object.isLowestOnPath ? object.maxAge : nil
    } else {
      if ages.isAmbiguous(object.maxAge) { return false }
      maxAge = object.maxAge ?? ages.defaultMaxAge
    }
    if let lowest = table.ages?.lowest { maxAge = min(maxAge ?? lowest, lowest) }
    return ages.isFresh(date, maxAge: maxAge)
  }

  /// The field of a record that the current object is in.
  private mutating func fieldAround() -> RecordField? {
    for index in (0..<(frames.count - 1)).reversed() where frames[index].record >= 0 {
      let field = frames[index].field
      guard field < frames[index].keys.count else { return nil }
      return RecordField(record: frames[index].record, key: frames[index].keys[field])
    }
    return source.embeddedRoot
  }

  private mutating func date(of field: RecordField) -> FieldDate {
    onlyDate(of: field.record) ?? source.snapshot?.date(of: field.key, of: field.record) ?? FieldDate()
  }

  /// The date of all fields of a record; nil if they have several.
  @inline(__always) private mutating func onlyDate(of record: Int32) -> FieldDate? {
    source.snapshot?.knownDate(of: record)
  }

  /// The type of the current object, for the app. The root need not have been asked for its type.
  static func typeForApp(_ frame: Frame) -> TypeSymbol {
    frame.type == .unknown ? .ofRoot(frame.record) : frame.type
  }

  /// What is said of the age of the field that is being read in the object of a frame.
  @inline(__always) private mutating func ageOfCurrentField(in frame: Int, _ ages: AgeCheck) -> DeclaredAge {
    let i = frames[frame].field
    if ages.asksApp, i < frames[frame].keys.count, let snapshot = source.snapshot,
      let seconds = ages.maxAge(
        of: frames[frame].keys[i], on: Self.typeForApp(frames[frame]), in: snapshot)
    {
      return .seconds(seconds)
    }
    guard let ofTable = frames[frame].table.table.ages, i < ofTable.fields.count else { return .none }
    return ofTable.fields[i]
  }

  // MARK: Fields

  /// The value of field `i` in an object whose fields are compared one by one; nil if the object does not have it.
  @inline(never) mutating func lookUpWithAge(
    _ i: Int, _ ages: AgeCheck
  ) throws(__ReadError) -> ValuePlace? {
    let key = frames.top.keys[i], object = ages.innermost
    guard let entries = object.entries, let index = entries.index(of: key, from: min(frames.top.hint, entries.count))
    else { return nil }
    if !frames.top.hasComputedFields { frames.top.hint = index + 1 }
    let value = entries.value(at: index)
    // The type of an object does not age, nor does what no server can send anew.
    guard key != .typename, !frames.top.fields[i].isLocal else { return value }
    var maxAge: UInt32?
    switch ageOfCurrentField(in: frames.count - 1, ages) {
    case .seconds(let seconds): maxAge = seconds
    case .ofType(let seconds): maxAge = ageOfType(at: value, ages) ?? seconds
    case .inherited: maxAge = object.maxAge ?? ages.defaultMaxAge
    case .none:
      maxAge = value.value.leadsToObjects ? ageOfType(at: value, ages) : object.maxAge
      maxAge = maxAge ?? ages.defaultMaxAge
    }
    if object.isLowestOnPath, let outer = object.maxAge { maxAge = min(maxAge ?? outer, outer) }
    let field = RecordField(record: object.record, key: object.embeddedIn ?? key)
    guard ages.allows(field, object.date ?? date(of: field), maxAge: maxAge) else { throw error(.expired) }
    return value
  }

  /// What the app says of the objects that a field leads to.
  private mutating func ageOfType(at place: ValuePlace, _ ages: AgeCheck) -> UInt32? {
    guard ages.asksApp, let snapshot = source.snapshot else { return nil }
    if let type = snapshot.type(of: place.value) { return ages.maxAge(of: type) }
    // A backend may know the type.
    if let number = place.value.firstReference, snapshot.hasBackend, !snapshot.isLoaded(number) {
      source.dependencies.add(number, field: .typename)
    }
    return nil
  }
}
