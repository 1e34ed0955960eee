// Ages of objects and fields that are read from records.

extension __ObjectReader {
  /// What the age of an object depends on: the field that leads to it, and its table.
  struct ParentForAges {
    let table: __FieldTable.Storage
    let field: Int
    let key: FieldKey
    let type: TypeSymbol
  }

  /// The object around the current one, with the field that is being read; nil if there is none.
  private var parentForAges: ParentForAges? {
    guard frames.count > 1 else { return nil }
    let frame = frames[frames.count - 2]
    guard frame.field < frame.keys.count else { return nil }
    return ParentForAges(
      table: frame.table.table, field: frame.field, key: frame.keys[frame.field], type: Self.typeForApp(frame))
  }

  /// The fields of the record that is being read.
  var storedFields: FieldPlaces? { frames.top.entries ?? source.ages?.object(of: frames.count - 1)?.entries }

  /// Notes what ages apply to an object whose frame has just been pushed.
  @inline(never) mutating func beginAges() {
    let frame = frames.count - 1, table = frames.top.table.table
    guard source.ages?.applies(to: table, in: frame - 1) == true else { return }
    let parent = parentForAges
    let outer = source.ages?.object(of: frame - 1)
    var maxAge: UInt32?, isOfField = false
    if let parent {
      switch age(of: parent.field, parent.key, in: parent.table, type: parent.type) {
      case .seconds(let seconds): (maxAge, isOfField) = (seconds, true)
      case .inherited: (maxAge, isOfField) = (outer?.maxAge, true)
      case .ofType(let seconds): maxAge = table.ages?.type ?? seconds
      case .none: maxAge = table.ages?.type
      }
    } else {
      maxAge = table.ages?.type
    }
    if !isOfField, let answer = source.ages?.answers.maxAge(of: Self.typeForApp(frames.top)) { maxAge = answer }
    let isLowest = table.ages?.isLowestOnPath ?? outer?.isLowestOnPath ?? false
    if isLowest, let outerAge = outer?.maxAge { maxAge = min(maxAge ?? outerAge, outerAge) }
    let field = frames.top.record < 0 ? fieldAround : nil
    pushAges(
      AgeCheck.Object(
        frame: frame, maxAge: maxAge, isOfField: isOfField, isLowestOnPath: isLowest,
        record: field?.record ?? frames.top.record, embeddedIn: field.map { ($0.key, date(of: $0)) },
        entries: frames.top.entries))
  }

  /// Forgets what applied to the object that has been read.
  @inline(never) func endAges() { source.ages?.end(frames.count - 1) }

  /// Notes what ages apply to a fragment on the current object, whose table has just been entered.
  @inline(never) mutating func enterAges() {
    let frame = frames.count - 1, ages = frames.top.table.table.ages
    let outer = source.ages?.object(of: frame)
    var maxAge = outer?.maxAge
    if outer?.isOfField != true, let type = ages?.type, source.ages?.answers.asksApp != true || maxAge == nil {
      maxAge = type
    }
    pushAges(
      AgeCheck.Object(
        frame: frame, maxAge: maxAge, isOfField: outer?.isOfField ?? false,
        isLowestOnPath: ages?.isLowestOnPath ?? outer?.isLowestOnPath ?? false,
        record: outer?.record ?? frames.top.record, embeddedIn: outer?.embeddedIn,
        entries: outer?.entries ?? frames.top.entries))
  }

  /// Returns to what applied to the object before a fragment was entered.
  @inline(never) mutating func leaveAges(_ count: Int) {
    let entries = source.ages?.objects.last?.entries
    source.ages?.removeObjects(from: count)
    if source.ages?.object(of: frames.count - 1)?.comparesFields != true { frames.top.entries = entries }
  }

  /// Compares all fields of the object at once, if that is possible. Otherwise they are compared when they are read.
  private mutating func pushAges(_ object: AgeCheck.Object) {
    var object = object
    object.comparesFields = !isFresh(object)
    source.ages?.push(object)
    // Without them, each field is searched for with ``lookUpWithAge(_:_:)``.
    frames.top.entries = object.comparesFields ? nil : object.entries
  }

