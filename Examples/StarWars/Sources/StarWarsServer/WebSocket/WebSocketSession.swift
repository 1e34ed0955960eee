import FlyingFox
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

  private let service: GraphQLService
  private let output: AsyncStream<WSMessage>.Continuation
  private var isInitialised = false
  private var operations: [String: Operation] = [:]
  private var lastNumber = 0

  init(service: GraphQLService, output: AsyncStream<WSMessage>.Continuation) {
    self.service = service
    self.output = output
  }

  /// Serves the client until its messages end or it breaks the protocol.
  func run(_ client: AsyncStream<WSMessage>, initialisationTimeout: Duration) async {
    let timeout = Task {
      try await Task.sleep(for: initialisationTimeout)
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

  /// Acts on a message. Returns why the connection must be closed, if it must.
  private func receive(_ message: WSMessage) -> WSCloseCode? {
    guard case .text(let text) = message else {
      if case .data = message { return .invalidMessage("Messages must be text") }
      return nil
    }
    do throws(ClientMessage.Invalid) {
      return receive(try ClientMessage(text))
    } catch {
      return .invalidMessage(String(error.reason.prefix(100)))
    }
  }

  private func receive(_ message: ClientMessage) -> WSCloseCode? {
    switch message {
    case .connectionInit:
      if isInitialised { return .tooManyInitialisationRequests }
      isInitialised = true
      send("connection_ack")
    case .ping(let payload): send("pong", payload: payload)
    case .pong: break
    case .subscribe(let id, let request):
      guard isInitialised else { return .unauthorized }
      guard operations[id] == nil else { return .subscriberExists(id) }
      start(request, id: id)
    case .complete(let id): operations.removeValue(forKey: id)?.task.cancel()
    }
    return nil
  }

  // MARK: - Operations

  private func start(_ request: ExecutionRequest, id: String) {
    lastNumber += 1
    let number = lastNumber
    let task = Task {
      switch await service.respond(to: request) {
      case .result(let result): answer(result, id, number)
      case .stream(let stream):
        for await result in stream { send("next", id: id, number: number, payload: result.value) }
        end("complete", id, number)
      }
    }
    operations[id] = Operation(number: number, task: task)
  }

  private func answer(_ result: ExecutionResult, _ id: String, _ number: Int) {
    if result.data == nil {
      end("error", id, number, payload: .list(result.errors.map(\.value)))
    } else {
      send("next", id: id, number: number, payload: result.value)
      end("complete", id, number)
    }
  }

  /// Sends the last message of an operation.
  private func end(_ type: String, _ id: String, _ number: Int, payload: GraphQLValue? = nil) {
    send(type, id: id, number: number, payload: payload)
    if operations[id]?.number == number { operations[id] = nil }
  }

  /// Sends a message about an operation, unless it is over.
  private func send(_ type: String, id: String, number: Int, payload: GraphQLValue?) {
    if operations[id]?.number == number { send(type, id: id, payload: payload) }
  }

  private func send(_ type: String, id: String? = nil, payload: GraphQLValue? = nil) {
    var message: GraphQLValue = ["type": .string(type)]
    message["id"] = id.map(GraphQLValue.string)
    message["payload"] = payload
    output.yield(.text(String(decoding: message.json, as: UTF8.self)))
  }
}
