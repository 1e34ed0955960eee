package import ApolloAPI

/// The place of an operation in the order of sending, for as long as it is held: until it has its last answer.
package final class SendingTicket: Sendable {
  let number: UInt64
  /// When the operation was asked for.
  package let asked: StoreEpoch
  private let isMutation: Bool
  private let engine: RecordEngine

  init(_ engine: RecordEngine, asked: StoreEpoch, isMutation: Bool) {
    self.engine = engine
    self.asked = asked
    self.isMutation = isMutation
    number = engine.sendingOrder.withLock { $0.begin() }
  }

  /// Takes the place of an operation that is sent now, although it was sent before. It is the same place if no other
  /// operation has begun since. What its answer has brought so far comes again, and is as new then.
  package func renew() { engine.sendingOrder.withLock { $0.renew(number) } }

  /// Ends it. After that, what later operations have written need not be remembered for it.
  deinit { engine.sendingOrder.withLock { $0.end(number) } }

  /// What has to be known for writing its answer; nil if it is in order, or of another store.
  func write(in engine: RecordEngine) -> OrderedWrite? {
    self.engine === engine ? engine.sendingOrder.withLock { $0.write(of: number, isMutation: isMutation) } : nil
  }

  /// Notes that more parts of the answer follow the one that is written next. Each part is the whole answer so far.
  package func expectParts() { engine.sendingOrder.withLock { $0.expectParts(of: number) } }

  /// What has become of the parts of its answer; nil if that has no parts, or if it is of another store.
  func parts(in engine: RecordEngine) -> MergedParts? {
    self.engine === engine ? engine.sendingOrder.withLock { $0.parts(of: number) } : nil
  }
}

extension ApolloStore {
  /// Whether the answer to an operation leaves fields as they are that an operation has written which was sent later. The
  /// default is true.
  ///
  /// So a list that was asked for before a mutation, and comes after its result, does not undo what the mutation has
  /// changed. A mutation leaves only what a later mutation has written. The event of a subscription counts as sent when
  /// it comes. Pages, and fields that a `FieldPolicy.Merger` merges, are merged in any case. Which fields are left is
  /// known only as long as an earlier operation is under way.
  public var appliesResultsInSendingOrder: Bool {
    get { engine.sendingOrder.withLock { $0.isOn } }
    set { engine.sendingOrder.withLock { $0.isOn = newValue } }
  }

  /// Takes the next place in the order of sending.
  ///
  /// - Parameters:
  ///   - type: The type of the operation.
  ///   - asked: When the operation was asked for. By default it is asked for now.
  /// - Returns: The place.
  package func beginSending(_ type: GraphQLOperationType, asked: StoreEpoch = .current) -> SendingTicket {
    SendingTicket(engine, asked: asked, isMutation: type == .mutation)
  }
}
