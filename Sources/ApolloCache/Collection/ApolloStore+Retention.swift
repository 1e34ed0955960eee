public import ApolloAPI

extension ApolloStore {
  /// Keeps what an operation reads from collections, until it is released, in words or by its last owner.
  public final class Retention: Sendable {
    private let id: Locked<UInt64?>
    private let engine: RecordEngine

    fileprivate init(_ id: UInt64, _ engine: RecordEngine) {
      self.id = Locked(id)
      self.engine = engine
    }

    /// Ends it. The operation is one of the last released ones for a while; see ``ApolloStore/releaseBufferSize``.
    public func release() {
      guard
        let id = id.withLock({ id in
          defer { id = nil }
          return id
        })
      else { return }
      engine.retentions.withLock { $0.release(id) }
    }

    deinit { release() }
  }

  /// Keeps what an operation reads from collections: a collection removes no record and no field that reading the
  /// operation reaches at that time, however old it is. Reading goes on behind a value that is missing, from the nearest
  /// field or element around it that may be null. Limits of memory still apply.
  ///
  ///     let retention = store.retain(TicketQuery(id: "7"))
  ///
  /// - Parameter operation: The operation, with its variables.
  /// - Returns: What keeps it. It ends with ``Retention/release()``, or with its last reference.
  public func retain<Operation: GraphQLOperation>(_ operation: Operation) -> Retention {
    var request = ReadRequest(operation)
    // (So that it reads on behind a value that is missing.)
    request.missingValues = .areReported
    let reader = Retentions.Reader(
      operation: Retentions.Identity(type: ObjectIdentifier(Operation.self), variables: operation.variables)
    ) { [request] table in
      let reading = request.run(in: table)
      return (reading.dependencies, reading.missing(in: table))
    }
    return Retention(engine.retentions.withLock { $0.add(reader) }, engine)
  }

  /// How many of the operations that were released last are still kept from collections. The default is 10.
  public var releaseBufferSize: Int {
    get { engine.retentions.withLock { $0.bufferSize } }
    set { engine.retentions.withLock { $0.bufferSize = max(0, newValue) } }
  }
}

extension RecordEngine {
  /// Reads the retained operations. What has to be loaded for that from a backend is not kept.
  func retainedFields(in start: RecordTable) async throws -> RetainedFields {
    var retained = RetainedFields(), table = start
    for reader in retentions.withLock({ $0.readers }) {
      while true {
        let (dependencies, missing) = reader.read(table)
        if let backend, !missing.isEmpty {
          try await table.fill(missing, from: backend)
        } else {
          retained.insert(dependencies)
          break
        }
      }
    }
    return retained
  }
}
