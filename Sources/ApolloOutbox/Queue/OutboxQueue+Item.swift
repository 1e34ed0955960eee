import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

extension OutboxQueue {
  /// A mutation in memory.
  struct Item {
    enum Stage { case waiting, sending, answered, failed }

    var row: Outbox.Row
    /// nil: the app no longer has the operation.
    let work: (any QueuedWork)?
    var stage = Stage.waiting
    /// What the mutation shows in the cache.
    var layer = OptimisticUpdate(id: nil, asked: nil, guess: nil)
    /// The temporary ids in the variables.
    let names: [String]
    /// Sends it.
    var task: Task<Void, Never>?
    /// Gives it up when its time is over; nil: that has no end, or nothing waits for it.
    var timer: Task<Void, Never>?
    /// Until when it is not tried again.
    var retryAt: ContinuousClock.Instant?
    /// What the listeners of the client were told last.
    var told: String?
    /// Whether it was the network that failed, so that the return of the network ends the wait.
    var waitsForNetwork = false
    /// Whether the return of the network has ended the wait before the last try, or made it shorter.
    var isTriedByReturn = false
    /// How often the network has failed in such a try, one after the other: then it is not the network alone that fails.
    var failedReturns = 0
    /// How often it was sent with its key, as far as the server may know.
    var sendingCount: Int
    var ticket: SendingTicket?

    /// - Parameters:
    ///   - row: What is stored of it.
    ///   - work: What sends it; nil if the app no longer has the operation.
    ///   - sendingCount: See ``sendingCount``.
    init(_ row: Outbox.Row, _ work: (any QueuedWork)?, sendingCount: Int = 0) {
      self.row = row
      self.sendingCount = sendingCount
      self.work = work
      names = LocalIDs.all(in: row.variables).filter { $0 != row.localID }
    }

    /// Whether the server may have got it before this try.
    var isRepeated: Bool { sendingCount > 1 }

    mutating func renewKey() {
      row.idempotencyKey = UUID().uuidString.lowercased()
      sendingCount = 0
    }
  }
}

extension OutboxQueue.Item {
  /// When the mutation is of no use any more; nil: never.
  var expiry: Date? { row.policy.expiresAfter.map { row.date.addingTimeInterval($0) } }

  /// Whether it waits for an answer, and shows what it will change.
  var isUnanswered: Bool { stage == .waiting || stage == .sending }

  /// Whether it was given up because of another one.
  var isDropped: Bool { stage == .failed && row.failure?.code == ApolloErrorCode.scopeDropped.description }

  /// Whether its scope waits until it is tried again or dismissed.
  var pausesScope: Bool { stage == .failed && row.policy.onFailure == .pauseScope && !isDropped }

  /// Why it cannot be sent in this launch; nil: it can.
  var problem: OperationError? {
    if work == nil {
      return OperationError(
        .unknownOperation,
        "The app no longer has the mutation '\(row.operationName)', which an earlier version of it has enqueued.",
        operationName: row.operationName)
    }
    // Without its files it is another mutation.
    guard let failure = row.failure, failure.code == ApolloErrorCode.storage.description else { return nil }
    return failure.error(of: row.operationName)
  }
}
