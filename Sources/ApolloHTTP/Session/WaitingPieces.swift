import ApolloOperations
import ApolloTransport
import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The pieces of a body that have come and were not read yet.
///
/// It does not hold the stream of them: when the last reader lets go of that, nothing more is to come.
final class WaitingPieces: Sendable {
  private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  private let limit: ResponseLimits.Exceeded
  private let waiting: Locked<WaitingBytes>
  private let stop: @Sendable () -> Void

  /// - Parameters:
  ///   - limit: How many bytes may wait.
  ///   - response: The response, for the error.
  ///   - stop: Called when nothing more is to come.
  /// - Returns: The stream of the pieces, and where they are added.
  static func make(
    limit: Int, of response: HTTPURLResponse, stop: @escaping @Sendable () -> Void
  ) -> (AsyncThrowingStream<Data, any Error>, WaitingPieces) {
    let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(.max))
    continuation.onTermination = { reason in
      if case .cancelled = reason { stop() }
    }
    let exceeded = ResponseLimits.Exceeded(.waitingSize, limit, url: response.url)
    return (stream, WaitingPieces(continuation, WaitingBytes(limit: limit), exceeded, stop))
  }

  /// The pieces of a sequence, which a task reads as fast as they come, until too many bytes wait.
  ///
  /// - Parameters:
  ///   - chunks: The sequence.
  ///   - limit: How many bytes may wait.
  ///   - response: The response, for the error.
  /// - Returns: The stream of the pieces. When it is let go, the sequence is no longer read.
  static func read(
    _ chunks: some AsyncChunkSequence, limit: Int, of response: HTTPURLResponse
  ) -> AsyncThrowingStream<Data, any Error> {
    let reading = Locked<Task<Void, Never>?>(nil)
    let (stream, pieces) = make(limit: limit, of: response) { reading.withLock { $0 }?.cancel() }
    reading.withLock { task in
      task = Task {
        do {
          for try await chunk in chunks {
            pieces.add(chunk)
            // The sequence may not look whether its task is cancelled.
            try Task.checkCancellation()
          }
          pieces.finish(throwing: nil)
        } catch {
          pieces.finish(throwing: error)
        }
      }
    }
    return stream
  }

  private init(
    _ continuation: AsyncThrowingStream<Data, any Error>.Continuation, _ waiting: WaitingBytes,
    _ limit: ResponseLimits.Exceeded, _ stop: @escaping @Sendable () -> Void
  ) {
    self.continuation = continuation
    self.waiting = Locked(waiting)
    self.limit = limit
    self.stop = stop
  }

  func add(_ piece: Data) {
    let result = continuation.yield(piece)
    guard case .enqueued(let remaining) = result, waiting.withLock({ $0.isExceeded(by: piece.count, remaining) }) else {
      return
    }
    continuation.finish(throwing: limit)
    stop()
  }

  func finish(throwing error: (any Error)?) { continuation.finish(throwing: error) }
}
