package import ApolloAPI
package import Foundation

/// A request to read an object, named by the key of its record or by a path.
struct ReadRequest<Data: SelectionSet>: Sendable {
  var key: CacheKey
  /// The name of the operation; nil if an object is read.
  private var operationName: String?
  /// The number of the record, for the root of an operation; nil if the record is found by its key.
  private var rootNumber: Int32?
  var variables: Variables
  /// The schema with the field policies; nil if the schema of the data is used.
  var schema: (any SchemaMetadata.Type)?
  /// What happens where the cache has no value.
  var missingValues: MissingValues
  /// How much older than its limit a value may be and still be read; nil if ages are not looked at.
  private var staleLimit: StaleLimit?

  // Inlined, as is the one below: each call of a generic function looks up its types at run time.
  @inline(__always)
  init(
    key: CacheKey, variables: Variables, schema: (any SchemaMetadata.Type)? = nil,
    missingValues: MissingValues = .areErrors, staleLimit: StaleLimit? = nil
  ) {
    self.key = key
    self.variables = variables
    self.schema = schema
    self.missingValues = missingValues
    self.staleLimit = staleLimit
  }

  @inline(__always)
  init<Operation: GraphQLOperation>(
    _ operation: Operation, _ staleLimit: StaleLimit? = nil, returnsPartialData: Bool = false
  ) where Data == Operation.Data {
    self.init(
      key: Operation.operationType.rootKey, variables: operation.variables,
      missingValues: returnsPartialData ? .areReported : .areErrors, staleLimit: staleLimit)
    rootNumber = Operation.operationType.rootNumber
    operationName = Operation.operationName
  }

  /// Reads the object.
  ///
  /// - Parameters:
  ///   - table: The records.
  ///   - ages: What the app has set about ages. nil, the default: ages are not looked at.
  /// - Returns: The object, or why it cannot be read.
  func run(in table: RecordTable, _ ages: AgeRules.Settings? = nil) -> ReadResult<Data> {
    let start = ages?.seconds
    let location =
      rootNumber.map { RecordLocation(record: $0) } ?? table.location(of: key)
      ?? RecordLocation(record: table.number(for: key))
    var embedded: (ObjectRecord, FieldKey)?
    if case .field(let field)? = location.steps.first, let object = table.object(at: location) {
      embedded = (object, field)
    }
    let loaded = ResponseReader.load(
      Data.self, root: location.record, embedded: embedded,
      from: table.records, variables: variables, schema: schema,
      ages: ages.flatMap { ages in staleLimit.map { AgeRules(ages, maxStale: $0.seconds, guesses: table.guesses) } },
      missingValues: missingValues)
    return ReadResult(
      key: key, root: location.record, operationName: operationName, loaded: loaded, records: table.records,
      isPart: missingValues == .areReported && !loaded.isHit, times: start.map { ($0, ages?.seconds ?? $0) })
  }
}

