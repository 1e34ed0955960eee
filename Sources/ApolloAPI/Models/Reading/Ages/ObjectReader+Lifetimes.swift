// How long the fields of a response may be kept, where that differs from field to field.

/// The lifetimes that are known before their objects end.
final class PendingLifetimes {
  /// A table through which the object of a frame is read.
  struct Table {
    let frame: Int
    let table: UnownedTable
    let keys: UnownedList<FieldKey>
  }

  /// What is known of a field of the object of a frame by the objects that it leads to: those without a key, and those of
  /// which nothing may be stored.
  struct Embedded {
    let frame: Int
    let key: FieldKey
    let lifetime: Lifetime
  }

  /// The first object that a field of the object of a frame leads to.
  struct Child {
    let frame: Int
    let key: FieldKey
    let type: TypeSymbol
  }

  /// What the server said of single fields; nil if it said nothing.
  var hints: LifetimeHints?
  /// What the app says of ages; nil if it is not asked.
  var answers: AgeAnswers?
  /// How old values may be of which nothing else says it.
  var defaultMaxAge: UInt32?
  var leavesOutPrivate = false
  /// The type of the root, which need not have been asked for its type.
  var rootType = TypeSymbol.unknown
  var tables: [Table] = []
  var embedded: [Embedded] = []
  var children: [Child] = []

  /// Takes the fields with objects of the object of a frame, and the types of the first objects.
  func takeChildren(of frame: Int) -> [FieldKey: TypeSymbol] {
    var taken: [FieldKey: TypeSymbol] = [:]
    while let last = children.last, last.frame == frame {
      children.removeLast()
      taken[last.key] = last.type
    }
    return taken
  }
}

extension __ObjectReader {
  /// Whether lifetimes have to be found for what is read through a table.
  @inline(__always) func notesLifetimes(_ table: __FieldTable.Storage) -> Bool {
    table.hasZeroAge || sink.lifetimes != nil
  }

  /// Finds lifetimes by some rules.
  mutating func prepareLifetimes(_ rules: LifetimeRules, rootKey: String) {
    guard rules.areAlwaysAsked else { return }
    let pending = sink.makeLifetimes()
    pending.answers = rules.ages.map { AgeAnswers($0) }
    pending.defaultMaxAge = rules.ages?.defaultMaxAge
    pending.leavesOutPrivate = rules.leavesOutPrivate
    let root = GraphQLOperationType.allCases.firstIndex { $0.rootKey == rootKey }
    pending.rootType = root.map { .ofRoot(Int32($0)) } ?? .unknown
  }

  /// Notes the table through which the current object is read from here on.
  @inline(never) mutating func noteTableForLifetimes() {
    sink.makeLifetimes().tables.append(
      PendingLifetimes.Table(frame: frames.count - 1, table: frames.top.table, keys: frames.top.keys))
  }

  /// Takes the lifetimes of the fields of the object that ends.
  @inline(never) mutating func takeLifetimes() -> [FieldKey: Lifetime] {
    var lifetimes: [FieldKey: Lifetime] = [:]
    guard let pending = sink.lifetimes else { return lifetimes }
    let frame = frames.count - 1, children = pending.takeChildren(of: frame)
    let (hints, inherited) = pending.hints?.hints(at: path(of: frame)) ?? (nil, nil)
    while let last = pending.tables.last, last.frame == frame {
      let table = last.table.table, ages = table.ages
      let object = maxAge(of: frame, through: ages, pending)
      let isPrivate = pending.leavesOutPrivate && self.isPrivate(frame, through: ages)
      for i in 0..<table.count where i < last.keys.count {
        let key = last.keys[i]
        var lifetime = hints?.lifetime(of: table.fields[i].responseKey) ?? inherited
        if isPrivate || pending.leavesOutPrivate && ages?.privateFields.contains(i) == true {
          lifetime = Lifetime.notStored.joined(with: lifetime)
        } else if key != .typename,
          maxAge(ofField: i, key, in: frame, ages, object: object, leadingTo: children[key], pending) == 0
        {
          lifetime = Lifetime.inMemory.joined(with: lifetime)
        }
        if let lifetime { lifetimes[key] = lifetime.joined(with: lifetimes[key]) }
      }
      pending.tables.removeLast()
    }
    while let last = pending.embedded.last, last.frame == frame {
      pending.embedded.removeLast()
      lifetimes[last.key] = last.lifetime.joined(with: lifetimes[last.key])
    }
    return lifetimes
  }

  /// Notes that the field that is being read leads to objects.
  mutating func noteChild(_ type: TypeSymbol) throws(__ReadError) {
    let child = PendingLifetimes.Child(frame: frames.count - 1, key: try currentKey(), type: type)
    sink.makeLifetimes().children.append(child)
  }

