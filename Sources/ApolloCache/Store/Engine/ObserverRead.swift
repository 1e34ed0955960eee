import ApolloAPI

/// What an observer reads: one object, or several of one state.
protocol ObserverRead: Sendable {
  associatedtype Reading: ObserverReading

  /// Reads from a table.
  func run(in table: RecordTable, _ ages: AgeRules.Settings?) -> Reading

  /// Loads what a reading lacks from the backend.
  ///
  /// - Parameters:
  ///   - engine: Takes the records.
  ///   - reading: What was read. Takes the error that the backend throws.
  ///   - table: The table that was read.
  /// - Returns: False if the backend has thrown an error.
  func load(into engine: RecordEngine, _ reading: inout Reading, of table: RecordTable) async -> Bool
}

/// What an observer has read.
protocol ObserverReading {
  var dependencies: Dependencies { get }
  /// When the first field will be, or was, older than it may be, in seconds since 1970; nil if none ever is.
  var earliestExpirySeconds: UInt32? { get }

  /// The records that a backend was not asked for.
  func missing(in table: RecordTable) -> Set<Int32>

  /// Notes the error that the backend has thrown.
  mutating func note(_ backendError: any Error)

  /// Whether something is missing.
  var isIncomplete: Bool { get }

  /// Notes what the records have without the changes of layers.
  mutating func compare(with base: Self)

  /// Whether something is missing only because of layers.
  var isMissOfLayers: Bool { get }

  /// Notes what the records had when the observer itself wrote to them; nil: not all that it wrote.
  mutating func compare(withOwn state: Self?)

  /// Counts the read, and notes what it has used.
  func note(in engine: RecordEngine, _ table: RecordTable)
}

extension ObserverReading {
  /// Whether there are records that a backend was not asked for.
  func needsBackend(after table: RecordTable) -> Bool { !missing(in: table).isEmpty }
}

extension ReadRequest: ObserverRead {
  func load(into engine: RecordEngine, _ reading: inout ReadResult<Data>, of table: RecordTable) async -> Bool {
    reading.backendError = await engine.read(self).backendError
    return reading.backendError == nil
  }
}

extension ReadResult: ObserverReading {
  var earliestExpirySeconds: UInt32? { ages?.earliestExpiry }

  mutating func note(_ backendError: any Error) { self.backendError = backendError }

  var isIncomplete: Bool { !isHit }

  mutating func compare(withOwn state: ReadResult?) { isOvertaken = !isHit && state?.isHit ?? true }

  func note(in engine: RecordEngine, _ table: RecordTable) { engine.note(self, in: table) }
}

extension Array: ObserverRead where Element: ObserverRead {
  func run(in table: RecordTable, _ ages: AgeRules.Settings?) -> [Element.Reading] {
    map { $0.run(in: table, ages) }
  }

  func load(into engine: RecordEngine, _ readings: inout [Element.Reading], of table: RecordTable) async -> Bool {
    for (index, read) in enumerated() where readings[index].needsBackend(after: table) {
      guard await read.load(into: engine, &readings[index], of: table) else { return false }
    }
    return true
  }
}

extension Array: ObserverReading where Element: ObserverReading {
  var dependencies: Dependencies {
    reduce(into: Dependencies()) { $0.add($1.dependencies) }
  }

  var earliestExpirySeconds: UInt32? { lazy.compactMap(\.earliestExpirySeconds).min() }

  func missing(in table: RecordTable) -> Set<Int32> {
    reduce(into: []) { $0.formUnion($1.missing(in: table)) }
  }

  mutating func note(_ backendError: any Error) {
    for index in indices where self[index].isIncomplete { self[index].note(backendError) }
  }

  mutating func compare(with base: [Element]) {
    for index in indices where index < base.count { self[index].compare(with: base[index]) }
  }

  var isIncomplete: Bool { contains(where: \.isIncomplete) }

  var isMissOfLayers: Bool { contains(where: \.isMissOfLayers) }

  mutating func compare(withOwn state: [Element]?) {
    for index in indices where index < state?.count ?? count { self[index].compare(withOwn: state?[index]) }
  }

  func note(in engine: RecordEngine, _ table: RecordTable) {
    for reading in self { reading.note(in: engine, table) }
  }
}
