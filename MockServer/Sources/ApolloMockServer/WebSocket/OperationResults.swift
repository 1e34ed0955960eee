import Apollo
import FlyingFox
import Foundation
import GraphQLExecution

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Executes operations of WebSockets over HTTP, where they are answered as a stream of events.
enum OperationResults {
  /// Sends an operation.
  ///
  /// - Parameters:
  ///   - payload: The request: `query`, `variables`, `operationName` and `extensions`.
  ///   - headers: The header fields that say who asks.
  ///   - session: Is given the request.
  /// - Returns: Each result, as it comes.
  /// - Throws: What the session throws. The sequence throws if a result is not JSON, or breaks off.
  static func of(
    _ payload: GraphQLValue, headers: HTTPHeaders, _ session: any ApolloURLSession
  ) async throws -> AsyncThrowingStream<GraphQLValue, any Error> {
    var request = URLRequest(url: URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/"))
    request.httpMethod = "POST"
    for (name, value) in headers { request.addValue(value, forHTTPHeaderField: name.rawValue) }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("text/event-stream, application/json", forHTTPHeaderField: "Accept")
    request.httpBody = Data(payload.json)
    let (chunks, response) = try await session.chunks(for: request), bytes = ChunkBytes(chunks)
    let type = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type") ?? ""
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          if type.hasPrefix("text/event-stream") {
            var events = EventLines()
            for try await chunk in bytes.chunks {
              for data in events.read(chunk) { continuation.yield(try GraphQLValue(json: Array(data))) }
            }
            try events.finish()
          } else {
            continuation.yield(try GraphQLValue(json: Array(try await bytes.joined())))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// Takes the data of events out of an [event stream](https://html.spec.whatwg.org/multipage/server-sent-events.html).
struct EventLines {
  /// The error for a stream that ends within an event.
  struct PrematureEnd: Error, CustomStringConvertible {
    let description = "The event stream ends within an event."
  }

  private var line = Data()
  private var isAfterCarriageReturn = false
  /// The lines of data of the event that has begun.
  private var lines: [Data] = []

  /// Reads the next bytes.
  ///
  /// - Parameter chunk: The bytes.
  /// - Returns: The data of each event that ends in them and has some.
  mutating func read(_ chunk: Data) -> [Data] {
    var events: [Data] = []
    for byte in chunk {
      defer { isAfterCarriageReturn = byte == UInt8(ascii: "\r") }
      switch byte {
      // A line ends in LF, CR, or both.
      case UInt8(ascii: "\n") where isAfterCarriageReturn: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if let event = endLine() { events.append(event) }
      default: line.append(byte)
      }
    }
    return events
  }

  /// Ends the stream.
  ///
  /// - Throws: ``PrematureEnd`` if there is an event that an empty line would have ended.
  mutating func finish() throws(PrematureEnd) {
    if endLine() != nil || endLine() != nil { throw PrematureEnd() }
  }

  /// Takes a line.
  ///
  /// - Returns: The data of the event that it ends, if it is empty and the event has some.
  private mutating func endLine() -> Data? {
    defer { line.removeAll(keepingCapacity: true) }
    guard line.isEmpty else {
      let mark = Data("data:".utf8), value = line.dropFirst(mark.count)
      if line.starts(with: mark) { lines.append(Data(value.first == UInt8(ascii: " ") ? value.dropFirst() : value)) }
      return nil
    }
    defer { lines = [] }
    let data = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
    return data.isEmpty ? nil : data
  }
}
