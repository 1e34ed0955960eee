/// What a copy of a field was changed to.
struct CopyChange {
  /// The value as the copy has it.
  fileprivate let own: ModelRecords.Value
  /// The value with what the cache has in place of what was nil before.
  fileprivate let filled: ModelRecords.Value
  /// Whether the copy had no value before. Then nothing tells whether a nil in it hides what another copy has.
  private let isNew: Bool
  /// Whether it is one of several elements that were nil, and nothing tells which.
  private let mayHide: Bool
  /// The elements; nil if it is not a list.
  private let elements: [CopyChange]?

  /// Makes a change of a copy.
  ///
  /// - Parameters:
  ///   - own: The value as the copy has it.
  ///   - filled: The value with what the cache has in place of what was nil before.
  ///   - base: The value as the copy had it; nil if it had none.
  init(own: ModelRecords.Value, filled: ModelRecords.Value, base: ModelRecords.Value?) {
    self.init(own, filled, base, isNew: base?.isNullOrError ?? true, mayHide: false)
  }

  private init(
    _ own: ModelRecords.Value, _ filled: ModelRecords.Value, _ base: ModelRecords.Value?, isNew: Bool, mayHide: Bool
  ) {
    (self.own, self.filled, self.isNew, self.mayHide) = (own, filled, isNew, mayHide)
    guard case .list(let owns) = own, case .list(let fills) = filled else {
      elements = nil
      return
    }
    var bases: [ModelRecords.Value?]?, elementMayHide = mayHide, listMayHide = mayHide
    if case .list(let old)? = base {
      bases = KeptValues.places(of: owns, in: old).map { place in place.map { old[$0] } }
      // (If there are more than before, the app has set one.)
      elementMayHide = owns.count { $0.isNullOrError } <= old.count { $0.isNullOrError }
      listMayHide = own.nullCount <= ModelRecords.Value.list(old).nullCount
    }
    elements = owns.indices.map { index in
      let mayHide = if case .list = owns[index] { listMayHide } else { elementMayHide }
      return CopyChange(owns[index], fills[index], bases?[index], isNew: isNew, mayHide: mayHide)
    }
  }

  /// Makes a list of what copies of it say together.
  private init(_ elements: [CopyChange], isNew: Bool) {
    own = .list(elements.map(\.own))
    filled = .list(elements.map(\.filled))
    (self.isNew, self.elements, mayHide) = (isNew, elements, false)
  }

  /// Whether the copy does not say what is there.
  fileprivate var isOpen: Bool {
    isNew ? own.isNull : own.isNullOrError && (mayHide || !filled.isNullOrError)
  }

  /// What all copies say together.
  ///
  /// - Parameters:
  ///   - changes: What each copy says.
  ///   - copies: The copies.
  /// - Returns: The value.
  /// - Throws: ``ApolloStore/ReadWriteTransaction/ConflictingCopiesError``.
  static func joined(_ changes: [CopyChange], of copies: [ModelRecords.Copy]) throws -> ModelRecords.Value {
    var all = changes[0]
    for (index, change) in changes.enumerated().dropFirst() {
      guard let joined = all.joined(with: change) else {
        let other = changes.firstIndex { $0.joined(with: change) == nil } ?? 0
        throw ApolloStore.ReadWriteTransaction.ConflictingCopiesError(
          first: copies[other].path, second: copies[index].path)
      }
      all = joined
    }
    return all.filled
  }

  /// What this copy and another one say together; nil if they differ.
  private func joined(with other: CopyChange) -> CopyChange? {
    if isOpen { return other.isOpen && !filled.isNullOrError ? self : other }
    if other.isOpen { return self }
    // (Also if both are equal: one may show what the other hides.)
    if let elements, let others = other.elements { return Self.joined(elements, others, isNew: isNew && other.isNew) }
    if filled.isSame(as: other.filled) { return self }
    // Where nothing was read, an error may hide what another copy has.
    if isNew, own.isNullOrError, !other.own.isNullOrError { return other }
    if other.isNew, other.own.isNullOrError, !own.isNullOrError { return self }
    return nil
  }

  private static func joined(_ elements: [CopyChange], _ others: [CopyChange], isNew: Bool) -> CopyChange? {
    var (elements, others) = (elements, others)
    if elements.count != others.count {
      // What one of them hides may be gone: the other one says whether it is.
      (elements, others) = (elements.withoutHidden(notIn: others), others.withoutHidden(notIn: elements))
      guard elements.count == others.count else { return nil }
    }
    var joined: [CopyChange] = []
    for (element, other) in zip(elements, others) {
      guard let both = element.joined(with: other) else { return nil }
      joined.append(both)
    }
    return CopyChange(joined, isNew: isNew)
  }
}

extension [CopyChange] {
  /// The elements without those of which the copy does not say what they are, and which another copy does not have.
  fileprivate func withoutHidden(notIn others: [CopyChange]) -> [CopyChange] {
    filter { element in !element.isOpen || others.contains { $0.filled.isSame(as: element.filled) } }
  }
}

extension ModelRecords.Value {
  /// How many elements on all levels are null or an error.
  fileprivate var nullCount: Int {
    guard case .list(let values) = self else { return isNullOrError ? 1 : 0 }
    return values.reduce(0) { $0 + $1.nullCount }
  }
}
