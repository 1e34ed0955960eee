/// The records that came with the last part of a response, which comes in parts, and with the part before it.
struct PartRecords {
  private var before: [Int32: ObjectRecord] = [:], current: [Int32: ObjectRecord] = [:]
  /// The keys of their numbers; nil before the first part.
  private var keys: Locked<StoreKeys>?
  private(set) var rules = PartRules()

  /// Begins a part. (If the store has given its records new numbers, the part before tells nothing.)
  mutating func begin(in keys: Locked<StoreKeys>, _ rules: PartRules) {
    before = self.keys.map { $0 === keys } == true ? current : [:]
    current = [:]
    self.keys = keys
    self.rules = rules
  }

  /// The record that came with the part before; nil if none did.
  func earlier(_ number: Int32) -> ObjectRecord? { before[number] }

  /// Notes a record of the part. (Some come in several pieces.)
  mutating func note(_ record: ObjectRecord, _ number: Int32) {
    current[number] = current[number].map { $0.merging(record, replacingByErrors: true) ?? $0 } ?? record
  }

  /// Forgets records, and fields of records, that the cache has dropped by itself: they are as new with the next part.
  mutating func forget(_ fields: [Int32: [FieldKey]], _ records: [Int32], in keys: Locked<StoreKeys>) {
    guard self.keys.map({ $0 === keys }) == true else { return }
    for (number, keys) in fields { current[number] = current[number]?.removing(keys) }
    for number in records { current[number] = nil }
  }
}

/// How a part of a response is written.
struct PartRules {
  /// Whether lists of it may be shorter than in the whole answer.
  var hasOpenLists = false
  /// Whether an error replaces a value. Otherwise a value stays when an error comes.
  var replacesValuesByErrors = false
}

/// Finds what a part of a response brings anew, and what is noted of it for the next part. A list that is left out,
/// because it may still grow, is as new with the next part as it is with this one.
struct PartComparison {
  let rules: PartRules
  /// What merges the values that come in inside of a list which grows; nil if no rule merges any.
  let context: MergeContext?

  /// Compares a record with the one of the part before and with the one that the cache has.
  func compare(
    _ record: ObjectRecord, after earlier: ObjectRecord?, over cached: ObjectRecord
  ) -> (news: ObjectRecord, noted: ObjectRecord) {
    // The type, unless the part before had it and the object has got another one since.
    let isOld = earlier?.type == record.type && cached.type != record.type
    return compare(record, after: earlier, over: cached, type: isOld ? .unknown : record.type)
  }

  private func compare(
    _ new: ObjectRecord, after earlier: ObjectRecord?, over cached: ObjectRecord, type: TypeSymbol
  ) -> (news: ObjectRecord, noted: ObjectRecord) {
    var news: [ObjectRecord.Field] = [], noted: [ObjectRecord.Field] = []
    for field in new.fields {
      let value = compare(field.value, after: earlier?.value(of: field.key), over: cached.value(of: field.key))
      if let value = value.news { news.append(ObjectRecord.Field(field.key, value)) }
      if let value = value.noted { noted.append(ObjectRecord.Field(field.key, value)) }
    }
    return (.make(type: type, news), .make(type: new.type, noted))
  }

  /// Compares a value. There is nothing new, or nothing to be noted, where the result has nil.
  private func compare(
    _ new: RecordValue, after earlier: RecordValue?, over cached: RecordValue?
  ) -> (news: RecordValue?, noted: RecordValue?) {
    // What the cache has already becomes newer.
    var merge = Merge(replacingByErrors: rules.replacesValuesByErrors)
    if !new.isOrHasIncoming {
      if let cached, cached.merging(new, &merge) == nil { return (new, new) }
      if let earlier, earlier.isSame(as: new) { return (nil, new) }
    }
    if rules.hasOpenLists, let cached, new.isShorter(than: cached) { return (nil, earlier) }
    switch (new, cached) {
    case (.object(let new), .object(let cached)?) where cached.hasSameType(as: new):
      var old: ObjectRecord?
      if case .object(let object)? = earlier, object.hasSameType(as: new) { old = object }
      let (news, noted) = compare(new, after: old, over: cached, type: new.type)
      return (news.count == 0 ? nil : .object(news), .object(noted))
    case (.list(let new), .list(let cached)?):
      var old: [RecordValue]?
      if case .list(let list)? = earlier { old = list }
      guard let (news, noted) = compare(new, after: old, over: cached) else { break }
      return (.list(news), .list(noted))
    default: break
    }
    return (new, new)
  }

