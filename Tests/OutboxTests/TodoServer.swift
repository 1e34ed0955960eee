@testable import ApolloOperations
import ApolloConcurrency
@testable import Apollo
@testable import ApolloAPI
import Foundation
import ResponseStyles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server with a list of things to do. It does a mutation once for each key, answers as a test says, and remembers what
/// it was asked for.
final class TodoServer: Sendable {
  /// What becomes of a request.
  enum Answer: Sendable {
    /// The server does what it is asked for.
    case success
    /// The server does it, and its answer gets lost.
    case lost
    /// There is no network.
    case noNetwork
    /// Nothing comes to the server: the client gets this error.
    case failure(any Error)
    /// The server answers with a status, and does nothing. The field `Body` is the body.
    case status(Int, [String: String] = [:])
    /// The server answers with this text, and does nothing.
    case body(String, type: String = "application/json")
    /// The server does what it is asked for, and answers with this text.
    case done(String)
    /// Nothing comes until the test goes on.
    case held
  }

  /// How the client sends.
  enum Way: CaseIterable, Sendable { case http, responseTransport, foreign }

  struct Request: Sendable {
    let name: String
    let variables: JSONObject
    let key: String?
    let extensionKey: String?
    let headers: [String: String]
    let body: Data
    /// The status that it was answered with; nil if it was answered with 200, or not at all.
    var status: Int?
  }

  private struct State {
    var answers: [Answer] = []
    var always: Answer?
    var alwaysByName: [String: Answer] = [:]
    var requests: [Request] = []
    var todos: [(id: String, text: String)] = []
    /// The answers to mutations that were done, by their keys.
    var done: [String: String] = [:]
    var executions: [String] = []
    var held: [(continuation: CheckedContinuation<Void, Never>, isOver: Locked<Bool>)] = []
    var underWay = 0
    var mostUnderWay = 0
  }

  private let state = Locked(State())
  /// How it writes its answers.
  private let style = ResponseStyle.current

  /// What becomes of the next requests, one after the other. After that, all succeed.
  func plan(_ answers: Answer...) { state.withLock { $0.answers += answers } }

  /// What becomes of all requests that are not planned; nil: they succeed.
  var always: Answer? {
    get { state.withLock { $0.always } }
    set { state.withLock { $0.always = newValue } }
  }

  /// What becomes of all requests for an operation that are not planned; nil: what becomes of the others.
  func always(_ answer: Answer?, for name: String) { state.withLock { $0.alwaysByName[name] = answer } }

  var requests: [Request] { state.withLock { $0.requests } }
  /// The names of the mutations that were done, in their order.
  var executions: [String] { state.withLock { $0.executions } }
  var texts: [String] { state.withLock { $0.todos.map(\.text) } }
  var heldCount: Int { state.withLock { $0.held.count } }
  var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

