package import ApolloAPI
package import Foundation

/// The objects of a response.
package enum ResponseRecords {
  /// The objects as they were read.
  case read(RecordBatchTransfer)
  /// The objects after an interceptor of the app has read or changed them.
  case own(RecordSet)
}

extension ApolloStore {
  /// Merges the objects of a response.
  ///
  /// - Parameters:
  ///   - records: The objects.
  ///   - origin: Identifies the writer: observers with this identifier are not told. nil: all observers are.
  ///   - leavesOutNulls: Whether nulls are not merged.
  ///   - lifetime: How long the values may be kept of which the response does not say it. nil: for ever.
  ///   - completion: The end of a mutation's guess, which happens in the same commit. nil: there was none.
  ///   - ticket: The place of the operation in the order of sending. nil: it has none.
  /// - Returns: The error that the backend or the end of the guess threw; nil if there was none. The objects are in memory
  ///   even if the backend threw.
  package func publish(
    _ records: ResponseRecords, origin: UUID?, leavesOutNulls: Bool, lifetime: Lifetime?,
    completing completion: OptimisticUpdate.Completion?, sent ticket: SendingTicket?
  ) async -> (any Swift.Error)? {
    switch records {
    case .read(let batch):
      await publish(
        batch, origin: origin, leavesOutNulls: leavesOutNulls, lifetime: lifetime, completing: completion,
        sent: ticket)
    case .own(let records):
      await publish(
        Self.changed(records, leavesOutNulls: leavesOutNulls, lifetime), origin: origin, completing: completion,
        sent: ticket)
    }
  }

  /// Merges the objects of a response after the writes that were asked for before, and does not wait for that.
  package func publishLater(
    _ records: ResponseRecords, leavesOutNulls: Bool, lifetime: Lifetime?, sent ticket: SendingTicket?
  ) {
    switch records {
    case .read(let batch): publishLater(batch, leavesOutNulls: leavesOutNulls, lifetime: lifetime, sent: ticket)
    case .own(let records):
      publishLater(Self.changed(records, leavesOutNulls: leavesOutNulls, lifetime), sent: ticket)
    }
  }

  /// Merges records that an app has made of a response, after the writes that were asked for before, and does not wait for
  /// that.
  func publishLater(_ records: RecordSet, sent ticket: SendingTicket?) {
    let rules = rules()
    engine.whenTurnComes(
      { [engine] in try await engine.publish(records, origin: nil, rules: rules, sent: ticket) }, { _ in })
  }

  /// Merges records that an app has made of a response.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - origin: Identifies the writer: observers with this identifier are not told. nil: all observers are.
  ///   - completion: The end of a mutation's guess, which happens in the same commit. nil: there was none.
  ///   - ticket: The place of the operation in the order of sending. nil: it has none.
  /// - Returns: The error that the backend or the end of the guess threw; nil if there was none.
  func publish(
    _ records: RecordSet, origin: UUID?, completing completion: OptimisticUpdate.Completion?,
    sent ticket: SendingTicket?
  ) async -> (any Swift.Error)? {
    let rules = rules()
    do {
      try await engine.inTurn("publish(records:)") {
        try await engine.publish(records, origin: origin, rules: rules, completing: completion, sent: ticket)
      }
      return nil
    } catch {
      return error
    }
  }

  /// The data of a response, with local fields as the cache has them. Nothing is written.
  ///
  /// - Parameters:
  ///   - data: The data, whose local fields are nil.
  ///   - operation: The operation.
  /// - Returns: The data; nil if the cache cannot be asked.
  package func addingLocalFields<Operation: GraphQLOperation>(
    to data: Operation.Data, of operation: Operation
  ) async -> Operation.Data? {
    try? await engine.inTurn("perform(mutation:)") {
      // What it writes is seen by its own read only.
      let transaction = ApolloStore.ReadWriteTransaction(
        of: engine, on: engine.view, identity: identity, loads: true)
      defer { transaction.end() }
      try await transaction.write(data: data, for: operation)
      return try await transaction.read(ReadRequest(operation))
    }
  }

  /// The objects of an app's interceptor, as they are written.
  private static func changed(_ records: RecordSet, leavesOutNulls: Bool, _ lifetime: Lifetime?) -> RecordSet {
    let records = leavesOutNulls ? records.withoutNulls : records
    return lifetime.map { records.keeping($0) } ?? records
  }
}
