public import ApolloAPI

extension ApolloStore {
  /// Reads one consistent state of a store. It is valid in the body that it was passed to. After the end of the body,
  /// its functions throw ``ApolloStore/Error/notWithinReadTransaction``.
  ///
  /// A body without `await` uses functions that wait for a backend on a thread of the store. A body with `await` uses
  /// functions that suspend, as in Apollo iOS 2.
  public class ReadTransaction {
    var table: RecordTable
    let backend: BackendCalls?
    let identity: ObjectIdentity
    let schemas: KnownSchemas
    /// Whether records are loaded from the backend when they are needed. Otherwise they are noted.
    private let loads: Bool
    /// The records that were needed and not loaded.
    private(set) var missing: Set<Int32> = []
    private let notesReads: Bool
    /// The fields that were read, if they are noted.
    private(set) var reads = RetainedFields()
    private var isOver = false
    /// Gives the key that is meant by a key of the app; nil: the same.
    private var keyResolver: ((CacheKey) -> CacheKey)?

    init(
      of engine: RecordEngine, on table: RecordTable, identity: ObjectIdentity, loads: Bool = false,
      notesReads: Bool = false
    ) {
      self.table = table
      self.loads = loads
      self.notesReads = notesReads
      backend = engine.backend
      schemas = engine.schemas
      self.identity = identity
    }

    // MARK: Reading

    /// Reads the data of a query.
    ///
    /// - Parameter query: The query to read, with its variables.
    /// - Returns: The data of the query.
    /// - Throws: `ResponseDecodingError`, which names the first field that the cache does not have; what a backend
    ///   throws; and ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
      try read(ReadRequest(query))
    }

    /// Reads the data of a query, in a body with `await`.
    ///
    /// - Parameter query: The query to read, with its variables.
    /// - Returns: The data of the query.
    /// - Throws: `ResponseDecodingError`, which names the first field that the cache does not have; what a backend
    ///   throws; and ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func read<Query: GraphQLQuery>(query: Query) async throws -> Query.Data {
      try await read(ReadRequest(query))
    }

    /// Reads one object.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - key: The key of the object's record, such as `Droid:2001`, or a path to the object, such as
    ///     `QUERY_ROOT.hero.friends.0`. Fields with arguments are written as in ``ApolloStore/dump()``.
    ///   - variables: The values of variables for fields with arguments. The default is none.
    /// - Returns: The object.
    /// - Throws: `ResponseDecodingError` that names the first field the cache does not have, what a backend throws, and
    ///   ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func readObject<Object: SelectionSet>(
      ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none
    ) throws -> Object {
      try read(ReadRequest(key: resolved(key), variables: variables, schema: identity.schema))
    }

    /// Reads one object, in a body with `await`.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - key: The key of the object's record, such as `Droid:2001`, or a path to the object, such as
    ///     `QUERY_ROOT.hero.friends.0`. Fields with arguments are written as in ``ApolloStore/dump()``.
    ///   - variables: The values of variables for fields with arguments. The default is none.
    /// - Returns: The object.
    /// - Throws: `ResponseDecodingError` that names the first field the cache does not have, what a backend throws, and
    ///   ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func readObject<Object: SelectionSet>(
      ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none
    ) async throws -> Object {
      try await read(ReadRequest(key: resolved(key), variables: variables, schema: identity.schema))
    }

    func read<Data: SelectionSet>(_ read: ReadRequest<Data>) throws -> Data {
      try complete { try attempt(read) }
    }

    func read<Data: SelectionSet>(_ read: ReadRequest<Data>) async throws -> Data {
      try await complete { try attempt(read) }
    }

    private func attempt<Data: SelectionSet>(_ read: ReadRequest<Data>) throws -> Attempt<Data> {
      schemas.insert(Data.schema)
      let reading = read.run(in: table)
      let missing = backend == nil ? [] : reading.missing(in: table)
      noteReading(at: read.key) { $0.insert(reading.dependencies) }
      return missing.isEmpty ? .done(try reading.data.get()) : .missing(missing)
    }

    /// Notes what leads to an object, and what is read of it.
    func noteReading(at key: CacheKey, _ insert: (inout RetainedFields) -> Void) {
      guard notesReads else { return }
      for (record, field) in table.fields(onPathTo: key) { reads.insert(field, of: record) }
      insert(&reads)
    }

    // MARK: The backend

    /// Tries work until everything that it needs has been loaded from the backend. The thread of the store waits for
    /// that.
    func complete<Value>(_ attempt: () throws -> Attempt<Value>) throws -> Value {
      while true {
        try checkIsOpen()
        switch try attempt() {
        case .done(let value): return value
        case .missing(let numbers):
          guard loads else {
            missing.formUnion(numbers)
            throw RecordsNotLoaded()
          }
          let unloaded = table.unloaded(of: numbers), names = table.records.keys
          guard let backend else { continue }
          table.fill(unloaded, with: try backend.wait { try await backend.load(unloaded.keys, numberedBy: names) })
        }
      }
    }

    /// Tries work until everything that it needs has been loaded from the backend.
    func complete<Value>(_ attempt: () throws -> Attempt<Value>) async throws -> Value {
      while true {
        try checkIsOpen()
        switch try attempt() {
        case .done(let value): return value
        case .missing(let numbers):
          guard let backend else { continue }
          try await table.fill(numbers, from: backend)
        }
      }
    }

    // MARK: Keys

    /// Has keys that the app names stand for others from now on, such as keys with temporary ids for those with ids of
    /// the server.
    package func resolvesKeys(_ resolve: @escaping (CacheKey) -> CacheKey) { keyResolver = resolve }

    func resolved(_ key: CacheKey) -> CacheKey { keyResolver?(key) ?? key }

    // MARK: Its end

    func checkIsOpen() throws {
      if isOver { throw ApolloStore.Error.notWithinReadTransaction }
    }

    /// Ends the transaction: from here on, all functions throw.
    func end() { isOver = true }
  }
}

/// A transaction that runs again when more records have been loaded cannot go on.
private struct RecordsNotLoaded: Error, CustomStringConvertible {
  var description: String { "The backend of the cache could not be asked for a record." }
}
