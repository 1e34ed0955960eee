import Apollo
import FlyingFox
import Foundation
import GraphQLExecution

/// The server's side of one connection.
///
/// Messages of the client are taken one at a time; each operation runs in a task of its own until it ends, the client
/// completes it, or the connection goes away.
actor WebSocketSession {
  private struct Operation {
    /// Tells operations apart that had the same id one after another.
    var number: Int
    var task: Task<Void, Never>
  }

  private let session: any ApolloURLSession
  private let dialect: WebSocketDialect
  private let headers: HTTPHeaders
  private let output: AsyncStream<WSMessage>.Continuation
  private var isInitialised = false
  private var operations: [String: Operation] = [:]
  private var lastNumber = 0

  init(
    _ session: any ApolloURLSession, _ dialect: WebSocketDialect, headers: HTTPHeaders = [:],
    output: AsyncStream<WSMessage>.Continuation
  ) {
    self.session = session
    self.dialect = dialect
    self.headers = headers
    self.output = output
  }

  /// Serves the client until its messages end or it breaks the protocol. It has three seconds for its first message.
  func run(_ client: AsyncStream<WSMessage>) async {
    let timeout = Task {
      try await Task.sleep(for: .seconds(3))
      if !isInitialised { close(.initialisationTimeout) }
    }
    for await message in client {
      if let code = receive(message) {
        close(code)
        break
      }
    }
    timeout.cancel()
    for operation in operations.values { operation.task.cancel() }
    output.finish()
  }

  private func close(_ code: WSCloseCode) {
    output.yield(.close(code))
    output.finish()
  }

  // MARK: - Messages of the client

  /// Acts on a message.
  ///
  /// - Returns: Why the connection must be closed, if it must.
  private func receive(_ message: WSMessage) -> WSCloseCode? {
    guard case .text(let text) = message else {
      if case .data = message { return .invalidMessage("Messages must be text") }
      return nil
    }
    let said: WebSocketDialect.Message
    do throws(WebSocketDialect.Invalid) {
      said = try dialect.message(text)
    } catch {
      guard dialect == .legacy else { return .invalidMessage(error.reason) }
      send("connection_error", payload: ["message": .string(error.reason)])
      return nil
    }
    switch said {
    case .begin:
      if isInitialised { return dialect == .legacy ? nil : .tooManyInitialisationRequests }
      isInitialised = true
      send("connection_ack")
      if dialect == .legacy { send("ka") }
    case .ping(let payload): send("pong", payload: payload)
    case .pong: break
    case .terminate: return .normalClosure
    case .start(let id, let payload):
      guard isInitialised else { return .unauthorized }
      if operations[id] != nil {
        guard dialect == .legacy else { return .subscriberExists(id) }
        operations.removeValue(forKey: id)?.task.cancel()
      }
      start(payload, id)
    case .stop(let id):
      guard let operation = operations.removeValue(forKey: id) else { break }
      operation.task.cancel()
      if dialect == .legacy { send("complete", id: id) }
    }
    return nil
  }

  // MARK: - Operations

  private func start(_ payload: GraphQLValue, _ id: String) {
    lastNumber += 1
    let number = lastNumber
    let task = Task {
      do {
        var hasFailed = false
        for try await result in try await OperationResults.of(payload, headers: headers, session) {
          hasFailed = answer(result, id, number)
        }
        if !hasFailed { end(id, number) }
      } catch {
        fail(["message": .string("\(error)")], id, number)
      }
    }
    operations[id] = Operation(number: number, task: task)
  }

  /// Sends a result.
  ///
  /// - Returns: Whether the operation has ended with it, because it was not executed.
  private func answer(_ result: GraphQLValue, _ id: String, _ number: Int) -> Bool {
    guard operations[id]?.number == number else { return true }
    switch dialect {
    case .legacy: send("data", id: id, payload: result)
    case .transport:
      if result["data"] == nil, result["incremental"] == nil, result["hasNext"] == nil {
        operations[id] = nil
        send("error", id: id, payload: result["errors"] ?? [["message": "There is no result."]])
        return true
      }
      send("next", id: id, payload: result)
    }
    return false
  }

  private func fail(_ error: GraphQLValue, _ id: String, _ number: Int) {
    guard operations[id]?.number == number else { return }
    operations[id] = nil
    send("error", id: id, payload: dialect == .legacy ? error : [error])
  }

  private func end(_ id: String, _ number: Int) {
    guard operations[id]?.number == number else { return }
    operations[id] = nil
    send("complete", id: id)
  }

  private func send(_ type: String, id: String? = nil, payload: GraphQLValue? = nil) {
    var message: GraphQLValue = ["type": .string(type)]
    message["id"] = id.map(GraphQLValue.string)
    message["payload"] = payload
    output.yield(.text(String(decoding: message.json, as: UTF8.self)))
  }
}
