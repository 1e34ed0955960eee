extension RequestConfiguration {
  /// How much of a body has been sent or received.
  public struct TransferProgress: Hashable, Sendable {
    /// Which body is meant.
    public enum Direction: Hashable, Sendable {
      /// The body of the request.
      case upload
      /// The body of the response.
      case download
    }

    /// Which body is meant.
    public let direction: Direction
    /// How many bytes have been sent or received so far.
    public let completed: Int64
    /// How many bytes there are in all; nil if the server does not say it.
    public let total: Int64?

    /// Makes a report of progress.
    ///
    /// - Parameters:
    ///   - direction: Which body is meant.
    ///   - completed: How many bytes have been sent or received so far.
    ///   - total: How many bytes there are in all; nil if it is not known.
    public init(_ direction: Direction, completed: Int64, total: Int64?) {
      self.direction = direction
      self.completed = completed
      self.total = total
    }
  }
}
