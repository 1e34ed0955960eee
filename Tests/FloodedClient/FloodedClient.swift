// Subscribes at a server that floods it, and says what came of it and how much memory that took. What takes too much memory
// ends this process, and not that of the tests.

import Apollo
import ApolloWebSocket
import Foundation

struct Flood: GraphQLSubscription {
  static let operationName = "Flood"
  static let operationDocument = OperationDocument("subscription Flood { text }")

  struct Data: SelectionSet, Hashable {
    var text: String?
    static let __fields = __FieldTable(version: 1, "text")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { text = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, text) }
  }
}

/// What the client does with its subscription.
enum Manner: String {
  /// It takes each result.
  case takes
  /// It takes none until another subscription has ended.
  case leaves
  /// It begins and ends subscriptions without a pause.
  case restless
}

@main
enum FloodedClient {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let url = URL(string: arguments[1]), let manner = Manner(rawValue: arguments[2]) else {
      print("usage: flooded-client ADDRESS takes|leaves|restless")
      exit(2)
    }
    let transport = WebSocketTransport(
      url: url,
      configuration: .init(
        reconnection: .never,
        timeouts: WebSocketTimeouts(
          connection: .seconds(300), acknowledgement: .seconds(300), pingInterval: .milliseconds(100),
          // (Long after the server has stopped reading, the system may hand over nothing more in either direction.)
          pong: .seconds(manner == .restless ? 30 : 300)),
        // Small enough for a flood that takes seconds.
        limits: WebSocketLimits(framesPerMessage: 10_000, unreadBytes: 1 << 16, waitingBytes: 4 << 20)))
    try await transport.connect()
    let before = residentAtMost
    switch manner {
    case .takes: await print(take(results(of: transport)))
    case .leaves:
      let left = results(of: transport)
      await print(take(results(of: transport)))
      await print(take(left))
    case .restless: await print(untilFailure(of: transport))
    }
    print("kilobytes: \(residentAtMost - before)")
  }

  private typealias Results = SubscriptionStream<GraphQLResult<Flood.Data>>

  private static func results(of transport: WebSocketTransport) -> Results {
    ApolloClient(networkTransport: transport).subscribe(to: Flood())
  }

  /// Takes all results, and says how many there were and how they ended.
  private static func take(_ results: Results) async -> String {
    var count = 0
    do {
      for try await _ in results { count += 1 }
      return "\(count) results"
    } catch {
      return "\(count) results, \(error)"
    }
  }

  /// Begins and ends subscriptions until one of them fails.
  private static func untilFailure(of transport: WebSocketTransport) async -> String {
    let lasting = Task { await take(results(of: transport)) }
    let others = Task {
      while !Task.isCancelled {
        let cancelled = Task { await take(results(of: transport)) }
        await Task.yield()
        cancelled.cancel()
        _ = await cancelled.value
      }
    }
    let end = await lasting.value
    others.cancel()
    return end
  }

  /// The most memory that was resident so far, in kilobytes.
  private static var residentAtMost: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
  }
}
