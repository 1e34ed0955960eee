import ApolloAPI

/// Makes the ids by which the operations on a connection are told apart. It is called from any thread.
public protocol OperationMessageIdCreator {
  /// An id that no other running operation of the transport has.
  func requestId() -> String
}

/// Counts.
public struct ApolloSequencedOperationMessageIdCreator: OperationMessageIdCreator, Sendable {
  private let next: Locked<Int>

  public init(startAt sequenceNumber: Int = 1) { next = Locked(sequenceNumber) }

  public func requestId() -> String {
    next.withLock { next in
      defer { next += 1 }
      return String(next)
    }
  }
}