  /// Keeps the lifetimes of an object that has ended: with its record, or with the field that it is in.
  mutating func keep(_ lifetimes: [FieldKey: Lifetime], of value: RecordValue) throws(__ReadError) {
    var strictest: Lifetime?
    if case .reference(let number) = value {
      sink.batch.setLifetimes(lifetimes, of: number)
      // A reference to what is not there would be read as null.
      if lifetimes[.typename] == .notStored { strictest = .notStored }
    } else {
      for lifetime in lifetimes.values { strictest = lifetime.joined(with: strictest) }
    }
    guard let strictest else { return }
    sink.makeLifetimes().embedded.append(
      PendingLifetimes.Embedded(frame: frames.count - 1, key: try currentKey(), lifetime: strictest))
  }

  // MARK: Values that may have no age at all

  /// How many seconds old a field may be, by the rules for reading it from the cache (``lookUpWithAge(_:_:)``).
  ///
  /// - Parameters:
  ///   - i: The position of the field.
  ///   - key: Its key.
  ///   - frame: The frame of its object.
  ///   - ages: What the table says through which the object is read.
  ///   - object: How old the leaves of the object may be.
  ///   - child: The type of the first object that the value leads to; nil if it leads to none.
  ///   - pending: What is known of the response.
  /// - Returns: nil if nothing is said.
  private mutating func maxAge(
    ofField i: Int, _ key: FieldKey, in frame: Int, _ ages: TableAges?, object: UInt32?,
    leadingTo child: TypeSymbol?, _ pending: PendingLifetimes
  ) -> UInt32? {
    var maxAge: UInt32?
    switch declaredAge(ofField: i, key, in: frame, ages, pending) {
    case .seconds(let seconds): maxAge = seconds
    case .ofType(let seconds): maxAge = child.flatMap { pending.answers?.maxAge(of: $0) } ?? seconds
    case .inherited: maxAge = object ?? pending.defaultMaxAge
    case .none:
      maxAge = (child.map { pending.answers?.maxAge(of: $0) } ?? object) ?? pending.defaultMaxAge
    }
    if isLowestOnPath(frame, through: ages), let object { maxAge = min(maxAge ?? object, object) }
    return maxAge
  }

  /// How many seconds old the leaves of an object may be.
  private mutating func maxAge(of frame: Int, through ages: TableAges?, _ pending: PendingLifetimes) -> UInt32? {
    var maxAge = ages?.type ?? pending.tables.first { $0.frame == frame }?.table.table.ages?.type, isOfField = false
    if frame > 0, frames[frame - 1].field < frames[frame - 1].keys.count {
      let outer = frames[frame - 1].table.table.ages, field = frames[frame - 1].field
      switch declaredAge(ofField: field, frames[frame - 1].keys[field], in: frame - 1, outer, pending) {
      case .seconds(let seconds): (maxAge, isOfField) = (seconds, true)
      case .inherited: (maxAge, isOfField) = (self.maxAge(of: frame - 1, through: outer, pending), true)
      case .ofType(let seconds): maxAge = maxAge ?? seconds
      case .none: break
      }
    }
    if !isOfField, let answer = pending.answers?.maxAge(of: type(of: frame, pending)) { maxAge = answer }
    if frame > 0, isLowestOnPath(frame, through: ages),
      let outer = self.maxAge(of: frame - 1, through: frames[frame - 1].table.table.ages, pending)
    {
      maxAge = min(maxAge ?? outer, outer)
    }
    return maxAge
  }

  private func isLowestOnPath(_ frame: Int, through ages: TableAges?) -> Bool {
    if let ages { return ages.isLowestOnPath }
    return frame > 0 && isLowestOnPath(frame - 1, through: frames[frame - 1].table.table.ages)
  }

  private mutating func declaredAge(
    ofField i: Int, _ key: FieldKey, in frame: Int, _ ages: TableAges?, _ pending: PendingLifetimes
  ) -> DeclaredAge {
    if let answers = pending.answers, answers.asksApp {
      let type = type(of: frame, pending)
      if let seconds = pending.answers?.maxAge(of: key, on: type, text: { sink.batch.text(of: key) }) {
        return .seconds(seconds)
      }
    }
    guard let ages, ages.fields.indices.contains(i) else { return .none }
    return ages.fields[i]
  }

  private mutating func type(of frame: Int, _ pending: PendingLifetimes) -> TypeSymbol {
    guard let start = frames[frame].typeStart else { return frame == 0 ? pending.rootType : .unknown }
    return typeNames.symbol(start, frames[frame].typeLength)
  }

  /// Whether an object is for one user, by its type or by a field that leads to it.
  private func isPrivate(_ frame: Int, through ages: TableAges?) -> Bool {
    if ages?.isPrivate == true { return true }
    guard frame > 0 else { return false }
    let outer = frames[frame - 1].table.table.ages
    return outer?.privateFields.contains(frames[frame - 1].field) == true || isPrivate(frame - 1, through: outer)
  }
}
