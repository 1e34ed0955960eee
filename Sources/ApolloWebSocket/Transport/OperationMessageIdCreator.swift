import ApolloAPI

/// Makes the identifiers of the operations on a connection. It is called from any thread.
public protocol OperationMessageIdCreator {
  /// An identifier that no other running operation of the transport has.
  func requestId() -> String
}

/// Makes the identifiers of operations by counting: `1`, `2`, `3` and so on.
public struct ApolloSequencedOperationMessageIdCreator: OperationMessageIdCreator, Sendable {
  private let next: Locked<Int>

  /// Makes a creator.
  ///
  /// - Parameter sequenceNumber: The first number. The default is 1.
  public init(startAt sequenceNumber: Int = 1) { next = Locked(sequenceNumber) }

  /// The next number.
  public func requestId() -> String {
    next.withLock { next in
      defer { next += 1 }
      return String(next)
    }
  }
}
