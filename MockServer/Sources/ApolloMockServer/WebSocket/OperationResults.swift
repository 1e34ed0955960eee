import Apollo
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
  ///   - session: Is given the request.
  /// - Returns: Each result, as it comes.
  /// - Throws: What the session throws. The sequence throws if a result is not JSON.
  static func of(
    _ payload: GraphQLValue, _ session: any ApolloURLSession
  ) async throws -> AsyncThrowingStream<GraphQLValue, any Error> {
    var request = URLRequest(url: URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/"))
    request.httpMethod = "POST"
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
  private var rest = Data()

  /// Reads the next bytes.
  ///
  /// - Parameter chunk: The bytes.
  /// - Returns: The data of each event that ends in them and has some.
  mutating func read(_ chunk: Data) -> [Data] {
    rest.append(chunk)
    var events: [Data] = []
    while let end = rest.range(of: Data("\n\n".utf8)) {
      let lines = rest[..<end.lowerBound].split(separator: UInt8(ascii: "\n"))
      let data = lines.filter { $0.starts(with: Data("data:".utf8)) }.map { $0.dropFirst(5).drop { $0 == 0x20 } }
      let joined = Data(data.joined(separator: [0x0A]))
      if !joined.isEmpty { events.append(joined) }
      rest = Data(rest[end.upperBound...])
    }
    return events
  }
}
