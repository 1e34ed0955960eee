import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

private typealias Step = ScriptedServer.Step

@Suite("Subscriptions over HTTP", .everyStyle)
struct HTTPSubscriptionTests {
  static let multipart = "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0"

  /// What a subscription gets that is answered so: its events, and the error that ended it.
  func events(
    _ steps: [ScriptedServer.Step], contentType: String = multipart
  ) async throws -> (events: [Int?], errors: [[String]], failure: OperationError?) {
    var events: [Int?] = [], errors: [[String]] = [], failure: OperationError?
    try await serve { _, _ in
      [.begin(contentType: contentType)] + steps + [.close]
    } _: { server async throws in
      do {
        for try await event in client(server).subscribe(to: CountSubscription()) {
          events.append(event.data?.count)
          errors.append(event.errors?.map(\.description) ?? [])
        }
      } catch {
        failure = error as? OperationError
        #expect(failure != nil, "\(error)")
      }
    }
    return (events, errors, failure)
  }

  func part(_ json: String, type: String = "application/json") -> String {
    "\r\ncontent-type: \(type)\r\n\r\n\(json.restyled)\r\n--graphql"
  }

  func event(_ count: Int) -> String { part(#"{"payload":{"data":{"count":\#(count)}}}"#) }

  @Test("Events come in order, heartbeats and empty payloads are not events, and the last delimiter is the end")
  func multipart() async throws {
    let (events, _, failure) = try await events([
      .write("\r\n--graphql" + part("{}")), .pause(milliseconds: 20), .write(event(1) + event(2)),
      .pause(milliseconds: 20), .write(part("{}") + part("") + part("\n ") + part(#"{"payload":null}"#) + event(3)),
      .write("--\r\n"),
    ])
    #expect(events == [1, 2, 3])
    #expect(failure == nil)
  }

  @Test(
    "Media types of parts may be written in any way; a boundary inside a string is text; parts may be split anywhere"
  )
  func forms() async throws {
    let text =
      "--graphql" + part(#"{"payload":{"data":{"count":1,"x":"--graphql"}}}"#, type: "APPLICATION/JSON; charset=utf-8")
      + part(#"{"payload":{"data":{"count":2}}}"#, type: "application/graphql-response+json") + "--\r\n"
    let bytes = Array(text.utf8)
    for steps in [[Step.write(text)], bytes.flatMap { [Step.writeBytes([$0]), .pause(milliseconds: 0)] }] {
      let (events, _, failure) = try await events(steps)
      #expect(events == [1, 2])
      #expect(failure == nil, "\(String(describing: failure))")
    }
  }

  @Test("Errors in a payload are an event's; errors beside it end the subscription, whatever the payload")
  func errors() async throws {
    let inside = try await events([
      .write("--graphql" + part(#"{"payload":{"data":null,"errors":[{"message":"a"}]}}"#) + event(2) + "--\r\n")
    ])
    #expect(inside.events == [nil, 2])
    #expect(inside.errors == [["a"], []])
    let beside = try await events([
      .write(
        "--graphql" + part(#"{"payload":{"data":{"count":1}},"errors":[{"message":"over"}]}"#) + event(2) + "--\r\n")
    ])
    #expect(beside.events == [])
    #expect(beside.failure?.code == .operationRefused)
    #expect(beside.failure?.message.contains("over") == true)
    let alone = try await events([
      .write("--graphql" + part(#"{"payload":null,"errors":[{"message":"reload"}]}"#) + "--\r\n")
    ])
    #expect(alone.events.isEmpty)
    #expect(
      alone.failure?.cause as? MultipartResponseParsingInterceptor.ParsingError
        == .irrecoverableError(message: "reload"))
  }

  @Test(
    "Errors without a payload end the subscription after the events before them",
    arguments: [
      #"{"errors":[{"message":"gone","foo":"bar"}]}"#,
      #"{"errors":[{"message":"gone"},{"message":"b"}],"payload":null}"#,
      #"{ "extensions": {}, "errors" : [ "gone" ] }"#,
      #"{"payload":{"data":{"count":9}},"errors":[{"message":"gone"}]}"#,
    ])
  func transportErrors(_ message: String) async throws {
    let (events, errors, failure) = try await events([
      .write("--graphql" + event(1) + part(message) + event(2) + "--\r\n")
    ])
    #expect(events == [1])
    #expect(errors == [[]])
    #expect(
      failure?.cause as? MultipartResponseParsingInterceptor.ParsingError == .irrecoverableError(message: "gone"),
      "\(failure as Any)")
    #expect(failure?.code == .operationRefused)
  }

  @Test("Errors that are null, or an empty list, are none")
  func noErrors() async throws {
    let (events, errors, failure) = try await events([
      .write(
        "--graphql" + part(#"{"errors":null}"#) + part(#"{"payload":null,"errors":null}"#) + part(#"{"errors":[]}"#)
          + part(#"{"payload":{"data":{"count":1}, "errors":null},"errors":null}"#)
          + part(#"{"payload":{"data":{"count":2}},"errors":[]}"#) + "--\r\n")
    ])
    #expect(events == [1, 2])
    #expect(errors == [[], []])
    #expect(failure == nil, "\(failure as Any)")
  }

  @Test("Errors without data over SSE, which has no messages about the transport, are an event")
  func errorsOverSSE() async throws {
    let (events, errors, failure) = try await events(
      [.write("event: next\ndata: {\"errors\":[{\"message\":\"a\"}]}\n\nevent: complete\n\n")],
      contentType: "text/event-stream")
    #expect(events == [nil])
    #expect(errors == [["a"]])
    #expect(failure == nil)
  }

  @Test("An answer that is not a multipart subscription is an error that says why")
  func malformed() async throws {
    typealias Problem = MultipartResponseParsingInterceptor.ParsingError
    let cases: [(String, String, Problem?)] = [
      ("multipart/mixed;subscriptionSpec=1.0", "", .missingMultipartBoundary),
      ("multipart/mixed;boundary=graphql;subscriptionSpec=2.0", "--graphql--", .invalidMultipartProtocol),
      (Self.multipart, "--graphql" + part("{}", type: "text/html") + "--", .unsupportedContentType(type: "text/html")),
      (
        Self.multipart, "--graphql" + part("{}", type: "multipart/mixed; boundary=x") + "--",
        .unsupportedContentType(type: "multipart/mixed; boundary=x")
      ),
      (Self.multipart, "--graphql" + part("{nope") + "--", nil),
      (Self.multipart, "--other\r\n\r\n{}\r\n--other--", .prematureEnd),
    ]
    for (type, body, expected) in cases {
      let (events, _, failure) = try await events([.write(body.isEmpty ? "x" : body)], contentType: type)
      #expect(events.isEmpty)
      let error = try #require(failure, "\(type) \(body)")
      #expect(error.operationName == "Count")
      if let expected { #expect(error.cause as? Problem == expected, "\(error)") }
    }
  }

  @Test("A connection that ends before its last delimiter is an error after the events that came")
  func premature() async throws {
    let (events, _, failure) = try await events([.write("--graphql" + event(1) + "\r\ncontent-type: app")])
    #expect(events == [1])
    #expect(failure?.code == .network)
    #expect(failure?.message.contains("broke off") == true)
  }

  @Test("A part over the limit is an error, and the connection is closed", .timeLimit(.minutes(5)))
  func tooLarge() async throws {
    struct Provider: InterceptorProvider {
      let client = URLSessionClient()
      func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
        [
          NetworkFetchInterceptor(client: client), MultipartResponseParsingInterceptor(maximumPartSize: 10_000),
          JSONResponseParsingInterceptor(),
        ]
      }
    }
    let filler = String(repeating: " ", count: 1000)
    let endless = (0..<20_000).flatMap { _ in [Step.write(filler), .pause(milliseconds: 1)] }
    try await serve { _, _ in
      [.begin(contentType: Self.multipart), .write("--graphql\r\n\r\n{")] + endless
    } _: { server async throws in
      let transport = RequestChainNetworkTransport(
        interceptorProvider: Provider(), endpointURL: URL(string: server.address)!)
      let error = await #expect(throws: OperationError.self) {
        for try await _ in ApolloClient(networkTransport: transport).subscribe(to: CountSubscription()) {}
      }
      #expect(error?.message.contains("larger than 10000 bytes") == true, "\(String(describing: error))")
    }
  }

  @Test("Events over SSE: signs of life are not events, and complete is the end, whatever follows")
  func eventStream() async throws {
    let (events, errors, failure) = try await events(
      [
        .write(":\n\nevent: next\ndata: {\"data\":{\"count\":1}}\n\n"), .pause(milliseconds: 20),
        .write("event: next\r\ndata: {\"data\":\r\ndata: {\"count\":2}}\r\n\r\n"),
        .write("data:\n\nevent: next\n\nevent: next\ndata: \ndata:\n\n"), .pause(milliseconds: 20),
        .write("data: {\"errors\":[{\"message\":\"a\"}]}\n\n"),
        .write("event: complete\ndata:\n\nevent: next\ndata: {\"data\":{\"count\":9}}\n\n"),
      ], contentType: "text/event-stream; charset=utf-8")
    #expect(events == [1, 2, nil])
    #expect(errors == [[], [], ["a"]])
    #expect(failure == nil)
  }

  @Test("An event stream that ends without complete is a network error after the events that came")
  func eventStreamPremature() async throws {
    let (events, _, failure) = try await events(
      [.write("event: next\ndata: {\"data\":{\"count\":1}}\n\nevent: ne")], contentType: "text/event-stream")
    #expect(events == [1])
    #expect(failure?.code == .network)
  }

  @Test("A subscription that a server answers with one response has one event")
  func single() async throws {
    let (events, _, failure) = try await events([.write(#"{"data":{"count":5}}"#)], contentType: "application/json")
    #expect(events == [5])
    #expect(failure == nil)
  }

  @Test("Ending the task closes the connection", .asWritten, .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let endless = (0..<20_000).flatMap { [Step.write(event($0)), .pause(milliseconds: 20)] }
    try await serve { _, _ in
      [.begin(contentType: Self.multipart), .write("--graphql")] + endless
    } _: { server async throws in
      let client = client(server)
      let (begun, first) = AsyncStream<Void>.makeStream()
      let task = Task {
        for try await _ in client.subscribe(to: CountSubscription()) { first.yield() }
      }
      for await _ in begun { break }
      task.cancel()
      try await task.value
      try await server.until(connectionCount: 0)
      // Leaving the loop does the same.
      for try await _ in client.subscribe(to: CountSubscription()) {
        #expect(server.connectionCount == 1)
        break
      }
      try await server.until(connectionCount: 0)
    }
  }

  @Test("A callback gets each event, and none after it is cancelled", .timeLimit(.minutes(5)))
  func callback() async throws {
    let gate = ScriptedServer.Gate()
    try await serve { _, _ in
      [
        .begin(contentType: Self.multipart), .write("--graphql" + event(1) + event(2)), .wait(gate),
        .write(event(3) + "--"), .close,
      ]
    } _: { server async throws in
      let events = Awaited<[Int]>([]), client = client(server)
      let running = client.subscribe(subscription: CountSubscription(), queue: .global()) { result in
        if let count = try? result.get().data?.count { events.change { $0.append(count) } }
      }
      try await events.until { $0.count == 2 }
      running.cancel()
      gate.open()
      try await server.until(connectionCount: 0)
      // By the time that another subscription has had all events, the third one would have come.
      var others: [Int?] = []
      for try await result in client.subscribe(to: CountSubscription()) { others.append(result.data?.count) }
      #expect(others == [1, 2, 3] && events.value == [1, 2])
    }
  }
}
