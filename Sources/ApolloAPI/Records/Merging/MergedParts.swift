/// What has become of the parts of one response that are in the cache already.
///
/// Each part is stored as the whole response so far. So a value comes in again with every later part. What the part
/// before had is not written over what else was written since, and a value is merged once by a rule all the same: by a
/// function of the app, or as a page. What functions have merged is kept in the form that functions see, because a
/// store may give its records new numbers between parts.
package final class MergedParts: Sendable {
  /// Where a value is: in which record, and behind which fields.
  struct Place: Hashable {
    let record: String?
    let path: String
  }

  private struct Merged {
    /// What the cache had before the first part.
    let existing: CachedValue.Field?
    /// What came in with the last part.
    let incoming: [CachedValue]
    /// What the cache had after it.
    var result: CachedValue?
  }

  /// Pages that came in with a part.
  private struct Pages {
    /// The values, one for each set of arguments, in the numbers of the keys.
    let values: [RecordValue]
    let keys: Locked<StoreKeys>
  }

  private struct State {
    var merged: [Place: Merged] = [:]
    var pages: [Place: Pages] = [:]
    var records = PartRecords()
  }

  private let state = Locked(State())

  /// Nothing.
  package init() {}

  /// Notes what comes in with a part. If something else has written or removed the value since the last part, what the
  /// cache has counts, and not what it had before the first part: nothing is lost, and nothing comes back.
  ///
  /// - Parameters:
  ///   - incoming: The values, one for each set of arguments.
  ///   - existing: What the cache has.
  ///   - place: Where it has it.
  /// - Returns: What the part is merged with, and whether the same came in with the part before.
  func note(
    _ incoming: [CachedValue], over existing: CachedValue.Field?, at place: Place
  ) -> (existing: CachedValue.Field?, isSame: Bool) {
    state.withLock { state in
      guard let earlier = state.merged[place] else {
        state.merged[place] = Merged(existing: existing, incoming: incoming)
        return (existing, false)
      }
      if existing != nil, earlier.incoming == incoming { return (earlier.existing, true) }
      let before = earlier.result == existing?.value ? earlier.existing : existing
      state.merged[place] = Merged(existing: before, incoming: incoming)
      return (before, false)
    }
  }

  /// Notes what the cache has after a part.
  func note(result: CachedValue, at place: Place) { state.withLock { $0.merged[place]?.result = result } }

  // MARK: Records

  /// Begins a part.
  ///
  /// - Parameters:
  ///   - records: The records of the store.
  ///   - hasOpenLists: Whether lists may be shorter in it than in the whole answer.
  ///   - replacesValuesByErrors: Whether an error replaces a value. Otherwise a value stays when an error comes.
  package func beginPart(in records: RecordSnapshot, hasOpenLists: Bool, replacesValuesByErrors: Bool) {
    let rules = PartRules(hasOpenLists: hasOpenLists, replacesValuesByErrors: replacesValuesByErrors)
    state.withLock { $0.records.begin(in: records.keys, rules) }
  }

  /// What is to be written of a record that comes with the part.
  ///
  /// - Parameters:
  ///   - record: The record, in the numbers of the store.
  ///   - number: Its number.
  ///   - records: The records of the store.
  ///   - context: What merges values by rules, begun with the record; nil if there are no rules.
  /// - Returns: The record without what the part before had as well and something else has changed since, and
  ///   without lists that may still grow to the length that they have in the store. Nothing is written of a record
  ///   that is empty and has no type.
  package func news(
    of record: ObjectRecord, _ number: Int32, over records: RecordSnapshot, _ context: MergeContext?
  ) -> ObjectRecord {
    // (A value may leave the lock, and a record may not. Functions of the app are not called under it.)
    let (before, rules) = state.withLock { state in
      (state.records.earlier(number).map { RecordValue.object($0) }, state.records.rules)
    }
    var earlier: ObjectRecord?
    if case .object(let object)? = before { earlier = object }
    guard let cached = records[number] else {
      note(record, number)
      return earlier != nil && records.isGone(number) ? .empty : record
    }
    let comparison = PartComparison(rules: rules, context: context)
    let (news, noted) = comparison.compare(record, after: earlier, over: cached)
    note(noted, number)
    return news
  }

  private func note(_ record: ObjectRecord, _ number: Int32) {
    let value = RecordValue.object(record)
    state.withLock { if case .object(let record) = value { $0.records.note(record, number) } }
  }

  /// Forgets the records of the part, because it was not written, or because the operation is sent again: they are as
  /// new with the next one.
  package func forgetPart() { state.withLock { $0.records = PartRecords() } }

  /// Forgets what was removed to save memory, or because it was of no use: it is as new with the next part.
  ///
  /// - Parameters:
  ///   - fields: The fields that were removed, by the numbers of their records.
  ///   - records: The records that were removed.
  ///   - keys: The keys of the numbers.
  package func forget(_ fields: [Int32: [FieldKey]], _ records: [Int32], in keys: Locked<StoreKeys>) {
    state.withLock { $0.records.forget(fields, records, in: keys) }
  }

  // MARK: Pages

  /// What came to the place of pages with the part before.
  enum EarlierPages {
    /// There were none.
    case absent
    /// They were the same.
    case equal
    /// A part of them.
    case different
  }

  /// Compares pages with those that came with the part before.
  ///
  /// - Parameters:
  ///   - values: The pages, one for each set of arguments.
  ///   - keys: The keys of their numbers.
  ///   - place: Where the cache has the list of them.
  /// - Returns: What came before.
  func earlierPages(than values: [RecordValue], in keys: Locked<StoreKeys>, at place: Place) -> EarlierPages {
    guard let earlier = state.withLock({ $0.pages[place] }) else { return .absent }
    let isEqual =
      earlier.keys === keys && earlier.values.count == values.count
      && zip(earlier.values, values).allSatisfy { $0.isSame(as: $1) }
    return isEqual ? .equal : .different
  }

  /// Notes pages that the cache has taken, with the parameters of ``earlierPages(than:in:at:)``. Without a list, they
  /// say nothing of what the list is.
  func note(pages values: [RecordValue], in keys: Locked<StoreKeys>, at place: Place) {
    guard values.contains(where: \.hasList) else { return }
    state.withLock { $0.pages[place] = Pages(values: values, keys: keys) }
  }
}

extension RecordValue {
  /// Whether it is a list, or an object with a list in it.
  fileprivate var hasList: Bool {
    switch self {
    case .list, .references: true
    case .object(let object): object.fields.contains { Elements($0.value) != nil }
    default: false
    }
  }
}
