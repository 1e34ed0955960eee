/// The records that came with the last part of a response, which comes in parts, and with the part before it.
struct PartRecords {
  private var before: [Int32: ObjectRecord] = [:], current: [Int32: ObjectRecord] = [:]
  /// The keys of their numbers; nil before the first part.
  private var keys: Locked<StoreKeys>?
  private var hasOpenLists = false

  /// Begins a part. (If the store has given its records new numbers, the part before tells nothing.)
  mutating func begin(in keys: Locked<StoreKeys>, hasOpenLists: Bool) {
    before = self.keys.map { $0 === keys } == true ? current : [:]
    current = [:]
    self.keys = keys
    self.hasOpenLists = hasOpenLists
  }

  /// See ``MergedParts/news(of:_:over:)``.
  mutating func news(of record: ObjectRecord, _ number: Int32, over records: RecordSnapshot) -> ObjectRecord {
    let earlier = before[number]
    guard let cached = records[number] else {
      note(record, number)
      return earlier != nil && records.isGone(number) ? .empty : record
    }
    let type = newType(of: record, earlier, cached)
    let comparison = PartComparison(hasOpenLists: hasOpenLists)
    let (news, noted) = comparison.compare(record, after: earlier, over: cached, type: type)
    note(noted, number)
    return news
  }

  /// Forgets the fields with arguments that records have no longer, because they were removed to save memory: they are
  /// as new with the next part.
  mutating func forgetFields(of numbers: [Int32], notIn records: RecordSnapshot) {
    guard keys.map({ $0 === records.keys }) == true else { return }
    for number in numbers {
      guard let part = current[number], let cached = records[number] else { continue }
      current[number] = part.removing(
        part.fields.map(\.key).filter { $0.hasArguments && cached.value(of: $0) == nil })
    }
  }

  /// The type, unless the part before had it and the object has got another one since.
  private func newType(of record: ObjectRecord, _ earlier: ObjectRecord?, _ cached: ObjectRecord) -> TypeSymbol {
    earlier?.type == record.type && cached.type != record.type ? .unknown : record.type
  }

  /// Notes a record of the part. (Some come in several pieces.)
  private mutating func note(_ record: ObjectRecord, _ number: Int32) {
    current[number] = current[number].map { $0.merging(record, replacingByErrors: true) ?? $0 } ?? record
  }
}

/// Finds what a part of a response brings anew, and what is noted of it for the next part. A list that is left out,
/// because it may still grow, is as new with the next part as it is with this one.
private struct PartComparison {
  let hasOpenLists: Bool

  func compare(
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
    var merge = Merge()
    if !new.isOrHasIncoming {
      if let cached, cached.merging(new, &merge) == nil { return (new, new) }
      if let earlier, earlier.isSame(as: new) { return (nil, new) }
    }
    if hasOpenLists, let cached, new.isShorter(than: cached) { return (nil, earlier) }
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
  ///   has and the part before had.
  private func compare(
    _ new: [RecordValue], after earlier: [RecordValue]?, over cached: [RecordValue]
  ) -> (news: [RecordValue], noted: [RecordValue])? {
    let old = earlier.flatMap { $0.count == cached.count ? $0 : nil }
    guard old != nil ? cached.count <= new.count : cached.count == new.count else { return nil }
    var elements = new, noted = new
    for (index, there) in cached.enumerated() {
      guard there.isComparable(to: new[index]), old.map({ there.isComparable(to: $0[index]) }) ?? true else {
        return nil
      }
      let element = compare(new[index], after: old?[index], over: there)
      noted[index] = element.noted ?? new[index]
      // (Lists of one length are merged by element.)
      if new.count == cached.count || element.news == nil {
        elements[index] = element.news ?? there
      } else if let part = element.news, !part.isOrHasIncoming {
        var merge = Merge(replacingByErrors: true)
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
}

extension RecordValue {
  /// Whether both are objects without keys, and not edges to different objects. Other elements of lists are compared
  /// only if they are equal: a list that has others was edited, or is another one.
  fileprivate func isComparable(to other: RecordValue) -> Bool {
    guard case .object = self, case .object = other else { return isSame(as: other) }
    return Elements.identity(of: self) == Elements.identity(of: other)
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
