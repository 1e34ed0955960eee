@testable import ApolloHTTP
import Apollo
import Foundation
import ScriptedServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Subclasses as apps write them.
@Suite("Subclasses of URLSessionClient", .timeLimit(.minutes(10)))
struct URLSessionClientSubclassTests {
  /// Notes which methods of the delegate are called, and goes on as the client does.
  class Watching: URLSessionClient, @unchecked Sendable {
    let notes = Received<String>()

    override func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      notes.add("response")
      super.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    override func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      notes.add("data")
      super.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    override func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      notes.add("complete")
      super.urlSession(session, task: task, didCompleteWithError: error)
    }

    override func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      notes.add("sent \(totalBytesSent == totalBytesExpectedToSend)")
    }

    override func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      notes.add("redirect \(response.statusCode)")
      super.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
    }

    override func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      notes.add("invalid")
      super.urlSession(session, didBecomeInvalidWithError: error)
    }

    /// All notes up to this one, each once.
    func all(upTo last: String) async -> Set<String> {
      var seen: Set<String> = []
      while !seen.contains(last), let note = await notes.next() { seen.insert(note) }
      return seen
    }
  }

  func client(_ session: URLSessionClient, _ server: ScriptedServer, useGETForQueries: Bool = false) -> ApolloClient {
    let store = ApolloStore()
    let transport = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(client: session, store: store),
      endpointURL: URL(string: server.address)!, useGETForQueries: useGETForQueries)
    return ApolloClient(networkTransport: transport, store: store)
  }

  @Test("The methods of the delegate that are called for a POST can be overridden")
  func post() async throws {
    let session = Watching(sessionConfiguration: .ephemeral)
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(session, server).fetch(query: HeroQuery())
      #expect(await session.all(upTo: "complete") == ["sent true", "response", "data", "complete"])
      session.invalidate()
      #expect(await session.all(upTo: "invalid") == ["invalid"])
    }
  }

  @Test("So can those for a redirect")
  func redirect() async throws {
    let session = Watching(sessionConfiguration: .ephemeral)
    try await serve { count, request in
      count == 1
        ? [.respond("", status: 302, contentType: nil, headers: ["Location": request.path + "&again=1"])]
        : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(session, server, useGETForQueries: true).fetch(query: HeroQuery())
      // (On Linux the redirect is a response with an end of its own.)
      let notes = await session.all(upTo: "data").union(await session.all(upTo: "complete"))
      #expect(notes == ["redirect 302", "response", "data", "complete"])
      session.invalidate()
    }
  }

  /// Follows every redirect as it is, as an app may have decided.
  final class Following: URLSessionClient, @unchecked Sendable {
    override func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(request) }
  }

  /// Follows no redirect.
  final class Declining: URLSessionClient, @unchecked Sendable {
    override func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }

  @Test(
    "A redirect that a subclass declines is the response, within the origin and to another one",
    arguments: [302, 307, 308], ["/elsewhere", "http://127.0.0.1:1/elsewhere"])
  func declinedRedirect(status: Int, location: String) async throws {
    let session = Declining(sessionConfiguration: .ephemeral)
    defer { session.invalidate() }
    let requests = try await serve { _, _ in
      [.respond("", status: status, headers: ["Location": location])]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(session, server).perform(mutation: RenameMutation())
      }
      #expect(error?.httpStatus == status, "\(error as Any)")
      #expect(!(error?.cause is NetworkFetchInterceptor.RedirectError), "\(error as Any)")
    }
    #expect(requests.map(\.path) == ["/graphql"])
  }

  @Test(
    "One that overrides the function for redirects decides itself; an operation that is lost is an error all the same")
  func ownRedirects() async throws {
    let other = RequestLog()
    try await ScriptedServer.with { request in
      _ = other.add(request)
      return [.respond(hero())]
    } _: { target async throws -> Void in
      try await serve { count, request in
        [.respond("", status: 302, headers: ["Location": target.address + (request.path.dropFirst("/graphql".count))])]
      } _: { server async throws in
        func session() -> Following { Following(sessionConfiguration: .ephemeral) }
        let result = try await client(session(), server, useGETForQueries: true).fetch(query: HeroQuery())
        #expect(result.data?.hero?.name == "R2-D2")
        let error = await #expect(throws: OperationError.self) {
          try await client(session(), server).fetch(query: HeroQuery())
        }
        #expect(error?.message.contains("lost in a redirect") == true, "\(error as Any)")
      }
    }
    #expect(other.all.map(\.method).prefix(1) == ["GET"])
  }

  /// Answers without a network, as mocks of apps do, and returns a task that never runs.
  final class Answering: URLSessionClient, @unchecked Sendable {
    let task: @Sendable (URLRequest) -> URLSessionTask

    init(_ task: @escaping @Sendable (URLRequest) -> URLSessionTask) {
      self.task = task
      super.init(sessionConfiguration: .ephemeral)
    }

    override func sendRequest(
      _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
      completion: @escaping Completion
    ) -> URLSessionTask {
      let response = HTTPURLResponse(
        url: request.url!, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "application/json"])!
      completion(.success((Data(hero().utf8), response)))
      return task(request)
    }
  }

  @Test(
    "The answer of one that returns any other task counts, whatever that task would send", arguments: [true, false])
  func anyTask(useGETForQueries: Bool) async throws {
    let tasks: [@Sendable (URLRequest) -> URLSessionTask] = [
      { URLSession.shared.dataTask(with: $0) }, { URLSession.shared.dataTask(with: $0.url!) },
      { _ in URLSession.shared.dataTask(with: URL(string: "https://example.invalid")!) },
      { URLSession.shared.downloadTask(with: $0.url!) },
      { URLSession.shared.uploadTask(with: $0, from: Data()) },
    ]
    for task in tasks {
      let store = ApolloStore()
      let transport = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(client: Answering(task), store: store),
        endpointURL: URL(string: "http://example.invalid/graphql")!, useGETForQueries: useGETForQueries)
      let result = try await ApolloClient(networkTransport: transport, store: store).fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2-D2")
    }
  }

  /// As written for releases before 1.9.
  final class Logging: URLSessionClient, @unchecked Sendable {
    let sent = Received<String?>()

    override func sendRequest(
      _ request: URLRequest, rawTaskCompletionHandler: RawCompletion? = nil, completion: @escaping Completion
    ) -> URLSessionTask {
      let task = super.sendRequest(request, rawTaskCompletionHandler: rawTaskCompletionHandler, completion: completion)
      sent.add(task.taskDescription)
      return task
    }
  }

  /// As written for releases 1.9 to 1.25, with the types spelled out, and with state that is not Sendable.
  final class Describing: URLSessionClient, @unchecked Sendable {
    let sent = Received<String?>()
    var count = 0

    override func sendRequest(
      _ request: URLRequest, taskDescription: String? = nil,
      rawTaskCompletionHandler: ((Data?, HTTPURLResponse?, (any Error)?) -> Void)? = nil,
      completion: @escaping (Result<(Data, HTTPURLResponse), any Error>) -> Void
    ) -> URLSessionTask {
      sent.add(taskDescription)
      return super.sendRequest(
        request, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler
      ) { [self] result in
        count += 1
        completion(result)
      }
    }
  }

  /// One form calls the other.
  final class Renaming: URLSessionClient, @unchecked Sendable {
    let sent = Received<String?>()

    override func sendRequest(
      _ request: URLRequest, rawTaskCompletionHandler: RawCompletion? = nil, completion: @escaping Completion
    ) -> URLSessionTask {
      let task = super.sendRequest(
        request, taskDescription: "mine", rawTaskCompletionHandler: rawTaskCompletionHandler, completion: completion)
      sent.add(task.taskDescription)
      return task
    }
  }

  @Test("Every request goes through both forms of sendRequest, whichever a subclass overrides")
  func sendRequest() async throws {
    let logging = Logging(sessionConfiguration: .ephemeral)
    let describing = Describing(sessionConfiguration: .ephemeral)
    let renaming = Renaming(sessionConfiguration: .ephemeral)
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      for session in [logging, describing, renaming] {
        _ = try await client(session, server).fetch(query: HeroQuery())
      }
    }
    #expect(requests.count == 3)
    #expect(await logging.sent.next() == "query Hero")
    #expect(await describing.sent.next() == "query Hero")
    #expect(describing.count == 1)
    #expect(await renaming.sent.next() == "mine")
  }

  @Test("So does an upload whose body is in a file")
  func sendFile() async throws {
    let logging = Logging(sessionConfiguration: .ephemeral)
    let describing = Describing(sessionConfiguration: .ephemeral)
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      for session in [logging, describing] {
        let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data(count: 2 << 20))
        _ = try await client(session, server).upload(operation: RenameMutation(), files: [file])
      }
    }
    #expect(requests.map { $0.body.utf8.count > 2 << 20 } == [true, true])
    #expect(await logging.sent.next() == "mutation Rename")
    #expect(await describing.sent.next() == "mutation Rename")
  }

  /// Sends each body from a file.
  final class Filing: URLSessionClient, @unchecked Sendable {
    let file: URL
    let calls = Locked(0)

    init(_ file: URL) {
      self.file = file
      super.init(sessionConfiguration: .ephemeral)
    }

    override func sendRequest(
      _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
      completion: @escaping Completion
    ) -> URLSessionTask {
      calls.withLock { $0 += 1 }
      var request = request
      request.httpBody = nil
      return super.sendRequest(
        request, fromFile: file, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler,
        completion: completion)
    }
  }

  @Test("A subclass may send a body from a file of its own, and is called once for it")
  func ownFile() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID())")
    try Data("own".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let session = Filing(file)
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(session, server).fetch(query: HeroQuery())
    }
    #expect(requests.map(\.body) == ["own"])
    #expect(session.calls.withLock { $0 } == 1)
  }

  /// Sends requests of its own, without a body, before and after each one.
  final class Announcing: URLSessionClient, @unchecked Sendable {
    let answers = Received<String>()

    override func sendRequest(
      _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
      completion: @escaping Completion
    ) -> URLSessionTask {
      var other = URLRequest(url: URL(string: "/other", relativeTo: request.url)!.absoluteURL)
      other.httpMethod = "POST"
      Task { [other] in
        _ = super.sendRequest(other, taskDescription: "later") { [answers] _ in answers.add("later") }
      }
      super.sendRequest(other, taskDescription: "before") { [answers] _ in answers.add("before") }
      return super.sendRequest(
        request, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler,
        completion: completion)
    }
  }

  @Test("The body in a file is sent with no other request that a subclass sends meanwhile")
  func otherRequests() async throws {
    let session = Announcing(sessionConfiguration: .ephemeral)
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data(count: 2 << 20))
      _ = try await client(session, server).upload(operation: RenameMutation(), files: [file])
      for _ in 1...2 { _ = await session.answers.next() }
    }
    #expect(requests.filter { $0.path == "/other" }.map(\.body) == ["", ""])
    #expect(requests.filter { $0.path != "/other" }.map { $0.body.utf8.count > 2 << 20 } == [true])
  }

  @Test("A task that ends as cancelled before a response over TLS is told as one to a server without trust")
  func refusedServer() throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    func told(of code: URLError.Code, at address: String) throws -> URLError.Code? {
      let task = session.dataTask(with: try #require(URL(string: address)))
      return (URLError(code).asRefusedServer(of: task) as? URLError)?.code
    }
    #expect(try told(of: .cancelled, at: "https://localhost/") == .serverCertificateUntrusted)
    #expect(try told(of: .cancelled, at: "http://localhost/") == .cancelled)
    #expect(try told(of: .timedOut, at: "https://localhost/") == .timedOut)
  }

  @Test("The session is there without unwrapping, as in 1.x, and can be asked for after an end")
  func session() {
    let client = URLSessionClient(sessionConfiguration: .ephemeral, callbackQueue: .main)
    #expect(client.session.configuration.timeoutIntervalForRequest > 0)
    client.invalidate()
    #expect(client.session == nil)
  }
}
