import ApolloWebSocket
import Foundation

/// Runs a WebSocket engine through the cases of the Autobahn fuzzing server: `apollo-autobahn ws://127.0.0.1:9001`.
///
/// Prints a table, and by name the cases that the server does not find right; the exit status is 1 if there is a
/// failure among them. `NON-STRICT` is none: the order of an answer and of a close frame that cross each other.
@main
struct AutobahnClient {
  static let agent = "apollo-swift"

  let address: String
  let engine = WebSocketTransport.defaultEngine

  static func main() async throws {
    guard let address = CommandLine.arguments.dropFirst().first, address.hasPrefix("ws") else {
      print("usage: apollo-autobahn ws://HOST:PORT")
      exit(2)
    }
    let table = try await AutobahnClient(address: address).run()
    print(table.text)
    exit(table.failures == 0 ? 0 : 1)
  }

  func run() async throws -> VerdictTable {
    guard let count = Int(try await answer("/getCaseCount")) else { throw AutobahnFailure("no count of cases") }
    var table = VerdictTable()
    for number in 1...count {
      try await echo("/runCase?case=\(number)&agent=\(Self.agent)")
      table.add(try await status(of: number), of: try await identifier(of: number))
    }
    _ = try? await answer("/updateReports?agent=\(Self.agent)")
    return table
  }

  private func connect(_ path: String) async throws -> any WebSocketConnection {
    guard let url = URL(string: address + path) else { throw AutobahnFailure("no address: \(address)") }
    return try await engine.connect(to: url, headers: [:], subprotocols: [])
  }

  /// Sends every message back until the server closes, in whatever way it does.
  private func echo(_ path: String) async throws {
    let connection = try await connect(path)
    do {
      for try await message in connection.messages { connection.send(message) }
    } catch is WebSocketError {
      return
    }
  }

  private func answer(_ path: String) async throws -> String {
    let connection = try await connect(path)
    var answer = ""
    do {
      for try await case .text(let text) in connection.messages { answer = text }
    } catch let error as WebSocketError {
      guard case .closed = error.kind else { throw error }
    }
    return answer
  }

  private func status(of number: Int) async throws -> Verdict {
    let path = "/getCaseStatus?case=\(number)&agent=\(Self.agent)"
    // The server has its verdict a moment after the connection of the case is gone.
    for _ in 1...100 {
      let verdict = try JSONDecoder().decode(Verdict.self, from: Data(try await answer(path).utf8))
      if verdict.behavior != nil { return verdict }
      try await Task.sleep(for: .milliseconds(50))
    }
    return Verdict(behavior: "NO VERDICT", behaviorClose: nil)
  }

  private func identifier(of number: Int) async throws -> String {
    let info = try JSONDecoder().decode(
      [String: String].self, from: Data(try await answer("/getCaseInfo?case=\(number)").utf8))
    return info["id"] ?? "\(number)"
  }
}

struct AutobahnFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