  /// The elements of a list that are new, among those that the cache has.
  ///
  /// - Returns: nil if the list is new as a whole: if it does not begin with the objects without keys that the cache
  ///   has and the part before had, or if that of the cache has others since.
  private func compare(
    _ new: [RecordValue], after earlier: [RecordValue]?, over cached: [RecordValue]
  ) -> (news: [RecordValue], noted: [RecordValue])? {
    let old = earlier.flatMap { $0.count == cached.count ? $0 : nil }
    guard old != nil ? cached.count <= new.count : cached.count == new.count else { return nil }
    let hasGrown = new.count > cached.count
    let isSame = cached.enumerated().allSatisfy { index, there in
      guard there.isComparable(to: new[index]) else { return false }
      guard let old else { return true }
      return there.isSameRow(as: index, of: old) && (!hasGrown || new[index].mayBeRow(index, of: old))
    }
    guard isSame else { return nil }
    var elements = new, noted = new
    for (index, there) in cached.enumerated() {
      let element = compare(new[index], after: old?[index], over: there)
      noted[index] = element.noted ?? new[index]
      // (Lists of one length are merged by element.)
      if !hasGrown || element.news == nil {
        elements[index] = element.news ?? there
      } else if let part = element.news {
        var merge = Merge(replacingByErrors: rules.replacesValuesByErrors, context: context)
        elements[index] = there.merging(part, &merge) ?? there
      }
    }
    return (elements, noted)
  }
}

extension ObjectRecord {
  fileprivate static func make(type: TypeSymbol, _ fields: [Field]) -> ObjectRecord {
    let record = make(type: type, capacity: fields.count)
    for field in fields { record.append(field) }
    return record
  }

  /// How many of the fields of another object this one has with the same values, and how many there are. Objects in it
  /// count by their fields. What is merged by rules, and errors, tell nothing.
  fileprivate func equalFields(in other: ObjectRecord) -> (equal: Int, all: Int) {
    var equal = 0, all = 0
    for field in other.fields {
      let value = value(of: field.key)
      if case .object(let inner) = field.value, case .object(let own)? = value, own.hasSameType(as: inner) {
        let counts = own.equalFields(in: inner)
        (equal, all) = (equal + counts.equal, all + counts.all)
        continue
      }
      if case .error = field.value { continue }
      if field.value.isOrHasIncoming { continue }
      all += 1
      if value?.isSame(as: field.value) == true { equal += 1 }
    }
    return (equal, all)
  }
}

extension RecordValue {
  /// Whether both are objects without keys, and not edges to different objects. Other elements of lists are compared
  /// only if they are equal: a list that has others was edited, or is another one.
  fileprivate func isComparable(to other: RecordValue) -> Bool {
    guard case .object = self, case .object = other else { return isSame(as: other) }
    return Elements.identity(of: self) == Elements.identity(of: other)
  }

  /// Whether an element of a list in the cache is still the one that the part before had at an index. An object without
  /// a key is if some field of it is as it was, and no other element near that index has more of its fields: otherwise
  /// the list was edited, or is another one, and fields of two objects would become one.
  fileprivate func isSameRow(as index: Int, of old: [RecordValue]) -> Bool {
    guard isComparable(to: old[index]) else { return false }
    guard case .object(let row) = self, case .object(let former) = old[index] else { return true }
    // (Only an edge to an object has an identity here.)
    if Elements.identity(of: self) != nil { return true }
    guard row.hasSameType(as: former) else { return false }
    let (equal, all) = row.equalFields(in: former)
    if equal == all { return true }
    // (In a long list, rows that are far away are not compared: each row with each other one would take too long.)
    let reach = max(16, 20_000 / old.count), near = max(0, index - reach)..<min(old.count, index + reach + 1)
    return equal > 0
      && !old[near].contains { other in
        if case .object(let other) = other { row.equalFields(in: other).equal > equal } else { false }
      }
  }

  /// Whether a row of a list that has grown may be the one that the part before had at an index: it is equal by its
  /// fields, or has what the row had, and more.
  fileprivate func mayBeRow(_ index: Int, of old: [RecordValue]) -> Bool {
    isSameRow(as: index, of: old) || extends(old[index])
  }

  /// Whether a later part may have this in the place of a value: objects get fields, lists get elements, and errors
  /// become values.
  private func extends(_ former: RecordValue) -> Bool {
    switch (self, former) {
    case (_, .error), (.incoming, _), (_, .incoming): return true
    case (.object(let new), .object(let old)):
      return new.hasSameType(as: old)
        && old.fields.allSatisfy { field in new.value(of: field.key)?.extends(field.value) ?? false }
    default:
      guard let new = Elements(self), let old = Elements(former) else { return isSame(as: former) }
      return old.count <= new.count && (0..<old.count).allSatisfy { new.values[$0].extends(old.values[$0]) }
    }
  }

  /// Whether it is a list that has fewer elements than the cache has, or a page with such a list.
  fileprivate func isShorter(than cached: RecordValue) -> Bool {
    guard case .incoming(let incoming) = self else { return isShorterList(than: cached) }
    guard case .pages = incoming.rule else { return false }
    return incoming.parts.contains { part in
      guard case .object(let page) = part.value, case .object(let cached) = cached else {
        return part.value.isShorterList(than: cached)
      }
      return page.fields.contains { field in cached.value(of: field.key).map(field.value.isShorterList) ?? false }
    }
  }

  private func isShorterList(than cached: RecordValue) -> Bool {
    guard let new = Elements(self), let cached = Elements(cached) else { return false }
    return new.count < cached.count
  }
}