  /// Lets all held requests go on. They succeed.
  func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for one in held { one.continuation.resume() }
  }

  func add(_ id: String, _ text: String) { state.withLock { $0.todos.append((id, text)) } }

  // MARK: Answering

  func respond(
    _ name: String, _ variables: JSONObject, headers: [String: String] = [:], extensions: JSONObject = [:], body: Data
  ) async throws -> (status: Int, headers: [String: String], body: String) {
    let key = headers.first { $0.key.lowercased() == "idempotency-key" }?.value
    let extensionKey = extensions["idempotencyKey"] as? String
    let answer = state.withLock { state -> Answer in
      state.requests.append(
        Request(
          name: name, variables: variables, key: key, extensionKey: extensionKey, headers: headers, body: body))
      state.underWay += 1
      state.mostUnderWay = max(state.mostUnderWay, state.underWay)
      let answer =
        state.answers.isEmpty
        ? state.alwaysByName[name] ?? state.always ?? .success : state.answers.removeFirst()
      if case .status(let status, _) = answer { state.requests[state.requests.count - 1].status = status }
      return answer
    }
    defer { state.withLock { $0.underWay -= 1 } }
    let type = ["Content-Type": "application/json"]
    switch answer {
    case .success: return (200, type, execute(name, variables, extensionKey))
    case .lost:
      _ = execute(name, variables, extensionKey)
      throw URLError(.networkConnectionLost)
    case .noNetwork: throw URLError(.notConnectedToInternet)
    case .failure(let error): throw error
    case .status(let status, let headers):
      return (status, type.merging(headers) { $1 }, headers["Body"] ?? #"{"message":"no"}"#)
    case .done(let body):
      _ = execute(name, variables, extensionKey)
      return (200, type, body)
    case .body(let body, let type): return (200, ["Content-Type": type], body)
    case .held:
      let isOver = Locked(false)
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in state.withLock { $0.held.append((continuation, isOver)) } }
      } onCancel: {
        let cancelled = state.withLock { state -> CheckedContinuation<Void, Never>? in
          isOver.withLock { $0 = true }
          guard let index = state.held.firstIndex(where: { $0.isOver === isOver }) else { return nil }
          return state.held.remove(at: index).continuation
        }
        cancelled?.resume()
      }
      try Task.checkCancellation()
      return (200, type, execute(name, variables, extensionKey))
    }
  }

  private func execute(_ name: String, _ variables: JSONObject, _ key: String?) -> String {
    let answer: String = state.withLock { state in
      if let key, let known = state.done[key] { return known }
      let text = variables["text"] as? String ?? ""
      var answer: String
      switch name {
      case "CreateTodo":
        let id = String(100 + state.todos.count)
        state.todos.append((id, text))
        answer = Self.answer("createTodo", id, text)
      case "RenameTodo":
        let id = variables["id"] as? String ?? ""
        if let place = state.todos.firstIndex(where: { $0.id == id }) {
          state.todos[place].text = text
          answer = Self.answer("renameTodo", id, text)
        } else {
          answer = #"{"data":{"renameTodo":null},"errors":[{"message":"no todo","path":["renameTodo"]}]}"#
        }
      case "Attach": answer = #"{"data":{"attach":"done"}}"#
      default:
        let todos = state.todos.map {
          #"{"__typename":"Todo","id":\#(Self.quoted($0.id)),"text":\#(Self.quoted($0.text))}"#
        }
        return #"{"data":{"todos":[\#(todos.joined(separator: ","))]}}"#
      }
      state.executions.append(name + (text.isEmpty ? "" : " " + text))
      if let key { state.done[key] = answer }
      return answer
    }
    return style?.restyle(answer) ?? answer
  }

  private static func quoted(_ text: String) -> String {
    var writer = __JSONWriter()
    writer.write(text)
    return writer.text
  }

  private static func answer(_ field: String, _ id: String, _ text: String) -> String {
    #"{"data":{"\#(field)":{"__typename":"Todo","id":\#(quoted(id)),"text":\#(quoted(text))}}}"#
  }

  // MARK: Clients

  /// A client of this server. Its monitor knows that there is a network: a client that does not know waits for a second and
  /// longer after a failure of the network.
  func client(
    _ way: Way = .http, _ outbox: Outbox.Configuration? = nil, store: ApolloStore = ApolloStore(),
    monitor: any NetworkMonitor = ManualNetworkMonitor(),
    configure: (inout ApolloClient.Configuration) -> Void = { _ in }
  ) -> ApolloClient {
    var configuration = ApolloClient.Configuration(
      url: URL(string: "http://todo.example/graphql")!, cache: .store(store), outbox: outbox, networkMonitor: monitor)
    configuration.http.session = Session(server: self)
    configure(&configuration)
    switch way {
    case .http: return ApolloClient(configuration: configuration)
    case .responseTransport:
      return ApolloClient(networkTransport: Bytes(server: self), configuration: configuration)
    case .foreign: return ApolloClient(networkTransport: Foreign(server: self), configuration: configuration)
    }
  }

  /// Sends to this server, for a transport of a test.
  var session: any ApolloURLSession { Session(server: self) }

  private struct Session: ApolloURLSession {
    let server: TodoServer

    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
      let body = request.httpBody ?? Data()
      var object = (try? ResponseReader.jsonValue(ResponseBytes(body))) as? JSONObject
      if object == nil, let text = String(data: body, encoding: .utf8),
        let line = text.split(separator: "\r\n").first(where: { $0.hasPrefix("{\"") && $0.contains("operationName") })
      {
        object = (try? ResponseReader.jsonValue(ResponseBytes(String(line).utf8))) as? JSONObject
      }
      let answer = try await server.respond(
        object?["operationName"] as? String ?? "?", object?["variables"] as? JSONObject ?? [:],
        headers: request.allHTTPHeaderFields ?? [:], extensions: object?["extensions"] as? JSONObject ?? [:],
        body: body)
      let response = HTTPURLResponse(
        url: request.url!, statusCode: answer.status, httpVersion: nil, headerFields: answer.headers)!
      return (ChunkedHTTPResponse.Chunks(Data(answer.body.utf8)), response)
    }
  }

  private final class Bytes: ResponseTransport {
    private let server: TodoServer
    init(server: TodoServer) { self.server = server }

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      let answer = try await server.respond(
        request.operation, request.configuration.headers, request.configuration.bodyExtensions)
      try await receive(TransportResponse(Data(answer.body.utf8)))
    }
  }

  /// A transport of an app, which makes results by itself, writes nothing to the cache, and hears of no configuration.
  private final class Foreign: NetworkTransport {
    private let server: TodoServer
    init(server: TodoServer) { self.server = server }

    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      let handler = Handoff(completionHandler)
      let configuration = OperationCall(sent: operation, context: context).configuration
      let task = Task { [server] in
        do {
          let answer = try await server.respond(operation, configuration.headers, configuration.bodyExtensions)
          let read = try OperationPipeline(store: nil).read(
            ResponseBytes(Data(answer.body.utf8)), of: operation, makesRecords: false)
          handler.value(.success(read.result))
        } catch {
          handler.value(.failure(error))
        }
      }
      return CallbackCancellable { task.cancel() }
    }
  }

  private func respond<Operation: GraphQLOperation>(
    _ operation: Operation, _ headers: [String: String], _ extensions: JSONObject
  ) async throws -> (status: Int, headers: [String: String], body: String) {
    let variables = (try ResponseReader.jsonValue(ResponseBytes(operation.variables.json))) as? JSONObject ?? [:]
    let answer = try await respond(
      Operation.operationName, variables, headers: headers, extensions: extensions, body: Data())
    guard answer.status == 200 else {
      let response = HTTPURLResponse(
        url: URL(string: "http://todo.example/")!, statusCode: answer.status, httpVersion: nil,
        headerFields: answer.headers)
      throw ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: response, rawData: nil)
    }
    return answer
  }
}