  private mutating func isFresh(_ object: AgeCheck.Object) -> Bool {
    let table = frames.top.table.table
    // Which fields are read is not known.
    guard table.hasFields, table.conditions.isEmpty, source.ages?.answers.asksApp != true else {
      return !table.hasFields
    }
    guard let date = object.embeddedIn?.date ?? onlyDate(of: object.record) else { return false }
    let maxAge = [table.ages?.lowest, object.maxAge ?? source.ages?.defaultMaxAge].compactMap(\.self).min()
    return source.ages?.isFresh(date, maxAge: maxAge) ?? true
  }

  private func onlyDate(of record: Int32) -> FieldDate? {
    guard let snapshot = source.snapshot, record >= 0, record < snapshot.count else { return FieldDate() }
    return snapshot.onlyDate(of: record)
  }

  /// The field of a record that the current object is in.
  private var fieldAround: RecordField? {
    for index in (0..<(frames.count - 1)).reversed() where frames[index].record >= 0 {
      let frame = frames[index]
      guard frame.field < frame.keys.count else { return nil }
      return RecordField(record: frame.record, key: frame.keys[frame.field])
    }
    return source.embeddedRoot
  }

  private func date(of field: RecordField) -> FieldDate {
    onlyDate(of: field.record) ?? source.snapshot?.dates(of: field.record).date(of: field.key) ?? FieldDate()
  }

  /// The type of the current object, for the app. The root need not have been asked for its type.
  private static func typeForApp(_ frame: Frame) -> TypeSymbol {
    let type = frame.type, record = frame.record
    guard type == .unknown, record >= 0, record < GraphQLOperationType.rootCount else { return type }
    return rootTypes[Int(record)]
  }

  private static let rootTypes = ["Query", "Mutation", "Subscription"].map { TypeSymbol.declare($0) }

  /// What is said of the age of a field.
  private mutating func age(
    of i: Int, _ key: FieldKey, in table: __FieldTable.Storage, type: TypeSymbol
  ) -> DeclaredAge {
    if let snapshot = source.snapshot, let seconds = source.ages?.answers.maxAge(of: key, on: type, in: snapshot) {
      return .seconds(seconds)
    }
    guard let ages = table.ages, i < ages.fields.count else { return .none }
    return ages.fields[i]
  }

  // MARK: Fields

  /// The value of field `i` in an object whose fields are compared one by one; nil if the object does not have it.
  @inline(never) mutating func lookUpWithAge(
    _ i: Int, _ object: AgeCheck.Object
  ) throws(__ReadError) -> ValuePlace? {
    let key = frames.top.keys[i]
    guard let entries = object.entries, let index = entries.index(of: key, from: min(frames.top.hint, entries.count))
    else { return nil }
    frames.top.hint = index + 1
    let value = entries.value(at: index)
    // The type of an object does not age.
    guard key != .typename else { return value }
    let table = frames.top.table.table
    var maxAge: UInt32?
    switch age(of: i, key, in: table, type: Self.typeForApp(frames.top)) {
    case .seconds(let seconds): maxAge = seconds
    case .ofType(let seconds): maxAge = ageOfType(at: value) ?? seconds
    case .inherited: maxAge = object.maxAge ?? source.ages?.defaultMaxAge
    case .none:
      maxAge = value.value.leadsToObjects ? ageOfType(at: value) : object.maxAge
      maxAge = maxAge ?? source.ages?.defaultMaxAge
    }
    if object.isLowestOnPath, let outer = object.maxAge { maxAge = min(maxAge ?? outer, outer) }
    let field = RecordField(record: object.record, key: object.embeddedIn?.key ?? key)
    guard source.ages?.allows(field, object.embeddedIn?.date ?? date(of: field), maxAge: maxAge) != false else {
      throw error(.expired)
    }
    return value
  }

  /// What the app says of the objects that a field leads to.
  private mutating func ageOfType(at place: ValuePlace) -> UInt32? {
    guard source.ages?.answers.asksApp == true, let type = source.snapshot?.type(of: place.value) else { return nil }
    return source.ages?.answers.maxAge(of: type)
  }
}
