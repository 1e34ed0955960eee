package import ApolloAPI

/// The data that an operation is expected to be answered with, as a transaction writes it.
package struct ExpectedAnswer<Operation: GraphQLOperation> {
  private let data: Operation.Data
  private let operation: Operation
  /// The data as a response, if rules merge a part of it: pages, or functions of the app. nil: all of it replaces what
  /// the cache has.
  private let response: ResponseBytes?

  /// Makes the answer that data is of.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - operation: The operation, with its variables.
  package init(_ data: Operation.Data, of operation: Operation) {
    self.data = data
    self.operation = operation
    var writer = __JSONWriter(variables: operation.variables)
    writer.writeRaw(#"{"data":"#.utf8)
    data.__write(to: &writer)
    writer.writeRaw("}".utf8)
    let response = ResponseBytes(writer.bytes)
    var hasRules = false
    if writer.failure == nil, let batch = Self.batch(of: response, for: operation, ObjectIdentity()) {
      hasRules = RecordTable().hasRules(for: batch)
    }
    self.response = hasRules ? response : nil
  }

  private static func batch(
    of response: ResponseBytes, for operation: Operation, _ identity: ObjectIdentity
  ) -> RecordBatch? {
    let contents = try? ResponseReader.read(
      Operation.Data.self, from: response, variables: operation.variables, rootKey: Operation.operationType.rootKey,
      identity: identity)
    return contents?.records?.take()
  }

  /// Writes the data as the answer would be written, and does to lists what the directives of the operation say.
  ///
  /// - Parameter transaction: Where it is written.
  /// - Throws: What writing data throws, the error of a function of the app that merges fields, and what a backend
  ///   throws.
  package func write(in transaction: ApolloStore.ReadWriteTransaction) throws {
    if let response, let batch = Self.batch(of: response, for: operation, transaction.identity) {
      try transaction.mergeExpected(batch)
    } else {
      try transaction.write(data: data, for: operation)
    }
    // A list that is not there is told with the result.
    _ = try transaction.applyListEdits(of: data, for: operation)
  }
}

extension ApolloStore.ReadWriteTransaction {
  fileprivate func mergeExpected(_ batch: consuming RecordBatch) throws {
    let numbers = table.numbers(of: batch)
    try complete {
      let missing = Set(backend == nil ? [] : numbers.filter { !table.isLoaded($0) })
      return missing.isEmpty ? .done(()) : .missing(missing)
    }
    let merged = table.mergeExpected(batch)
    changes.formUnion(merged)
    if let error = merged.mergerError { throw error }
  }
}

extension RecordTable {
  /// Whether rules merge a part of a batch, or could do it.
  fileprivate func hasRules(for batch: consuming RecordBatch) -> Bool {
    var hasRules = false
    _ = IncomingRecords(batch, in: records, date: FieldDate(), leavesOutNulls: false, nil)
      .forEachRecord { _, _, _, context in hasRules = hasRules || context != nil }
    return hasRules
  }

  /// Merges what a server is expected to answer. It gets no dates, as no server has sent it.
  fileprivate mutating func mergeExpected(_ batch: consuming RecordBatch) -> ChangeSet {
    let incoming = IncomingRecords(batch, in: records, date: FieldDate(), leavesOutNulls: false, nil)
    let hasErrors = incoming.hasErrors
    var changes = ChangeSet()
    changes.mergerError = incoming.forEachRecord { number, record, _, context in
      context?.begin(number, records.dates(of: number))
      merge(record, into: number, dates: RecordDates(), hasErrors: hasErrors, context: context, &changes)
    }
    return changes
  }
}