/// The result of a ``ReadRequest``.
package struct ReadResult<Data: SelectionSet> {
  private let key: CacheKey
  let root: Int32
  /// The name of the operation; nil if an object was read.
  let operationName: String?
  private let loaded: LoadedData<Data>
  /// The error of a backend that was asked for missing records; nil if there was none.
  package var backendError: (any Error)?
  /// When the read began and ended, in seconds since 1970, by the clock of the store; nil for a read without settings of
  /// ages, as in a transaction.
  package internal(set) var times: (start: Double, end: Double)?
  /// Gives what the cache has without changes that the server has not confirmed. (A closure: data may be large.)
  private var findDataBelowLayers: (() -> Data?)?
  /// What the cache has without changes that the server has not confirmed; nil if there are none, or if it does not
  /// have all of it.
  package var dataBelowLayers: Data? { findDataBelowLayers?() }
  /// What the cache lacks without changes that the server has not confirmed, and the errors that it keeps; nil if there
  /// are no such changes.
  package private(set) var errorsBelowLayers: [GraphQLError]?
  /// Whether something is missing only because of a change that the server has not confirmed.
  package var isMissOfLayers: Bool { !isHit && findDataBelowLayers != nil }
  /// Whether something is missing because another write came between the observer's own write and this read, or because
  /// the observer's own write left something out.
  package internal(set) var isOvertaken = false
  /// Whether something is missing, and the errors say so.
  package let isPart: Bool
  /// When the oldest part of the data was received, in seconds since 1970; 0 if that is not known.
  private let oldestSeconds: UInt32
  /// The fields that are older than they may be and were read nevertheless, as `record.field`.
  package let staleFields: [String]

  init(
    key: CacheKey, root: Int32, operationName: String?, loaded: LoadedData<Data>, records: RecordSnapshot, isPart: Bool,
    times: (start: Double, end: Double)?
  ) {
    self.key = key
    self.root = root
    self.operationName = operationName
    self.loaded = loaded
    self.isPart = isPart
    self.times = times
    let stale = loaded.ages?.staleFields ?? []
    staleFields = stale.isEmpty ? [] : stale.map(records.name(of:)).sorted()
    oldestSeconds = loaded.oldestSeconds ?? records.oldestSeconds(of: loaded.dependencies)
  }

  /// The object, or why it cannot be read.
  package var data: Result<Data, ResponseDecodingError> {
    loaded.isHit ? loaded.data : loaded.data.mapError { $0.naming(key) }
  }

  /// The errors that the cache keeps in place of values.
  package var errors: [GraphQLError] { loaded.errors }

  var dependencies: Dependencies { loaded.dependencies }

  mutating func compare(with base: ReadResult) {
    findDataBelowLayers = base.isHit ? { try? base.data.get() } : nil
    errorsBelowLayers = base.errors
  }

  /// Whether everything was there.
  package var isHit: Bool { loaded.isHit }

  /// The first value that was missing, too old, or of another kind; nil if everything was there.
  package var firstMiss: ResponseDecodingError? { loaded.firstMiss?.naming(key) }

  var ages: AgeFindings? { loaded.ages }

  /// When the oldest part of the data was received.
  package var date: Date? { RecordSnapshot.date(oldestSeconds) }

  /// Whether some field is older than it may be, whether it was read or not.
  package var isStale: Bool { ages?.isStale ?? false }

  /// When the first field will be, or was, older than it may be.
  package var earliestExpiry: Date? { ages?.earliestExpiry.flatMap(RecordSnapshot.date) }

  /// The records that must be loaded from a backend to continue reading.
  ///
  /// If one object of a list is missing, the others may be missing, too. So all objects at the end of one path of
  /// fields are loaded together.
  func missing(in table: RecordTable) -> Set<Int32> {
    if isHit { return [] }
    var missing = table.unloaded(on: key)
    func take(_ number: Int32) -> ObjectRecord? {
      if !table.isLoaded(number) { missing.insert(number) }
      return table[number]
    }
    for read in dependencies.reads where read.record >= 0 { _ = take(read.record) }
    // Records whose fields were read one by one, by functions of the app.
    for field in dependencies.fields where field.record >= 0 { _ = take(field.record) }
    var level = [take(root)].compactMap(\.self)
    for key in loaded.chain {
      var next: [ObjectRecord] = []
      func visit(_ value: RecordValue) {
        switch value {
        case .reference(let number): if let record = take(number) { next.append(record) }
        case .references(let numbers): for number in numbers where number >= 0 { visit(.reference(number)) }
        case .object(let record): next.append(record)
        case .list(let values): for value in values { visit(value) }
        default: break
        }
      }
      for record in level { if let value = record.value(of: key) { visit(value) } }
      level = next
    }
    return missing
  }
}

extension RecordSnapshot {
  static func date(_ seconds: UInt32) -> Date? {
    seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds))
  }
}
