#if AsyncHTTP
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOPosix

  /// A body to send, from memory or from a file. It can be sent several times.
  struct RequestBody: Sendable {
    private enum Source {
      case memory(Data)
      case file(URL)
    }

    private static let pieceSize = 1 << 17

    private let source: Source
    private let length: Int

    init(_ data: Data) {
      source = .memory(data)
      length = data.count
    }

    /// - Throws: An error if there is no such file.
    init(file: URL) throws {
      source = .file(file)
      length = Int(clamping: try FileHandle(forReadingFrom: file).seekToEnd())
    }

    /// The body for one request.
    ///
    /// - Parameter progress: Called before each piece is sent.
    /// - Returns: The body; nil if it is empty.
    func sent(_ progress: @escaping @Sendable () -> Void) -> HTTPClientRequest.Body? {
      if length == 0 { return nil }
      if case .memory(let data) = source, data.count <= Self.pieceSize { return .bytes(ByteBuffer(bytes: data)) }
      return .stream(Pieces(source: source, progress: progress), length: .known(Int64(length)))
    }

    private struct Pieces: AsyncSequence, Sendable {
      let source: Source
      let progress: @Sendable () -> Void

      func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }
    }

    private struct Iterator: AsyncIteratorProtocol {
      let pieces: Pieces
      var offset = 0
      /// Open while the body is sent.
      var handle: FileHandle?

      init(pieces: Pieces) { self.pieces = pieces }

      mutating func next() async throws -> ByteBuffer? {
        pieces.progress()
        let piece: Data
        switch pieces.source {
        case .memory(let data):
          piece = data.dropFirst(offset).prefix(pieceSize)
        case .file(let file):
          let handle = try handle ?? FileHandle(forReadingFrom: file)
          self.handle = handle
          // (Reading waits for the disk, and the threads of tasks must not wait.)
          piece = try await NIOThreadPool.singleton.runIfActive { try handle.read(upToCount: pieceSize) } ?? Data()
        }
        offset += piece.count
        return piece.isEmpty ? nil : ByteBuffer(bytes: piece)
      }
    }
  }
#endif
