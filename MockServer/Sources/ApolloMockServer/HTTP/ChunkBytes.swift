import Apollo
import FlyingSocks
import Foundation

/// The bytes of a body, as they come.
struct ChunkBytes: AsyncBufferedSequence {
  typealias Element = UInt8
  let chunks: AsyncThrowingStream<Data, any Error>

  init(_ chunks: some AsyncChunkSequence) {
    self.chunks = AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await chunk in chunks { continuation.yield(chunk) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  init(failingWith error: any Error) {
    chunks = AsyncThrowingStream { $0.finish(throwing: error) }
  }

  /// The whole body.
  func joined() async throws -> Data {
    var body = Data()
    for try await chunk in chunks { body.append(chunk) }
    return body
  }

  func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var chunks: AsyncThrowingStream<Data, any Error>.Iterator
    private var rest = Data()

    init(chunks: AsyncThrowingStream<Data, any Error>.Iterator) { self.chunks = chunks }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      // (A piece without bytes would end the body.)
      while rest.isEmpty {
        guard let chunk = try await chunks.next() else { return nil }
        rest = chunk
      }
      let piece = rest.prefix(count)
      rest = rest.dropFirst(piece.count)
      return piece
    }
  }
}
