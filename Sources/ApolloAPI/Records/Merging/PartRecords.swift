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
    var news = News(hasOpenLists: hasOpenLists)
    let part = news.part(of: record, after: earlier, over: cached, type: newType(of: record, earlier, cached))
    // A list that was left out is as new with the next part as it is with this one.
    note(news.heldBack.isEmpty ? record : record.removing(news.heldBack), number)
    return part
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

/// Finds what a part of a response brings anew.
private struct News {
  let hasOpenLists: Bool
  /// The fields of the record from which a list was left out, because it may still grow.
  var heldBack: [FieldKey] = []
  private var isHeldBack = false

  init(hasOpenLists: Bool) { self.hasOpenLists = hasOpenLists }

  mutating func part(
    of new: ObjectRecord, after earlier: ObjectRecord?, over cached: ObjectRecord, type: TypeSymbol
  ) -> ObjectRecord {
    var kept: [ObjectRecord.Field] = [], heldBack: [FieldKey] = []
    for field in new.fields {
      isHeldBack = false
      let value = part(of: field.value, after: earlier?.value(of: field.key), over: cached.value(of: field.key))
      if let value { kept.append(ObjectRecord.Field(field.key, value)) }
      if isHeldBack { heldBack.append(field.key) }
    }
    (self.heldBack, isHeldBack) = (heldBack, !heldBack.isEmpty)
    let part = ObjectRecord.make(type: type, capacity: kept.count)
    for field in kept { part.append(field) }
    return part
  }

  /// The part of a value; nil if there is none.
  private mutating func part(
    of new: RecordValue, after earlier: RecordValue?, over cached: RecordValue?
  ) -> RecordValue? {
    if hasOpenLists, let cached, new.isShorter(than: cached) {
      isHeldBack = true
      return nil
    }
    if case .incoming = new { return new }
    // What the cache has already becomes newer.
    var merge = Merge()
    if !new.isOrHasIncoming, let cached, cached.merging(new, &merge) == nil { return new }
    if let earlier, earlier.isSame(as: new) { return nil }
    switch (new, cached) {
    case (.object(let new), .object(let cached)?) where cached.hasSameType(as: new):
      var old: ObjectRecord?
      if case .object(let object)? = earlier, object.hasSameType(as: new) { old = object }
      let part = part(of: new, after: old, over: cached, type: new.type)
      return part.count == 0 ? nil : .object(part)
    default: return list(new, after: earlier, over: cached) ?? new
    }
  }

  /// The elements of a list that are new, among those that the cache has. nil if the cache does not have the list of the
  /// part before, or one as long as the new one.
  private mutating func list(
    _ new: RecordValue, after earlier: RecordValue?, over cached: RecordValue?
  ) -> RecordValue? {
    guard let new = Elements(new), let cached = Elements(cached), cached.count <= new.count else { return nil }
    let old = Elements(earlier).flatMap { $0.count == cached.count ? $0 : nil }
    guard old != nil || new.count == cached.count else { return nil }
    var elements = new.values
    for index in 0..<cached.count {
      let there = cached.values[index]
      let part = part(of: elements[index], after: old?.values[index], over: there)
      // (Lists of one length are merged by element.)
      if new.count == cached.count || part == nil {
        elements[index] = part ?? there
      } else if let part, !part.isOrHasIncoming {
        var merge = Merge(replacingByErrors: true)
        elements[index] = there.merging(part, &merge) ?? there
      }
    }
    return Elements(elements).value
  }
}

extension RecordValue {
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
